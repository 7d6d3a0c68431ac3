/** Tokens of an OpenID Connect issuer (../../README.md#openid-connect), and what they say. */
import { RecentMap } from '../../../base/recent-map.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { User } from '../../../semantics/user.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated } from '../../authenticator.ts';
import { ownRelease } from '../../../release/release.ts';
import { CREDENTIAL_ID } from '../credential-id.ts';
import { readJsonWebToken } from '../json-web-token.ts';
import type { JsonMembers, JsonWebToken } from '../json-web-token.ts';
import { OidcProvider } from './oidc-provider.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import { forThisApi, knownUser } from '../users.ts';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** PEM of those who sign the issuer's certificate; '' for those that the runtime trusts. */
  readonly authorities: string;
  readonly userClaim: string;
  readonly userPrefix: string;
  /** '' for none. */
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: Readonly<Record<string, string>>;
  readonly algorithms: readonly string[];
}

export interface OidcOptions {
  readonly settings: OidcSettings;
  readonly apiAudiences: readonly string[];
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** A token that was verified, until it is to be verified again. */
interface Known {
  readonly user: User;
  readonly untilMs: number;
}

/** For so long keys that were withdrawn may go on to count. */
const TELLS_ID = ownRelease().has('credentialIdsTold');
const KNOWN_MS_MAX = 10_000;
const KNOWN_TOKENS = 1_024;
/** Clocks may differ by so much, where a token is not to count yet. */
const LEEWAY_SECONDS = 60;
/** The one issuer whose tokens name it without the scheme. */
const SCHEMELESS = 'accounts.google.com';

export class OidcTokens implements TokenWay {
  readonly #options: OidcOptions;
  readonly #provider: OidcProvider;
  readonly #known = new RecentMap<string, Known>(KNOWN_TOKENS);

  constructor(options: OidcOptions) {
    this.#options = options;
    const { issuer, authorities } = options.settings;
    this.#provider = new OidcProvider({ issuer, authorities, logError: options.logError });
  }

  authenticate(
    { text, digest }: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    const { settings, apiAudiences, nowMs } = this.#options;
    const known = this.#known.get(digest);
    if (known !== undefined && nowMs() < known.untilMs) {
      return forThisApi(known.user, apiAudiences, audiences);
    }
    const token = readJsonWebToken(text);
    if (token === undefined || !isOfIssuer(token.claims['iss'], settings.issuer)) return undefined;
    checkClaims(token, settings, nowMs());
    return this.#provider.verify(text).then(() => {
      const user = userOf(token.claims, settings);
      const untilMs = Math.min(nowMs() + KNOWN_MS_MAX, secondsOf(token.claims, 'exp') * 1000);
      this.#known.set(digest, { user, untilMs });
      return forThisApi(user, apiAudiences, audiences);
    });
  }
}

function isOfIssuer(named: unknown, issuer: string): boolean {
  return named === issuer || (named === SCHEMELESS && issuer === `https://${SCHEMELESS}`);
}

function problem(what: string): AuthenticationError {
  return new AuthenticationError(`oidc: ${what}`);
}

/** Checks the claims, which costs nothing, before the issuer is asked for keys. */
function checkClaims(
  { claims, algorithm }: JsonWebToken,
  { clientId, algorithms }: OidcSettings,
  nowMs: number,
): void {
  const { aud } = claims;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) {
    const sent = printList(audiences.filter((one) => typeof one === 'string'));
    throw problem(`verify token: oidc: expected audience ${quoteText(clientId)} got ${sent}`);
  }
  const expiryMs = secondsOf(claims, 'exp') * 1000;
  if (expiryMs < nowMs) {
    throw problem(`verify token: oidc: token is expired (Token Expiry: ${printTime(expiryMs)})`);
  }
  const notBeforeMs = secondsOf(claims, 'nbf') * 1000;
  if (nowMs + LEEWAY_SECONDS * 1000 < notBeforeMs) {
    const times = [nowMs, notBeforeMs].map(printTime).join(' before the nbf (not before) time: ');
    throw problem(`verify token: oidc: current time ${times}`);
  }
  if (!algorithms.includes(algorithm)) {
    const expected = `expected ${printList(algorithms)} got ${quoteText(algorithm)}`;
    throw problem(`verify token: oidc: id token signed with unsupported algorithm, ${expected}`);
  }
}

function userOf(claims: JsonMembers, settings: OidcSettings): User {
  const { userClaim, userPrefix, groupsClaim, groupsPrefix, requiredClaims } = settings;
  const name = textOf(claims, userClaim, `parse username claims ${quoteText(userClaim)}`);
  if (userClaim === 'email' && Object.hasOwn(claims, 'email_verified')) {
    if (claims['email_verified'] !== true) throw problem('email not verified');
  }
  const groups = groupsClaim === '' ? [] : groupsOf(claims, groupsClaim);
  for (const [claim, value] of Object.entries(requiredClaims)) {
    if (!Object.hasOwn(claims, claim)) {
      throw problem(`required claim ${claim} not present in ID token`);
    }
    const found = textOf(claims, claim, `parse claim ${claim}`);
    if (found === value) continue;
    throw problem(`required claim ${claim} value does not match. Got = ${found}, want = ${value}`);
  }
  const { jti } = claims;
  const tellsId = TELLS_ID && typeof jti === 'string' && jti !== '';
  return knownUser({
    name: `${userPrefix}${name}`,
    uid: '',
    groups: groups.map((group) => `${groupsPrefix}${group}`),
    ...(tellsId && { extra: { [CREDENTIAL_ID]: [`JTI=${jti}`] } }),
  });
}

function groupsOf(claims: JsonMembers, claim: string): readonly string[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : [];
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  return groups.map((group) => {
    if (typeof group === 'string') return group;
    throw problem(`parse groups claim ${quoteText(claim)}: it is no text, nor a list of texts`);
  });
}

function textOf(claims: JsonMembers, claim: string, what: string): string {
  if (!Object.hasOwn(claims, claim)) throw problem(`${what}: claim not present`);
  const value = claims[claim];
  if (typeof value === 'string') return value;
  throw problem(`${what}: it is no text`);
}

/** 0 where there is none, or none that is a number. */
function secondsOf(claims: JsonMembers, claim: string): number {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : 0;
  return typeof value === 'number' ? Math.trunc(value) : 0;
}

function printList(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(' ')}]`;
}

function printTime(ms: number): string {
  if (Math.abs(ms) > 8.64e15) return String(ms);
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' +0000 UTC');
}
