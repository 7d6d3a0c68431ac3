/** Several ways of deciding as one (README.md#who-may). */
import { whenKnown } from '../base/turns/when-known.ts';
import { ownRelease } from '../release/release.ts';
import { aggregateText } from '../semantics/errors/aggregate-text.ts';
import type { User } from '../semantics/user.ts';
import { NO_OPINION } from './authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from './authorizer.ts';

/** An authorizer by the name that reasons tell. */
export interface NamedAuthorizer {
  readonly name: string;
  readonly authorizer: Authorizer;
}

const NAMES_AUTHORIZERS = ownRelease().has('reasonsNameAuthorizers');

/** Asks one after the other: the first that allows or denies decides. */
export class AuthorizerUnion implements Authorizer {
  readonly #authorizers: readonly NamedAuthorizer[];

  constructor(authorizers: readonly NamedAuthorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    return this.#askFrom(0, asked, []);
  }

  async rulesFor(user: User, namespace: string): Promise<UserRules> {
    const asked = this.#authorizers.map(async ({ authorizer }) =>
      authorizer.rulesFor(user, namespace),
    );
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
    const one = this.#authorizers[first];
    if (one === undefined) return joined(said);
    return whenKnown(one.authorizer.authorize(asked), (decision) =>
      isFinal(decision)
        ? decision
        : this.#askFrom(first + 1, asked, withRemark(said, one.name, decision)),
    );
  }
}

function isFinal({ verdict }: Decision): boolean {
  return verdict !== 'noOpinion';
}

function withRemark(
  remarks: readonly Decision[],
  name: string,
  one: Decision,
): readonly Decision[] {
  if (one === NO_OPINION) return remarks;
  if (!NAMES_AUTHORIZERS || one.reason === '') return [...remarks, one];
  return [...remarks, { ...one, reason: `${name}: ${one.reason}` }];
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
