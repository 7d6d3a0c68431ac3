/** How a webhook is called: by a URL or a service (README.md#webhooks). */
import type { ServiceReference, WebhookClientConfig } from '#messages/admissionregistration.v1';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  invalid,
  invalidPrinted,
  printStrings,
  required,
  requiredSaying,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dns1035Label, dnsSubdomain } from '../../semantics/metadata/names.ts';

const HOST_MISSING = ownRelease().has('specifiedHosts')
  ? 'host must be specified'
  : 'host must be provided';
const FORM = '; desired format: https://host[/path]';
const PORT_MAX = 65_535;

/** Adds the problems of a client configuration at the path `field`. */
export function checkWebhookClient(
  { url, service }: WebhookClientConfig,
  field: string,
  errors: FieldError[],
): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(field, 'exactly one of url or service is required'));
  } else if (url !== undefined) {
    checkUrl(url, `${field}.url`, errors);
  } else if (service !== undefined) {
    checkService(service, `${field}.service`, errors);
  }
}

function checkUrl(text: string, field: string, errors: FieldError[]): void {
  const [, scheme = '', rest = ''] = /^(?:([A-Za-z][-+.A-Za-z0-9]*):)?(.*)$/s.exec(text) ?? [];
  const [beforeFragment, fragment] = cut(rest, '#');
  const [address, query] = cut(beforeFragment, '?');
  const authority = address.startsWith('//') ? (address.slice(2).split('/')[0] ?? '') : '';
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (scheme.toLowerCase() !== 'https') {
    errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (host === '') errors.push(invalid(field, host, `${HOST_MISSING}${FORM}`));
  if (at !== -1) {
    const detail = 'user information is not permitted in the URL';
    errors.push(invalid(field, authority.slice(0, at), detail));
  }
  if (fragment !== '') {
    errors.push(invalid(field, fragment, 'fragments are not permitted in the URL'));
  }
  if (query !== '') {
    errors.push(invalid(field, query, 'query parameters are not permitted in the URL'));
  }
}

/** The text before and after the first `separator`. */
function cut(text: string, separator: string): [string, string] {
  const position = text.indexOf(separator);
  if (position === -1) return [text, ''];
  return [text.slice(0, position), text.slice(position + 1)];
}

function checkService(
  { namespace = '', name = '', path = '', port = 0 }: ServiceReference,
  field: string,
  errors: FieldError[],
): void {
  // The reference names the wrong member here.
  if (namespace === '') errors.push(requiredSaying(`${field}.name`, 'service name is required'));
  if (name === '') {
    errors.push(requiredSaying(`${field}.namespace`, 'service namespace is required'));
  }
  checkReferencePort(port, `${field}.port`, errors);
  checkPath(path, `${field}.path`, errors);
}

/** Adds an error unless `port` is a valid port. */
export function checkReferencePort(port: number, field: string, errors: FieldError[]): void {
  if (port >= 1 && port <= PORT_MAX) return;
  const detail = `port is not valid: must be between 1 and ${PORT_MAX}, inclusive`;
  errors.push(invalid(field, port, detail));
}

function checkPath(path: string, field: string, errors: FieldError[]): void {
  if (path === '' || path === '/') return;
  if (path === '//') {
    errors.push(invalid(field, path, 'segment[0] may not be empty'));
    return;
  }
  if (!path.startsWith('/')) errors.push(invalid(field, path, "must start with a '/'"));
  const steps = path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');
  steps.forEach((step, index) => {
    if (step === '') {
      errors.push(invalid(field, path, `segment[${index}] may not be empty`));
      return;
    }
    for (const problem of dnsSubdomain(step)) {
      errors.push(invalid(field, path, `segment[${index}]: ${problem}`));
    }
  });
}

/** Adds the problems of the versions that a webhook understands, at the path `field`. */
export function checkReviewVersions(
  versions: readonly string[],
  field: string,
  missing: string,
  errors: FieldError[],
): void {
  if (versions.length === 0) {
    errors.push(required(field, missing));
    return;
  }
  const seen = new Set<string>();
  versions.forEach((version, index) => {
    const path = `${field}[${index}]`;
    if (seen.has(version)) errors.push(invalid(path, version, 'duplicate version'));
    else addProblems(dns1035Label(version), path, version, errors);
    seen.add(version);
  });
  if (seen.has('v1') || seen.has('v1beta1')) return;
  const detail = 'must include at least one of v1, v1beta1';
  errors.push(invalidPrinted(field, printStrings(versions), detail));
}
