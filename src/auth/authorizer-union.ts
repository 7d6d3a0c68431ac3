/** Several ways of deciding as one (README.md#who-may). */
import { whenKnown } from '../base/turns/when-known.ts';
import { aggregateText } from '../semantics/errors/aggregate-text.ts';
import type { User } from '../semantics/user.ts';
import { NO_OPINION } from './authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from './authorizer.ts';

/** Asks one after the other: the first that allows or denies decides. */
export class AuthorizerUnion implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    return this.#askFrom(0, asked, []);
  }

  async rulesFor(user: User, namespace: string): Promise<UserRules> {
    const asked = this.#authorizers.map(async (one) => one.rulesFor(user, namespace));
    const found = await Promise.all(asked);
    const errors = found.map((one) => one.evaluationError).filter((error) => error !== '');
    return {
      resourceRules: found.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: found.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: found.some(({ incomplete }) => incomplete),
      evaluationError: errors.length === 0 ? '' : aggregateText(errors),
    };
  }

  /** `said` is what those before had to say that neither allowed nor denied. */
  #askFrom(
    first: number,
    asked: AccessAttributes,
    said: readonly Decision[],
  ): Decision | Promise<Decision> {
    const authorizer = this.#authorizers[first];
    if (authorizer === undefined) return joined(said);
    return whenKnown(authorizer.authorize(asked), (decision) =>
      isFinal(decision) ? decision : this.#askFrom(first + 1, asked, withRemark(said, decision)),
    );
  }
}

function isFinal({ verdict }: Decision): boolean {
  return verdict !== 'noOpinion';
}

function withRemark(remarks: readonly Decision[], one: Decision): readonly Decision[] {
  return one === NO_OPINION ? remarks : [...remarks, one];
}

function joined(remarks: readonly Decision[]): Decision {
  if (remarks.length === 0) return NO_OPINION;
  const reasons = remarks.map(({ reason }) => reason).filter((reason) => reason !== '');
  const errors = remarks.flatMap(({ error }) => error ?? []);
  return {
    verdict: 'noOpinion',
    reason: reasons.join('\n'),
    ...(errors.length > 0 && { error: aggregateText(errors) }),
  };
}
