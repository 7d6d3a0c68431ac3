/**
 * The contents of tokens of service accounts (../../README.md#service-account-tokens), in both
 * forms: those for some time and some audiences, and legacy ones that stand in Secrets.
 */
import { K8S, NEUTRAL, type Dialect } from '../../../semantics/dialect/dialect.ts';
import { swapNamespace } from '../../../semantics/dialect/names.ts';
import { ownDialect } from '../../../semantics/dialect/own-names.ts';
import { AuthenticationError } from '../../authenticator.ts';
import { isSignedWith, readJsonWebToken, repeatedMember } from '../json-web-token.ts';
import type { JsonMembers, JsonWebToken } from '../json-web-token.ts';
import type { TokenKey } from './token-keys.ts';

export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

/** The private claims: whose token it is and what it dies with. */
export interface AccountClaims {
  readonly namespace: string;
  readonly serviceaccount: BoundObject;
  /** The node that it is bound to, or that of the pod; without a uid where there is none yet. */
  readonly node?: Pick<BoundObject, 'name'> & Partial<BoundObject>;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  /** Seconds since 1970: when its user should have asked for another one. */
  readonly warnafter?: number;
}

/** The contents of a token, in the names of the own dialect. */
export interface AccountToken {
  readonly namespace: string;
  readonly account: BoundObject;
  /** Undefined where it names none: it is for this API. */
  readonly audiences?: readonly string[];
  /** The Secret that a legacy token must stand in. */
  readonly legacySecret?: string;
  /** Names the token. */
  readonly id?: string;
  /** The object that a token of another form is bound to, and its times; with a pod its node. */
  readonly node?: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  /** When whoever shows it should have another one. */
  readonly warnAfterSeconds?: number;
  readonly notBeforeSeconds: number;
  readonly expirySeconds: number;
}

const DIALECTS = [NEUTRAL, K8S];
/** Claims, members of the private one, and of what it names. */
const CLAIM_LEVELS = 3;

/** Where the API is in the cluster, and so who issues its tokens unless options say otherwise. */
export function defaultIssuer(dialect: Dialect): string {
  return `https://${dialect.apiService}.default.svc`;
}

/** The names that legacy tokens have for things in a dialect. */
export function legacyNames(dialect: Dialect) {
  const prefix = `${dialect.tokenClaims}/serviceaccount`;
  return {
    issuer: dialect === NEUTRAL ? 'cluster/serviceaccount' : 'kubernetes/serviceaccount',
    namespace: `${prefix}/namespace`,
    secret: `${prefix}/secret.name`,
    account: `${prefix}/service-account.name`,
    uid: `${prefix}/service-account.uid`,
  };
}

export class AccountTokenReader {
  readonly #keys: readonly TokenKey[];
  readonly #issuers: readonly string[];
  readonly #hasOwnIssuers: boolean;

  /** Without issuers those of both dialects are meant: a token may be older than the choice. */
  constructor(keys: readonly TokenKey[], issuers: readonly string[]) {
    this.#keys = keys;
    this.#hasOwnIssuers = issuers.length > 0;
    this.#issuers = this.#hasOwnIssuers ? issuers : DIALECTS.map(defaultIssuer);
  }

  /** Undefined for a token of another issuer, or none; throws AuthenticationError for a bad one. */
  read(text: string): AccountToken | undefined {
    const token = readJsonWebToken(text);
    if (token === undefined) return undefined;
    const { iss } = token.claims;
    const legacyDialect = DIALECTS.find((dialect) => legacyNames(dialect).issuer === iss);
    const isBound = typeof iss === 'string' && this.#issuers.includes(iss);
    if (legacyDialect === undefined && !isBound) return undefined;
    if (!this.#isSigned(token)) {
      throw new AuthenticationError('square/go-jose: error in cryptographic primitive');
    }
    const repeated = repeatedMember(token.payload, CLAIM_LEVELS);
    if (repeated !== undefined) {
      throw new AuthenticationError(`json: duplicate key '${repeated}' in object`);
    }
    return legacyDialect === undefined
      ? this.#boundToken(token.claims)
      : legacyToken(token.claims, legacyDialect);
  }

  /** The key that the token names is tried first; others may have named it otherwise. */
  #isSigned(token: JsonWebToken): boolean {
    const named = this.#keys.find(({ keyId }) => keyId === token.keyId);
    if (named !== undefined && isSignedWith(token, named.publicKey)) return true;
    return this.#keys.some((key) => key !== named && isSignedWith(token, key.publicKey));
  }

  #boundToken(claims: JsonMembers): AccountToken {
    const dialect = DIALECTS.find(({ tokenClaims }) => Object.hasOwn(claims, tokenClaims));
    const account = membersOf(dialect === undefined ? undefined : claims[dialect.tokenClaims]);
    const audiences = audiencesOf(claims['aud']);
    const id = textOf(claims['jti']);
    const node = boundObject(account['node']);
    const pod = boundObject(account['pod']);
    const secret = boundObject(account['secret']);
    const warnAfterSeconds = secondsOf(account['warnafter']);
    return {
      namespace: ownNamespaceOf(textOf(account['namespace']), dialect),
      account: boundObject(account['serviceaccount']) ?? { name: '', uid: '' },
      ...(audiences && { audiences: audiences.map((audience) => this.#ownAudience(audience)) }),
      ...(id !== '' && { id }),
      ...(secret && { secret }),
      ...(pod && { pod }),
      ...(node && { node }),
      ...(warnAfterSeconds > 0 && { warnAfterSeconds }),
      notBeforeSeconds: secondsOf(claims['nbf']),
      expirySeconds: secondsOf(claims['exp']),
    };
  }

  /** A token of the other dialect is for this API, which then had another name. */
  #ownAudience(audience: string): string {
    const isRenamed = !this.#hasOwnIssuers && this.#issuers.includes(audience);
    return isRenamed ? defaultIssuer(ownDialect()) : audience;
  }
}

/** Throws AuthenticationError where a claim is missing. */
function legacyToken(claims: JsonMembers, dialect: Dialect): AccountToken {
  const names = legacyNames(dialect);
  const claim = (member: string, what: string): string => {
    const value = textOf(claims[member]);
    if (value === '') throw new AuthenticationError(`${what} claim is missing`);
    return value;
  };
  const subject = claim('sub', 'sub');
  const namespace = claim(names.namespace, 'namespace');
  const legacySecret = claim(names.secret, 'secretName');
  const name = claim(names.account, 'serviceAccountName');
  const uid = claim(names.uid, 'serviceAccountUID');
  if (subject !== `system:serviceaccount:${namespace}:${name}`) {
    throw new AuthenticationError('sub claim is invalid');
  }
  const audiences = audiencesOf(claims['aud']);
  return {
    namespace: ownNamespaceOf(namespace, dialect),
    account: { name, uid },
    ...(audiences && { audiences }),
    legacySecret,
    notBeforeSeconds: 0,
    expirySeconds: Number.POSITIVE_INFINITY,
  };
}

function ownNamespaceOf(namespace: string, dialect: Dialect | undefined): string {
  return dialect === undefined || dialect === ownDialect() ? namespace : swapNamespace(namespace);
}

/** A claim of another type than it should have. */
function malformed(): AuthenticationError {
  return new AuthenticationError('service account token claims could not be validated');
}

function membersOf(value: unknown): JsonMembers {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed();
  return value as JsonMembers;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw malformed();
  return value;
}

function secondsOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number') return Math.trunc(value);
  throw new AuthenticationError(
    'square/go-jose/jwt: expected number value to unmarshal NumericDate',
  );
}

function audiencesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const audiences: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (audiences.length === 0) return undefined;
  return audiences.map((audience) => {
    if (typeof audience === 'string') return audience;
    throw new AuthenticationError(
      'square/go-jose/jwt: expected string or array value to unmarshal to Audience',
    );
  });
}

function boundObject(value: unknown): BoundObject | undefined {
  if (value === undefined || value === null) return undefined;
  const { name, uid } = membersOf(value);
  return { name: textOf(name), uid: textOf(uid) };
}
