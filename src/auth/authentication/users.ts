/** Users as authentication makes them. */
import type { Authenticated } from '../authenticator.ts';
import type { User } from '../../semantics/user.ts';

const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';

export const ANONYMOUS: User = { name: 'system:anonymous', uid: '', groups: [UNAUTHENTICATED] };

/** `system:serviceaccount:<namespace>:<name>`. */
export function accountUserName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The groups that accounts of a namespace are of. */
export function accountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Whoever is known is of the group of those, unless it was said of them whether they are. */
export function knownUser(user: User): User {
  const { name, groups } = user;
  const isSaid = groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  if (isSaid || name === ANONYMOUS.name) return user;
  return { ...user, groups: [...groups, AUTHENTICATED] };
}

/**
 * A user whose credentials are for this API, whatever audiences it has: undefined where others are
 * asked for.
 */
export function forThisApi(
  user: User,
  apiAudiences: readonly string[],
  audiences: readonly string[],
): Authenticated | undefined {
  const common = commonAudiences(apiAudiences, audiences);
  return common.length === 0 ? undefined : { user, audiences: common };
}

/** Those of the first list that are in the second one, too. */
export function commonAudiences(
  first: readonly string[],
  second: readonly string[],
): readonly string[] {
  return first === second ? first : first.filter((audience) => second.includes(audience));
}
