/**
 * Whose a token of a service account is (../../README.md#service-account-tokens). That it is signed
 * is found out once; whether its account, and what it is bound to, are still there each time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { RecentMap } from '../../../base/recent-map.ts';
import { whenKnown } from '../../../base/turns/when-known.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { notFound } from '../../../semantics/errors/status.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated } from '../../authenticator.ts';
import type { User } from '../../../semantics/user.ts';
import type { ServiceAccountTokens } from '../../service-account-tokens.ts';
import type { AccountFacts, ObjectFacts, SecretFacts } from '../account-facts.ts';
import type { AccountToken, BoundObject } from './account-tokens.ts';
import { LEGACY_TOKENS, STALE_TOKENS, VALID_TOKENS } from '../authentication-counters.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import { accountGroups, accountUserName, commonAudiences, knownUser } from '../users.ts';

/** Clocks may differ by so much. */
const LEEWAY_SECONDS = 60;
/** Tokens whose signatures need not be verified again; a token and its user take about 1 KB. */
const VERIFIED_TOKENS = 4_096;

const ACCOUNTS = { group: '', resource: 'serviceaccounts' };
const POD_NAME = ownName('authentication.cluster.io/pod-name');
const POD_UID = ownName('authentication.cluster.io/pod-uid');

export interface ServiceAccountOptions {
  readonly tokens: ServiceAccountTokens;
  readonly facts: AccountFacts;
  /** Without it legacy tokens count for ever. */
  readonly looksUpLegacy: boolean;
  readonly nowMs: () => number;
}

/** A token that is signed, and who shows it. */
interface Verified {
  readonly token: AccountToken;
  readonly user: User;
}

export class ServiceAccounts implements TokenWay {
  readonly #options: ServiceAccountOptions;
  readonly #verified = new RecentMap<string, Verified>(VERIFIED_TOKENS);

  constructor(options: ServiceAccountOptions) {
    this.#options = options;
  }

  authenticate(
    { text, digest }: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated> {
    const { tokens, nowMs } = this.#options;
    let verified = this.#verified.get(digest);
    if (verified === undefined) {
      const token = tokens.read(text);
      if (token === undefined) return undefined;
      verified = { token, user: userOf(token) };
      this.#verified.set(digest, verified);
    }
    const { token, user } = verified;
    const common = commonAudiences(token.audiences ?? tokens.apiAudiences, audiences);
    if (common.length === 0) throw wrongAudiences(token, tokens.apiAudiences, audiences);
    const now = nowMs();
    checkTime(token, now);
    const holds =
      token.legacySecret === undefined
        ? this.#checkBound(token, now)
        : this.#checkLegacy(token, token.legacySecret, text);
    return whenKnown(holds, () => {
      count(token, now);
      return { user, audiences: common };
    });
  }

  #checkBound(token: AccountToken, nowMs: number): void | Promise<void> {
    const { facts } = this.#options;
    const { namespace, account, secret, pod } = token;
    const isGone = ({ deletedMs = nowMs }: ObjectFacts): boolean =>
      deletedMs < nowMs - LEEWAY_SECONDS * 1000;
    return whenKnown(facts.account(namespace, account.name), (found) => {
      if (found === undefined) throw unknownAccount(account);
      const who = `${namespace}/${account.name}`;
      if (isGone(found)) throw problem(`service account ${who} has been deleted`);
      if (found.uid !== account.uid) {
        throw problem(`service account UID (${found.uid}) does not match claim (${account.uid})`);
      }
      const check = (what: string, bound: BoundObject) => (object: ObjectFacts | undefined) => {
        if (object === undefined || isGone(object)) {
          throw problem('service account token has been invalidated');
        }
        if (object.uid === bound.uid) return;
        const claim = `service account ${what} ref claim (${bound.uid})`;
        throw problem(`${what} UID (${object.uid}) does not match ${claim}`);
      };
      if (secret !== undefined) {
        return whenKnown(facts.secret(namespace, secret.name), check('secret', secret));
      }
      if (pod !== undefined) return whenKnown(facts.pod(namespace, pod.name), check('pod', pod));
    });
  }

  #checkLegacy(token: AccountToken, secretName: string, text: string): void | Promise<void> {
    const { facts, looksUpLegacy } = this.#options;
    const { namespace, account } = token;
    if (!looksUpLegacy) return;
    return whenKnown(facts.secret(namespace, secretName), (secret) => {
      if (secret === undefined || secret.deletedMs !== undefined) {
        throw problem('Token has been invalidated');
      }
      if (!holdsToken(secret, text)) throw problem("Token does not match server's copy");
      return whenKnown(facts.account(namespace, account.name), (found) => {
        if (found === undefined) throw unknownAccount(account);
        if (found.deletedMs !== undefined) {
          throw problem(`ServiceAccount ${namespace}/${account.name} has been deleted`);
        }
        if (found.uid === account.uid) return;
        throw problem(`ServiceAccount UID (${found.uid}) does not match claim (${account.uid})`);
      });
    });
  }
}

function userOf({ namespace, account, pod }: AccountToken): User {
  return knownUser({
    name: accountUserName(namespace, account.name),
    uid: account.uid,
    groups: accountGroups(namespace),
    ...(pod !== undefined && { extra: { [POD_NAME]: [pod.name], [POD_UID]: [pod.uid] } }),
  });
}

function checkTime({ notBeforeSeconds, expirySeconds }: AccountToken, nowMs: number): void {
  const now = Math.floor(nowMs / 1000);
  if (now + LEEWAY_SECONDS < notBeforeSeconds) {
    throw problem('service account token is not valid yet');
  }
  if (now - LEEWAY_SECONDS > expirySeconds) throw problem('service account token has expired');
}

function holdsToken({ data }: SecretFacts, text: string): boolean {
  const held = Buffer.from(data['token'] ?? '', 'base64');
  const digest = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
  return timingSafeEqual(digest(held), digest(text));
}

function problem(message: string): AuthenticationError {
  return new AuthenticationError(message);
}

function unknownAccount({ name }: BoundObject): AuthenticationError {
  if (name === '') return problem('resource name may not be empty');
  return problem(notFound(ACCOUNTS, name).message);
}

function wrongAudiences(
  token: AccountToken,
  apiAudiences: readonly string[],
  audiences: readonly string[],
): AuthenticationError {
  const sent = printAudiences(token.audiences ?? apiAudiences);
  const wanted = printAudiences(audiences);
  return problem(`token audiences ${sent} is invalid for the target audiences ${wanted}`);
}

/** As the reference prints lists of strings in texts: `["a" "b"]`. */
function printAudiences(audiences: readonly string[]): string {
  return `[${audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`;
}

/** One that names no audience is a legacy one, as the reference counts them. */
function count({ audiences, warnAfterSeconds }: AccountToken, nowMs: number): void {
  if (audiences === undefined) LEGACY_TOKENS.add();
  if (warnAfterSeconds === undefined) return;
  if (nowMs > warnAfterSeconds * 1_000) STALE_TOKENS.add();
  else VALID_TOKENS.add();
}
