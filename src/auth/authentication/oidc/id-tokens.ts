/** Verifies tokens of one issuer, in the words of the library that the reference does it with. */
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { JsonMembers, JsonWebToken } from '../json-web-token.ts';
import { goWord } from './go-claims.ts';
import { OidcProvider, type ProviderOptions } from './oidc-provider.ts';

export interface IdTokenOptions extends ProviderOptions {
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly nowMs: () => number;
}

/** Clocks may differ by so much, where a token is not to count yet. */
const LEEWAY_SECONDS = 60;
/** As the reference prints a time that is not told. */
const NO_TIME = '0001-01-01 00:00:00 +0000 UTC';

export class IdTokens {
  readonly provider: OidcProvider;
  readonly #options: IdTokenOptions;

  constructor(options: IdTokenOptions) {
    this.#options = options;
    this.provider = new OidcProvider(options);
  }

  /** Rejects with AuthenticationError, or NotReady; what costs nothing is looked at first. */
  async verify(text: string, token: JsonWebToken): Promise<void> {
    const { audiences } = this.#options;
    this.#checkClaims(token);
    await this.provider.verify(text);
    const sent = audiencesOf(token.claims);
    if (sent.some((audience) => audiences.includes(audience))) return;
    const wanted = printList(audiences.toSorted());
    throw new AuthenticationError(`oidc: expected audience in ${wanted} got ${printList(sent)}`);
  }

  #checkClaims({ claims, algorithm }: JsonWebToken): void {
    const { audiences, algorithms, nowMs } = this.#options;
    checkTypes(claims);
    const sent = audiencesOf(claims);
    const [only = ''] = audiences;
    if (audiences.length === 1 && !sent.includes(only)) {
      throw problem(`expected audience ${quoteText(only)} got ${printList(sent)}`);
    }
    const expiryMs = expiryOf(claims);
    if (expiryMs < nowMs()) {
      const isTold = Object.hasOwn(claims, 'exp') && claims['exp'] !== null;
      const expiry = isTold ? printTime(expiryMs) : NO_TIME;
      throw problem(`token is expired (Token Expiry: ${expiry})`);
    }
    const notBeforeMs = secondsOf(claims, 'nbf') * 1000;
    if (nowMs() + LEEWAY_SECONDS * 1000 < notBeforeMs) {
      const times = [nowMs(), notBeforeMs].map(printTime);
      throw problem(`current time ${times.join(' before the nbf (not before) time: ')}`);
    }
    if (!algorithms.includes(algorithm)) {
      const expected = `expected ${printList(algorithms)} got ${quoteText(algorithm)}`;
      throw problem(`id token signed with unsupported algorithm, ${expected}`);
    }
  }
}

/** When it ends, in milliseconds since 1970. */
export function expiryOf(claims: JsonMembers): number {
  return secondsOf(claims, 'exp') * 1000;
}

function problem(what: string): AuthenticationError {
  return new AuthenticationError(`oidc: ${what}`);
}

/** Throws AuthenticationError for claims that are not of the types that they have. */
function checkTypes(claims: JsonMembers): void {
  checkText(claims['iss'], 'iss');
  checkText(claims['sub'], 'sub');
  const { aud } = claims;
  if (Array.isArray(aud)) aud.forEach((one: unknown) => checkText(one, 'aud'));
  else if (aud !== null && typeof aud === 'object') refuse(aud, 'aud', '[]string');
  else if (typeof aud !== 'string') checkNone(aud, 'aud', '[]string');
  for (const claim of ['exp', 'iat', 'nbf']) checkTime(claims[claim], claim);
  checkSources(claims);
}

function checkSources({ _claim_names: names, _claim_sources: sources }: JsonMembers): void {
  const all = membersIn(names, '_claim_names', 'map[string]string');
  const known = membersIn(sources, '_claim_sources', 'map[string]oidc.claimSource');
  for (const name of Object.values(all)) checkText(name, '_claim_names');
  for (const source of Object.values(known)) {
    const { endpoint, access_token: accessToken } = membersIn(
      source,
      '_claim_sources',
      'oidc.claimSource',
    );
    checkText(endpoint, '_claim_sources.endpoint');
    checkText(accessToken, '_claim_sources.access_token');
  }
  for (const name of Object.values(all)) {
    if (!name) throw problem('failed to obtain source from claim name');
    if (!Object.hasOwn(known, name as string)) throw problem('source does not exist');
  }
}

function membersIn(value: unknown, claim: string, type: string): JsonMembers {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonMembers;
  }
  checkNone(value, claim, type);
  return {};
}

function checkText(value: unknown, claim: string): void {
  if (typeof value !== 'string') checkNone(value, claim, 'string');
}

/** A number, or one in quotes. */
function checkTime(value: unknown, claim: string): void {
  if (typeof value === 'number') return;
  if (typeof value !== 'string') return checkNone(value, claim, 'json.Number');
  if (NUMBER.test(value)) return;
  const shown = quoteText(JSON.stringify(value));
  throw problem(
    `failed to unmarshal claims: json: invalid number literal, trying to unmarshal ${shown} ` +
      'into Number',
  );
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function checkNone(value: unknown, claim: string, type: string): void {
  if (value !== null && value !== undefined) refuse(value, claim, type);
}

function refuse(value: unknown, claim: string, type: string): never {
  const into = `Go struct field idToken.${claim} of type ${type}`;
  throw problem(`failed to unmarshal claims: json: cannot unmarshal ${goWord(value)} into ${into}`);
}

function audiencesOf({ aud = [] }: JsonMembers): readonly string[] {
  const all: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return all.filter((one) => typeof one === 'string');
}

/** 0 where there is none. */
function secondsOf(claims: JsonMembers, claim: string): number {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : 0;
  return typeof value === 'number' || typeof value === 'string' ? Math.trunc(Number(value)) : 0;
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
