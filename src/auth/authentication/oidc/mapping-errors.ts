/** Finds errors in rules and mappings of claims, in the words of the reference. */
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  duplicate,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import type {
  ClaimRuleDocument,
  ExtraDocument,
  MappingsDocument,
  PrefixedDocument,
  UserRuleDocument,
} from './jwt-form.ts';

/** The subject of an expression, which decides what it has to give. */
export type ClaimPurpose = 'mapping' | 'claimRule' | 'userRule';

export interface CompiledClaim {
  /** Why it is refused; '' for one that can be evaluated. */
  readonly problem: string;
  /** Which claims it selects by name. */
  readonly uses: EmailUse;
}

export interface EmailUse {
  readonly email: boolean;
  readonly verified: boolean;
}

export type Compile = (expression: string, purpose: ClaimPurpose) => CompiledClaim;

/** The claims that expressions of one issuer use so far. */
type Uses = { -readonly [Name in keyof EmailUse]: EmailUse[Name] };

const BOTH = "claim and expression can't both be set";
const NEITHER = 'claim or expression is required';

export function claimRuleErrors(
  rules: readonly (ClaimRuleDocument | null)[],
  path: string,
  compile: Compile,
  uses: Uses,
): FieldError[] {
  const claims = new Set<string>();
  const expressions = new Set<string>();
  return rules.flatMap((rule, at) => {
    const { claim = '', requiredValue = '', expression = '', message = '' } = rule ?? {};
    const where = `${path}[${at}]`;
    if (claim !== '' && expression !== '') return invalid(where, claim, BOTH);
    if (claim === '' && expression === '') return required(where, NEITHER);
    const errors: FieldError[] = [];
    if (claim !== '') {
      if (message !== '') {
        errors.push(invalid(`${where}.message`, message, 'may not be specified when claim is set'));
      }
      if (claims.has(claim)) errors.push(duplicate(`${where}.claim`, claim));
      claims.add(claim);
      return errors;
    }
    if (requiredValue !== '') {
      const detail = 'may not be specified when expression is set';
      errors.push(invalid(`${where}.requiredValue`, requiredValue, detail));
    }
    if (expressions.has(expression)) {
      return [...errors, duplicate(`${where}.expression`, expression)];
    }
    expressions.add(expression);
    const compiled = compile(expression, 'claimRule');
    uses.verified ||= compiled.uses.verified;
    return [...errors, ...problemOf(compiled, `${where}.expression`, expression)];
  });
}

export function userRuleErrors(
  rules: readonly (UserRuleDocument | null)[],
  path: string,
  compile: Compile,
): FieldError[] {
  const seen = new Set<string>();
  return rules.flatMap((rule, at) => {
    const { expression = '' } = rule ?? {};
    const where = `${path}[${at}].expression`;
    if (expression === '') return required(where);
    if (seen.has(expression)) return duplicate(where, expression);
    seen.add(expression);
    return problemOf(compile(expression, 'userRule'), where, expression);
  });
}

export function mappingErrors(
  mappings: MappingsDocument,
  path: string,
  compile: Compile,
  uses: Uses,
): FieldError[] {
  const username = mappings.username ?? {};
  const compiled = username.expression ? compile(username.expression, 'mapping') : undefined;
  const errors = prefixedErrors(username, `${path}.username`, true, compile);
  if (errors.length === 0 && compiled !== undefined) {
    uses.email ||= compiled.uses.email;
    uses.verified ||= compiled.uses.verified;
  }
  errors.push(
    ...prefixedErrors(mappings.groups ?? {}, `${path}.groups`, false, compile),
    ...uidErrors(mappings.uid ?? {}, `${path}.uid`, compile),
    ...extraErrors(mappings.extra ?? [], `${path}.extra`, compile, uses),
  );
  if (uses.email && !uses.verified && ownRelease().has('severalTokenIssuers')) {
    errors.push(
      invalid(
        `${path}.username.expression`,
        username.expression ?? '',
        'claims.email_verified must be used in claimMappings.username.expression or ' +
          'claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when ' +
          'claims.email is used in claimMappings.username.expression',
      ),
    );
  }
  return errors;
}

function prefixedErrors(
  { claim = '', expression = '', prefix }: PrefixedDocument,
  path: string,
  isRequired: boolean,
  compile: Compile,
): FieldError[] {
  const hasPrefix = prefix !== undefined && prefix !== null;
  if (claim !== '' && expression !== '') return [invalid(path, '', BOTH)];
  if (expression !== '') {
    const detail = 'may not be specified when expression is set';
    return [
      ...(hasPrefix ? [invalid(`${path}.prefix`, prefix, detail)] : []),
      ...problemOf(compile(expression, 'mapping'), `${path}.expression`, expression),
    ];
  }
  if (claim === '') return isRequired ? [required(path, NEITHER)] : [];
  if (hasPrefix) return [];
  const why =
    'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
  return [required(`${path}.prefix`, why)];
}

function uidErrors(
  { claim = '', expression = '' }: { readonly claim?: string; readonly expression?: string },
  path: string,
  compile: Compile,
): FieldError[] {
  if (claim !== '' && expression !== '') return [invalid(path, '', BOTH)];
  if (expression === '') return [];
  return problemOf(compile(expression, 'mapping'), `${path}.expression`, expression);
}

function extraErrors(
  extra: readonly (ExtraDocument | null)[],
  path: string,
  compile: Compile,
  uses: Uses,
): FieldError[] {
  const seen = new Set<string>();
  return extra.flatMap((mapping, at) => {
    const { key = '', valueExpression = '' } = mapping ?? {};
    const where = `${path}[${at}]`;
    const errors = keyErrors(key, `${where}.key`);
    if (seen.has(key)) return [...errors, duplicate(`${where}.key`, key)];
    seen.add(key);
    if (valueExpression === '') return [...errors, required(`${where}.valueExpression`)];
    const compiled = compile(valueExpression, 'mapping');
    uses.verified ||= compiled.uses.verified;
    return [...errors, ...problemOf(compiled, `${where}.valueExpression`, valueExpression)];
  });
}

const RESERVED = /^(?:.*\.)?(?:kubernetes|k8s)\.io\//s;
const PATH_SIGNS = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const PATH = new RegExp(`^${PATH_SIGNS}$`);

function keyErrors(key: string, path: string): FieldError[] {
  const errors = pathErrors(key, path);
  if (key !== key.toLowerCase()) errors.push(invalid(path, key, 'must be lowercase'));
  if (RESERVED.test(key) && ownRelease().has('credentialIdsTold')) {
    const why = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
    errors.push(invalid(path, key, why));
  }
  return errors;
}

function pathErrors(key: string, path: string): FieldError[] {
  if (key === '') return [required(path)];
  const slash = key.indexOf('/');
  const host = key.slice(0, Math.max(slash, 0));
  const rest = key.slice(slash + 1);
  if (host === '' || rest === '') {
    return [invalid(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors: FieldError[] = [];
  addProblems(dnsSubdomain(host), path, host, errors);
  if (PATH.test(rest)) return errors;
  return [
    ...errors,
    invalid(path, rest, `Invalid path (regex used for validation is '${PATH_SIGNS}')`),
  ];
}

function problemOf({ problem }: CompiledClaim, path: string, expression: string): FieldError[] {
  return problem === '' ? [] : [invalid(path, expression, problem)];
}
