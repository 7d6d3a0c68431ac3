/**
 * Tokens by which nodes join (../../README.md#bootstrap-tokens): each stands in a Secret of its
 * own, in the system namespace.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { whenKnown } from '../../../base/turns/when-known.ts';
import { SECRET_TYPE } from '../../../resources/core/secret.ts';
import { ownNamespace } from '../../../semantics/dialect/own-names.ts';
import type { User } from '../../../semantics/user.ts';
import type { Authenticated } from '../../authenticator.ts';
import { bootstrapTokenEndMs } from '../../bootstrap-token.ts';
import type { AccountFacts, SecretFacts } from '../account-facts.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import { forThisApi, knownUser } from '../users.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const NAMESPACE = ownNamespace('cluster-system');
const GROUP = 'system:bootstrappers';

export interface BootstrapTokenOptions {
  readonly facts: Pick<AccountFacts, 'secret'>;
  readonly apiAudiences: readonly string[];
  readonly nowMs: () => number;
}

export class BootstrapTokens implements TokenWay {
  readonly #options: BootstrapTokenOptions;

  constructor(options: BootstrapTokenOptions) {
    this.#options = options;
  }

  /** Says nothing about what is wrong with such a token. */
  authenticate(
    { text }: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined> {
    const [, id, secret] = TOKEN.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const { facts, apiAudiences, nowMs } = this.#options;
    return whenKnown(facts.secret(NAMESPACE, `bootstrap-token-${id}`), (found) => {
      const user = found && userOf(found, id, secret, nowMs());
      return user && forThisApi(user, apiAudiences, audiences);
    });
  }
}

function userOf(found: SecretFacts, id: string, secret: string, nowMs: number): User | undefined {
  const member = (name: string): string => Buffer.from(found.data[name] ?? '', 'base64').toString();
  const isMeant =
    found.deletedMs === undefined &&
    found.type === SECRET_TYPE.bootstrapToken &&
    isSame(member('token-secret'), secret) &&
    member('token-id') === id &&
    !isExpired(member('expiration'), nowMs) &&
    member('usage-bootstrap-authentication') === 'true';
  const groups = isMeant ? groupsOf(member('auth-extra-groups')) : undefined;
  return groups && knownUser({ name: `system:bootstrap:${id}`, uid: '', groups });
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function isExpired(expiration: string, nowMs: number): boolean {
  const endMs = bootstrapTokenEndMs(expiration);
  return endMs !== undefined && endMs <= nowMs;
}

/** In order, each once; undefined where one of them is not for such tokens. */
function groupsOf(extra: string): readonly string[] | undefined {
  const more = extra === '' ? [] : extra.split(',');
  if (!more.every((group) => EXTRA_GROUP.test(group))) return undefined;
  return [...new Set([GROUP, ...more])].sort();
}
