/** Counts what each authorizer decides, where the release does. */
import type { Cell } from '../observability/metrics/cells.ts';
import { ownMetrics } from '../observability/metrics/own-metrics.ts';
import { THREAD_SERIES } from '../observability/metrics/thread-metrics.ts';
import type { User } from '../semantics/user.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from './authorizer.ts';

const METRIC = 'apiserver_authorization_decisions_total';
const IS_COUNTED = ownMetrics([METRIC]).length > 0;

/** Decides as `authorizer` does; that it has no opinion is not counted. */
export function counted(type: string, name: string, authorizer: Authorizer): Authorizer {
  return IS_COUNTED ? new CountedAuthorizer(type, name, authorizer) : authorizer;
}

class CountedAuthorizer implements Authorizer {
  readonly #authorizer: Authorizer;
  readonly #type: string;
  readonly #name: string;
  #allowed: Cell | undefined;
  #denied: Cell | undefined;

  constructor(type: string, name: string, authorizer: Authorizer) {
    this.#type = type;
    this.#name = name;
    this.#authorizer = authorizer;
  }

  // Without a callback: this is on the way of each request.
  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    const decision = this.#authorizer.authorize(asked);
    return decision instanceof Promise
      ? decision.then((later) => this.#count(later))
      : this.#count(decision);
  }

  rulesFor(user: User, namespace: string): UserRules | Promise<UserRules> {
    return this.#authorizer.rulesFor(user, namespace);
  }

  #count(decision: Decision): Decision {
    if (decision.verdict === 'allow') (this.#allowed ??= this.#cell('allowed')).add();
    else if (decision.verdict === 'deny') (this.#denied ??= this.#cell('denied')).add();
    return decision;
  }

  #cell(decision: string): Cell {
    return THREAD_SERIES.cell(METRIC, { decision, name: this.#name, type: this.#type });
  }
}
