/** Asks what a user may do, for the expressions of policies: each question once for a write. */
import { accountGroups, accountUserName } from '../auth/authentication/users.ts';
import type { Authorizer, Decision } from '../auth/authorizer.ts';
import type {
  AccessDecision,
  AskedAccess,
  AskedAccount,
} from '../schema/cel/access/access-values.ts';
import type { User } from '../semantics/user.ts';
import type { Proposal } from './proposal.ts';

export class RequestAccess {
  readonly #authorizer: () => Authorizer;
  readonly #proposal: Proposal;
  readonly #known = new Map<string, AccessDecision>();
  readonly #pending = new Map<string, Promise<Decision>>();

  constructor(authorizer: () => Authorizer, proposal: Proposal) {
    this.#authorizer = authorizer;
    this.#proposal = proposal;
  }

  /** The resource that is written, as a question that lacks its verb. */
  get requested(): Partial<AskedAccess> {
    const { group, resource, subresource, namespace, name } = this.#proposal;
    return { group, resource, subresource, namespace, name };
  }

  /** Undefined where the answer has to be waited for: `settled` does. */
  decide(asked: AskedAccess): AccessDecision | undefined {
    const key = JSON.stringify(asked);
    const known = this.#known.get(key);
    if (known !== undefined || this.#pending.has(key)) return known;
    const { account, ...question } = asked;
    const user = account === undefined ? this.#proposal.user : accountUser(account);
    const isResource = asked.path === '';
    const version = isResource ? '*' : '';
    const decision = this.#authorizer().authorize({ ...question, user, isResource, version });
    if (decision instanceof Promise) {
      this.#pending.set(key, decision);
      return undefined;
    }
    const shown = shownDecision(decision);
    this.#known.set(key, shown);
    return shown;
  }

  /** Gives the value of `evaluate` once it has all the answers that it asks for. */
  async settled<T>(evaluate: () => T): Promise<T> {
    for (;;) {
      const result = evaluate();
      if (this.#pending.size === 0) return result;
      for (const [key, decision] of this.#pending) this.#known.set(key, await answered(decision));
      this.#pending.clear();
    }
  }
}

function accountUser({ namespace, name }: AskedAccount): User {
  return { name: accountUserName(namespace, name), uid: '', groups: accountGroups(namespace) };
}

function shownDecision({ verdict, reason, error = '' }: Decision): AccessDecision {
  return { isAllowed: verdict === 'allow', reason, error };
}

/** One that could not be had allows nothing, and says why. */
async function answered(decision: Promise<Decision>): Promise<AccessDecision> {
  try {
    return shownDecision(await decision);
  } catch (error) {
    return { isAllowed: false, reason: '', error: (error as Error).message };
  }
}
