/**
 * Tokens of service accounts (README.md#service-account-tokens): JSON web tokens that this server
 * signs with a key of its own and can recognise. Whether their account still exists is for the
 * caller to look up.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { K8S, NEUTRAL, type Dialect } from '../semantics/dialect/dialect.ts';
import { swapNamespace } from '../semantics/dialect/names.ts';
import { ownDialect } from '../semantics/dialect/own-names.ts';
import { writePrivate } from './credentials.ts';

/** Clocks may differ by so much. */
export const TOKEN_LEEWAY_SECONDS = 60;

/** A key file that cannot be used; `message` says what to do. */
export class TokenKeyError extends Error {
  override readonly name = 'TokenKeyError';
}

export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

/** The private claims: whose token it is and what it dies with. */
export interface AccountClaims {
  readonly namespace: string;
  readonly serviceaccount: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  /** Seconds since 1970: when its user should have asked for another one. */
  readonly warnafter?: number;
}

interface PublicClaims {
  readonly aud: readonly string[];
  /** Seconds since 1970, as the two others. */
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly nbf: number;
  readonly sub: string;
}

/** What a token says; in it the account is a member with a name of the dialect. */
export interface TokenClaims extends PublicClaims {
  readonly account: AccountClaims;
}

export interface TokenOptions {
  readonly account: AccountClaims;
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly expirationSeconds: number;
}

export const TOKEN_ALGORITHM = 'ES256';
/** P-256, as the runtime calls it. */
const CURVE = 'prime256v1';
/** Signatures as tokens have them: two numbers, one after the other. */
const SIGNATURE_ENCODING = 'ieee-p1363';

/** `system:serviceaccount:<namespace>:<name>`. */
export function accountUserName({ namespace, serviceaccount }: AccountClaims): string {
  return `system:serviceaccount:${namespace}:${serviceaccount.name}`;
}

/** Where the API is in the cluster, and so who issues its tokens. */
function issuerIn(dialect: Dialect): string {
  return `https://${dialect.apiService}.default.svc`;
}

/** A public key as others check tokens with it. */
export interface PublicKeyJwk {
  readonly use: 'sig';
  readonly kty: string;
  readonly kid: string;
  readonly crv: string;
  readonly alg: string;
  readonly x: string;
  readonly y: string;
}

export class ServiceAccountTokens {
  /** Who issues the tokens. */
  readonly issuer: string;
  /** Those of this server's own API. */
  readonly apiAudiences: readonly string[];
  readonly #kid: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #header: string;

  /** `pem` is a private key on the curve P-256; tokens are issued in the own dialect. */
  constructor(pem: string) {
    this.issuer = issuerIn(ownDialect());
    this.apiAudiences = [this.issuer];
    this.#privateKey = createPrivateKey(pem);
    if (this.#privateKey.asymmetricKeyDetails?.namedCurve !== CURVE) {
      throw new Error('it is not on the curve P-256');
    }
    this.#publicKey = createPublicKey(this.#privateKey);
    const spki = this.#publicKey.export({ type: 'spki', format: 'der' });
    this.#kid = createHash('sha256').update(spki).digest('base64url');
    this.#header = encode({ alg: TOKEN_ALGORITHM, kid: this.#kid });
  }

  /** What others need to check the tokens: the one key that they are signed with. */
  publicKey(): PublicKeyJwk {
    const { kty = '', crv = '', x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.#kid, crv, alg: TOKEN_ALGORITHM, x, y };
  }

  /** With the key in the data folder, which the first start makes. Throws TokenKeyError. */
  static load(dataDir: string): ServiceAccountTokens {
    const file = join(dataDir, 'service-account.key');
    if (!existsSync(file)) writePrivate(file, newTokenKey());
    try {
      return new ServiceAccountTokens(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new TokenKeyError(
        `${file} is no private key that tokens can be signed with (${(error as Error).message}): ` +
          'restore it, or remove it to invalidate all tokens of service accounts',
      );
    }
  }

  issue({ account, audiences, nowMs, expirationSeconds }: TokenOptions): string {
    const now = Math.floor(nowMs / 1000);
    const claims = {
      aud: audiences,
      exp: now + expirationSeconds,
      iat: now,
      iss: this.issuer,
      [ownDialect().tokenClaims]: account,
      nbf: now,
      sub: accountUserName(account),
    };
    const signed = `${this.#header}.${encode(claims)}`;
    const key = { key: this.#privateKey, dsaEncoding: SIGNATURE_ENCODING } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  /**
   * What a token says, whatever the time and whichever dialect it was issued in; undefined for one
   * that this server has not signed.
   */
  read(token: string): TokenClaims | undefined {
    const [header = '', payload = '', signature = '', ...more] = token.split('.');
    // The header is the same in all of them: no other algorithm is ever tried.
    if (header !== this.#header || more.length > 0) return undefined;
    const signed = Buffer.from(`${header}.${payload}`);
    const bytes = Buffer.from(signature, 'base64url');
    // Decoding forgives much; each token is to have one spelling.
    if (bytes.toString('base64url') !== signature) return undefined;
    const key = { key: this.#publicKey, dsaEncoding: SIGNATURE_ENCODING } as const;
    if (!verify('sha256', signed, key, bytes)) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as SignedClaims;
    return ownClaims(claims, this.issuer);
  }
}

/** As a token has them: the private ones under the name that a dialect has for them. */
type SignedClaims = PublicClaims & Readonly<Record<string, unknown>>;

/**
 * With the names that this server has in its own dialect: a token may be older than the choice of
 * it.
 */
function ownClaims(signed: SignedClaims, issuer: string): TokenClaims | undefined {
  const dialect = [NEUTRAL, K8S].find(({ tokenClaims }) => Object.hasOwn(signed, tokenClaims));
  if (dialect === undefined) return undefined;
  // Tokens may be older than the issuer that their dialect has now.
  const issuers = [NEUTRAL, K8S].map(issuerIn);
  if (!issuers.includes(signed.iss)) return undefined;
  const claimed = signed[dialect.tokenClaims] as AccountClaims;
  const account =
    dialect === ownDialect()
      ? claimed
      : { ...claimed, namespace: swapNamespace(claimed.namespace) };
  const { exp, iat, nbf } = signed;
  const aud = signed.aud.map((audience) => (audience === signed.iss ? issuer : audience));
  return { aud, exp, iat, iss: issuer, account, nbf, sub: accountUserName(account) };
}

/** What is wrong with the time or the audiences of a token; '' when nothing is. */
export function tokenProblem(
  { exp, nbf, iat, aud }: TokenClaims,
  audiences: readonly string[],
  nowMs: number,
): string {
  const now = Math.floor(nowMs / 1000);
  if (now - TOKEN_LEEWAY_SECONDS > exp) return 'Token has expired.';
  const tooEarly = Math.max(nbf, iat) > now + TOKEN_LEEWAY_SECONDS;
  if (tooEarly) return 'Token could not be validated.';
  if (aud.some((audience) => audiences.includes(audience))) return '';
  const sent = printAudiences(aud);
  return `token audiences ${sent} is invalid for the target audiences ${printAudiences(audiences)}`;
}

/** As the reference prints lists of strings in texts: `["a" "b"]`. */
function printAudiences(audiences: readonly string[]): string {
  return `[${audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`;
}

export function newTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
