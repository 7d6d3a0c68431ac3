/**
 * Tokens of service accounts (README.md#service-account-tokens): JSON web tokens that this server
 * signs, or that are signed with a key that it is told to believe. Whether their account still
 * exists is for `authentication/service-accounts/` to look up.
 */
import { randomUUID, sign } from 'node:crypto';
import { join } from 'node:path';
import type { FeatureGate, FeatureGates } from '../release/feature-gates.ts';
import { accountUserName } from './authentication/users.ts';
import { ownDialect } from '../semantics/dialect/own-names.ts';
import {
  AccountTokenReader,
  defaultIssuer,
  legacyNames,
} from './authentication/service-accounts/account-tokens.ts';
import type {
  AccountClaims,
  AccountToken,
  BoundObject,
} from './authentication/service-accounts/account-tokens.ts';
import {
  newTokenKey,
  publicKeyJwk,
  signingKeyOf,
  verifyingKeysOf,
} from './authentication/service-accounts/token-keys.ts';
import type {
  PublicKeyJwk,
  SigningKey,
  TokenKey,
} from './authentication/service-accounts/token-keys.ts';
import { readOwn, writePrivate } from './own-files.ts';

/** Keys and bounds of tokens, as plain data that other threads can be given. */
export interface TokenSettings {
  /** PEM of the private key that signs. */
  readonly signingKey: string;
  /** PEM of more keys whose tokens are believed. */
  readonly verifyingKeys: readonly string[];
  /**
   * The issuers whose tokens are believed; the first issues them. Empty for the Service of this
   * API.
   */
  readonly issuers: readonly string[];
  /** The audiences of this API; empty for its issuers. */
  readonly apiAudiences: readonly string[];
  /** The longest time that a token is given, whatever is asked for; 0 for no bound. */
  readonly expirationSecondsMax: number;
  /** Tokens that pods are given as a matter of course count for a year. */
  readonly extendsPodTokens: boolean;
  /** Where others find the keys; '' for where this server serves them. */
  readonly keySetUrl: string;
  /** The features that are on. */
  readonly gates: readonly FeatureGate[];
}

export interface TokenOptions {
  readonly account: AccountClaims;
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly expirationSeconds: number;
  readonly id?: string | undefined;
}

/** Reads the key in the data folder, which the first start makes. Throws OwnFileError. */
export function ownTokenKey(dataDir: string): { readonly file: string; readonly pem: string } {
  const file = join(dataDir, 'service-account.key');
  const stored = readOwn(file);
  if (stored !== undefined) return { file, pem: stored };
  const pem = newTokenKey();
  writePrivate(file, pem);
  return { file, pem };
}

const PRESETS: Omit<TokenSettings, 'signingKey'> = {
  verifyingKeys: [],
  issuers: [],
  apiAudiences: [],
  expirationSecondsMax: 0,
  extendsPodTokens: true,
  keySetUrl: '',
  gates: [],
};

export class ServiceAccountTokens {
  /** The issuer of the tokens. */
  readonly issuer: string;
  /** Those of this server's own API. */
  readonly apiAudiences: readonly string[];
  readonly settings: TokenSettings;
  /** These features decide what tokens tell. */
  readonly gates: FeatureGates;
  readonly #signingKey: SigningKey;
  readonly #keys: readonly TokenKey[];
  readonly #reader: AccountTokenReader;

  /** Tokens are issued in the own dialect. Throws TokenKeyError. */
  constructor(settings: Pick<TokenSettings, 'signingKey'> & Partial<TokenSettings>) {
    this.settings = { ...PRESETS, ...settings };
    const { signingKey, verifyingKeys, issuers, apiAudiences, gates } = this.settings;
    this.gates = new Set(gates);
    this.issuer = issuers[0] ?? defaultIssuer(ownDialect());
    const accepted = issuers.length === 0 ? [this.issuer] : issuers;
    this.apiAudiences = apiAudiences.length === 0 ? accepted : apiAudiences;
    this.#signingKey = signingKeyOf(signingKey);
    this.#keys = distinct([this.#signingKey, ...verifyingKeys.flatMap(verifyingKeysOf)]);
    this.#reader = new AccountTokenReader(this.#keys, issuers);
  }

  /** The public keys that sign or have signed tokens, for others to check them. */
  publicKeys(): readonly PublicKeyJwk[] {
    return this.#keys.map(publicKeyJwk);
  }

  /** An id for a token; undefined where tokens have none. */
  newId(): string | undefined {
    return this.gates.has('ServiceAccountTokenJTI') ? randomUUID() : undefined;
  }

  /** A token for some time and some audiences. */
  issue({ account, audiences, nowMs, expirationSeconds, id = this.newId() }: TokenOptions): string {
    const now = Math.floor(nowMs / 1000);
    return this.#signed({
      aud: audiences,
      exp: now + expirationSeconds,
      iat: now,
      iss: this.issuer,
      ...(id !== undefined && { jti: id }),
      [ownDialect().tokenClaims]: account,
      nbf: now,
      sub: accountUserName(account.namespace, account.serviceaccount.name),
    });
  }

  /** A token that counts for as long as it stands in this Secret. */
  issueLegacy(namespace: string, account: BoundObject, secretName: string): string {
    const names = legacyNames(ownDialect());
    return this.#signed({
      iss: names.issuer,
      [names.namespace]: namespace,
      [names.secret]: secretName,
      [names.account]: account.name,
      [names.uid]: account.uid,
      sub: accountUserName(namespace, account.name),
    });
  }

  /**
   * Reads a token, whatever the time and whichever dialect it was issued in; undefined for one of
   * another issuer, or none. Throws AuthenticationError when it is not signed with a key that is
   * believed.
   */
  read(token: string): AccountToken | undefined {
    return this.#reader.read(token);
  }

  #signed(claims: object): string {
    const { algorithm, keyId, hash, privateKey } = this.#signingKey;
    const text = `${encode({ alg: algorithm, kid: keyId })}.${encode(claims)}`;
    // Signatures as tokens have them: on curves two numbers, one after the other.
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`;
  }
}

function distinct(keys: readonly TokenKey[]): readonly TokenKey[] {
  return [...new Map(keys.map((key) => [key.keyId, key])).values()];
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
