/** Finds errors in a file of `--authentication-config`, in the words of the reference. */
import { X509Certificate } from 'node:crypto';
import { appendAll } from '../../../base/append-all.ts';
import { trimEndOf } from '../../../base/text/trim-end.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  duplicate,
  fieldForbidden,
  invalid,
  required,
  tooMany,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import type { AnonymousDocument, AuthenticationDocument, IssuerDocument } from './jwt-form.ts';
import type { JwtDocument } from './jwt-form.ts';
import { mappingErrors, claimRuleErrors, userRuleErrors, type Compile } from './mapping-errors.ts';

const EGRESS_GATE = 'StructuredAuthenticationConfigurationEgressSelector';
const ANONYMOUS_GATE = 'AnonymousAuthConfigurableEndpoints';
const MATCH_ANY = 'MatchAny';

/** Errors depend on them. */
export interface JwtRules {
  readonly gates: FeatureGates;
  /** Issuers of tokens of service accounts, which no other issuer can be. */
  readonly ownIssuers: readonly string[];
  readonly compile: Compile;
}

export function authenticationErrors(
  { jwt, anonymous }: AuthenticationDocument,
  rules: JwtRules,
): FieldError[] {
  const all = jwt ?? [];
  const hasSeveral = ownRelease().has('severalTokenIssuers');
  const countMax = hasSeveral ? 64 : 1;
  if (!hasSeveral && all.length === 0) return [required('jwt', 'at least one jwt is required')];
  if (all.length > countMax) return [tooMany('jwt', all.length, countMax)];
  const errors: FieldError[] = [];
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  all.forEach((one, at) => {
    const path = `jwt[${at}]`;
    const { url = '', discoveryURL = '' } = one?.issuer ?? {};
    appendAll(errors, jwtErrors(one ?? {}, `${path}.`, rules));
    if (urls.has(url)) errors.push(duplicate(`${path}.issuer.url`, url));
    urls.add(url);
    if (discoveryURL === '') return;
    if (discoveryUrls.has(discoveryURL)) {
      errors.push(duplicate(`${path}.issuer.discoveryURL`, discoveryURL));
    }
    discoveryUrls.add(discoveryURL);
  });
  if (anonymous) appendAll(errors, anonymousErrors(anonymous, rules.gates));
  return errors;
}

/** `prefix` is the path of the issuer's entry, with a dot, or ''. */
export function jwtErrors(jwt: JwtDocument, prefix: string, rules: JwtRules): FieldError[] {
  const { compile } = rules;
  const uses = { email: false, verified: false };
  return [
    ...issuerErrors(jwt.issuer ?? {}, `${prefix}issuer`, rules),
    ...claimRuleErrors(
      jwt.claimValidationRules ?? [],
      `${prefix}claimValidationRules`,
      compile,
      uses,
    ),
    ...mappingErrors(jwt.claimMappings ?? {}, `${prefix}claimMappings`, compile, uses),
    ...userRuleErrors(jwt.userValidationRules ?? [], `${prefix}userValidationRules`, compile),
  ];
}

function anonymousErrors(
  { enabled = false, conditions }: AnonymousDocument,
  gates: FeatureGates,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!gates.has(ANONYMOUS_GATE)) {
    const gate = 'AnonymousAuthConfigurableEnpoints feature gate is disabled';
    errors.push(fieldForbidden('anonymous', `anonymous is not supported when ${gate}`));
  }
  if (!enabled && conditions?.length) {
    const shown = conditions.map((one) => ({ Path: one?.path ?? '' }));
    const detail = 'enabled should be set to true when conditions are defined';
    errors.push(invalid('anonymous.conditions', shown, detail));
  }
  return errors;
}

function issuerErrors(issuer: IssuerDocument, path: string, rules: JwtRules): FieldError[] {
  const { url = '', discoveryURL = '', egressSelectorType = '' } = issuer;
  const detail = ownRelease().has('shortUrlRequired') ? '' : 'URL is required';
  const where = `${path}.discoveryURL`;
  return [
    ...(url === ''
      ? [required(`${path}.url`, detail)]
      : urlErrors(url, `${path}.url`, rules.ownIssuers)),
    ...(url !== '' && discoveryURL !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL)
      ? [invalid(where, discoveryURL, 'discoveryURL must be different from URL')]
      : []),
    ...(discoveryURL === '' ? [] : urlErrors(discoveryURL, where, [])),
    ...audienceErrors(issuer, path),
    ...authorityErrors(issuer.certificateAuthority ?? '', `${path}.certificateAuthority`),
    ...egressErrors(egressSelectorType, `${path}.egressSelectorType`, rules.gates),
  ];
}

function withoutSlashes(url: string): string {
  return trimEndOf(url, '/');
}

function urlErrors(text: string, path: string, refused: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const add = (detail: string): number => errors.push(invalid(path, text, detail));
  if (refused.includes(text)) {
    const all = refused.toSorted().join(' ');
    add(`URL must not overlap with disallowed issuers: [${all}]`);
  }
  const problem = urlProblem(text);
  if (problem !== '')
    return [...errors, invalid(path, text, `parse ${quoteText(text)}: ${problem}`)];
  const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(\?[^#]*)?(#.*)?$/is.exec(text);
  const [, scheme = '', host = '', query = '', fragment = ''] = parts ?? [];
  if (scheme.toLowerCase() !== 'https') add('URL scheme must be https');
  if (host.includes('@')) add('URL must not contain a username or password');
  if (query.length > 1) add('URL must not contain a query');
  if (fragment.length > 1) add('URL must not contain a fragment');
  return errors;
}

/** Tells why a reader of URLs refuses a text; '' if it does not. */
function urlProblem(text: string): string {
  const wrong = /%(?![0-9a-f]{2}).{0,2}/is.exec(text.replace(/[?#].*$/s, ''));
  if (wrong !== null) return `invalid URL escape ${quoteText(wrong[0])}`;
  if (/^[a-z0-9+.-]*:\/\/\[[^\]/]*(?:\/|$)/i.test(text)) return "missing ']' in host";
  return /\p{Cc}/u.test(text) ? 'net/url: invalid control character in URL' : '';
}

function audienceErrors(issuer: IssuerDocument, path: string): FieldError[] {
  const { audiences, audienceMatchPolicy: policy = '' } = issuer;
  const where = `${path}.audiences`;
  if (!audiences?.length) return [required(where, `at least one ${where} is required`)];
  if (!ownRelease().has('severalTokenIssuers') && audiences.length > 1) {
    return [tooMany(where, audiences.length, 1)];
  }
  const errors = audiences.flatMap((audience, at) => {
    const isRepeated = audiences.indexOf(audience) < at;
    return [
      ...(audience === '' ? [required(`${where}[${at}]`)] : []),
      ...(isRepeated ? [duplicate(`${where}[${at}]`, audience)] : []),
    ];
  });
  const add = (detail: string): number =>
    errors.push(invalid(`${path}.audienceMatchPolicy`, policy, `audienceMatchPolicy ${detail}`));
  if (policy === MATCH_ANY) return errors;
  if (audiences.length > 1) add('must be MatchAny for multiple audiences');
  else if (policy !== '') add('must be empty or MatchAny for single audience');
  return errors;
}

function authorityErrors(pem: string, path: string): FieldError[] {
  if (pem === '') return [];
  const omitted = (why: string): FieldError[] => [invalid(path, '<omitted>', why)];
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (blocks === null) return omitted('data does not contain any valid RSA or ECDSA certificates');
  try {
    for (const block of blocks) new X509Certificate(block);
    return [];
  } catch {
    return omitted('x509: malformed certificate');
  }
}

function egressErrors(type: string, path: string, gates: FeatureGates): FieldError[] {
  if (type === '') return [];
  const errors: FieldError[] = [];
  if (!gates.has(EGRESS_GATE)) {
    const why = `egress selector is not supported when ${EGRESS_GATE} feature gate is disabled`;
    errors.push(invalid(path, type, why));
  }
  if (type !== 'controlplane' && type !== 'cluster') {
    errors.push(invalid(path, type, 'egress selector must be either controlplane or cluster'));
  }
  return errors;
}
