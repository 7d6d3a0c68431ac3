/** Rules of an ingress that its schema cannot say, in the reference's order. */
import type { TypedLocalObjectReference } from '#messages/core.v1';
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressServiceBackend,
  IngressSpec,
} from '#messages/networking.v1';
import {
  addProblems,
  invalid,
  invalidPrinted,
  required,
  requiredSaying,
  showsJson,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { parseIp } from '../../semantics/validation/ip-address.ts';
import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  pathSegment,
  wildcardDnsSubdomain,
} from '../../semantics/metadata/names.ts';
import { checkPortName, checkPortNumber } from '../../semantics/validation/network-validation.ts';

const FORBIDDEN_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

/** The errors of an ingress on every write, except those of the names of its secrets. */
export function ingressErrors(
  spec: IngressSpec,
  stored: IngressSpec | undefined,
  gates: FeatureGates,
): FieldError[] {
  const mayBeginWithDigit = takesServiceNames(stored, gates);
  const errors: FieldError[] = [];
  const { rules = [], defaultBackend, tls = [] } = spec;
  if (rules.length === 0 && defaultBackend === undefined) {
    const detail = 'either `defaultBackend` or `rules` must be specified';
    const printed = showsJson() ? 'null' : '[]networking.IngressRule(nil)';
    errors.push(invalidPrinted('spec', printed, detail));
  }
  if (defaultBackend !== undefined) {
    checkBackend(defaultBackend, 'spec.defaultBackend', mayBeginWithDigit, errors);
  }
  rules.forEach(({ host = '', http }, index) => {
    const field = `spec.rules[${index}]`;
    if (host !== '') checkRuleHost(host, `${field}.host`, errors);
    http?.paths?.forEach((path, at) => {
      checkPath(path, `${field}.http.paths[${at}]`, mayBeginWithDigit, errors);
    });
  });
  tls.forEach(({ hosts = [] }, index) => {
    hosts.forEach((host, at) => checkHost(host, `spec.tls[${index}].hosts[${at}]`, errors));
  });
  return errors;
}

/** Whether services may have names that begin with a digit: some of the stored ones do. */
function takesServiceNames(stored: IngressSpec | undefined, gates: FeatureGates): boolean {
  if (gates.has('RelaxedServiceNameValidation')) return true;
  if (stored === undefined || !ownRelease().has('freeServiceNames')) return false;
  const { rules = [], defaultBackend } = stored;
  const backends = rules.flatMap(({ http }) => http?.paths?.map(({ backend }) => backend) ?? []);
  return [defaultBackend, ...backends].some((backend) => {
    const name = backend?.service?.name;
    if (name === undefined) return false;
    return dnsLabel(name).length === 0 && dns1035Label(name).length > 0;
  });
}

function checkRuleHost(host: string, field: string, errors: FieldError[]): void {
  if (parseIp(host) !== undefined) {
    errors.push(invalid(field, host, 'must be a DNS name, not an IP address'));
  }
  checkHost(host, field, errors);
}

function checkHost(host: string, field: string, errors: FieldError[]): void {
  const problems = host.includes('*') ? wildcardDnsSubdomain(host) : dnsSubdomain(host);
  addProblems(problems, field, host, errors);
}

function checkPath(
  { path = '', pathType, backend = {} }: HTTPIngressPath,
  field: string,
  mayBeginWithDigit: boolean,
  errors: FieldError[],
): void {
  if (pathType === undefined) {
    errors.push(required(`${field}.pathType`, 'pathType must be specified'));
    return;
  }
  const pathField = `${field}.path`;
  const literal = pathType === 'Exact' || pathType === 'Prefix';
  if (!path.startsWith('/') && (literal || path !== '')) {
    errors.push(invalid(pathField, path, 'must be an absolute path'));
  }
  if (literal) {
    for (const part of FORBIDDEN_PARTS) {
      if (path.includes(part)) errors.push(invalid(pathField, path, `must not contain '${part}'`));
    }
    for (const end of FORBIDDEN_ENDS) {
      if (path.endsWith(end)) errors.push(invalid(pathField, path, `cannot end with '${end}'`));
    }
  }
  checkBackend(backend, `${field}.backend`, mayBeginWithDigit, errors);
}

function checkBackend(
  { service, resource }: IngressBackend,
  field: string,
  mayBeginWithDigit: boolean,
  errors: FieldError[],
): void {
  if (service !== undefined && resource !== undefined) {
    errors.push(invalid(field, '', 'cannot set both resource and service backends'));
  } else if (resource !== undefined) {
    checkResource(resource, `${field}.resource`, errors);
  } else if (service !== undefined) {
    checkService(service, field, mayBeginWithDigit, errors);
  } else {
    errors.push(invalid(field, '', 'resource or service backend is required'));
  }
}

function checkResource(
  reference: TypedLocalObjectReference,
  field: string,
  errors: FieldError[],
): void {
  const { apiGroup } = reference;
  if (apiGroup !== undefined) {
    addProblems(dnsSubdomain(apiGroup), `${field}.apiGroup`, apiGroup, errors);
  }
  checkKindAndName(reference, field, errors);
}

/** Adds the problems of the kind and the name in a reference; both are required. */
export function checkKindAndName(
  { kind = '', name = '' }: Pick<TypedLocalObjectReference, 'kind' | 'name'>,
  field: string,
  errors: FieldError[],
): void {
  for (const [member, value] of [
    ['kind', kind],
    ['name', name],
  ] as const) {
    if (value === '') {
      errors.push(requiredSaying(`${field}.${member}`, `${member} is required`));
    } else addProblems(pathSegment(value), `${field}.${member}`, value, errors);
  }
}

/** Errors about both forms of the port are on the whole backend. */
function checkService(
  { name = '', port = {} }: IngressServiceBackend,
  field: string,
  mayBeginWithDigit: boolean,
  errors: FieldError[],
): void {
  const serviceField = `${field}.service`;
  if (name === '') errors.push(required(`${serviceField}.name`));
  else {
    const problems = mayBeginWithDigit ? dnsLabel(name) : dns1035Label(name);
    addProblems(problems, `${serviceField}.name`, name, errors);
  }
  const { name: portName = '', number = 0 } = port;
  if (portName !== '' && number !== 0) {
    errors.push(invalid(field, '', 'cannot set both port name & port number'));
  } else if (portName !== '') {
    checkPortName(portName, `${serviceField}.port.name`, errors);
  } else if (number !== 0) {
    checkPortNumber(number, `${serviceField}.port.number`, errors);
  } else {
    errors.push(required(field, 'port name or number is required'));
  }
}

/**
 * Adds errors for invalid names of secrets. Updates of objects that have such a name already are
 * not checked.
 */
export function secretNameErrors({ tls = [] }: IngressSpec): FieldError[] {
  const errors: FieldError[] = [];
  tls.forEach(({ secretName = '' }, index) => {
    if (secretName === '') return;
    addProblems(dnsSubdomain(secretName), `spec.tls[${index}].secretName`, secretName, errors);
  });
  return errors;
}
