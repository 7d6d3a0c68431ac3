/** Those who decide without looking at what is asked for, or only at a group of who asks. */
import type { User } from '../semantics/user.ts';
import type {
  AccessAttributes,
  Authorizer,
  Decision,
  ResourceRule,
  UserRules,
} from './authorizer.ts';
import type { AuthorizerEntry } from './authorizer-entry.ts';

/** Members may do everything, whatever roles there are. */
export const PRIVILEGED_GROUP = 'system:masters';

const ALLOWED: Decision = Object.freeze({ verdict: 'allow', reason: '' });
const FORBIDDEN: Decision = Object.freeze({
  verdict: 'noOpinion',
  reason: 'Everything is forbidden.',
});

const ALL_RULES: UserRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  evaluationError: '',
};

export const NO_RULES: UserRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: false,
  evaluationError: '',
};

export const ALWAYS_ALLOW: Authorizer = {
  authorize: () => ALLOWED,
  rulesFor: () => ALL_RULES,
};

/** Refuses where nobody allows: whoever is asked after it may still allow. */
const ALWAYS_DENY: Authorizer = {
  authorize: () => FORBIDDEN,
  rulesFor: () => NO_RULES,
};

/** The modes that are the same whatever is asked. */
export const alwaysAllow = fixed(ALWAYS_ALLOW);
export const alwaysDeny = fixed(ALWAYS_DENY);

function fixed(authorizer: Authorizer): AuthorizerEntry<never, undefined> {
  return { flags: {}, read: () => undefined, load: async () => () => authorizer };
}

export function isPrivileged(user: User): boolean {
  return user.groups.includes(PRIVILEGED_GROUP);
}

/** Asks somebody else about all who are not privileged. */
export class PrivilegedFirst implements Authorizer {
  readonly #others: Authorizer;

  constructor(others: Authorizer) {
    this.#others = others;
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    return isPrivileged(asked.user) ? ALLOWED : this.#others.authorize(asked);
  }

  /** A role of theirs that gives everything says so already. */
  async rulesFor(user: User, namespace: string): Promise<UserRules> {
    const found = await this.#others.rulesFor(user, namespace);
    const { resourceRules, nonResourceRules } = found;
    if (!isPrivileged(user) || resourceRules.some(givesAll)) return found;
    return {
      ...found,
      resourceRules: [...ALL_RULES.resourceRules, ...resourceRules],
      nonResourceRules: [...ALL_RULES.nonResourceRules, ...nonResourceRules],
    };
  }
}

function givesAll({ verbs, apiGroups, resources, resourceNames = [] }: ResourceRule): boolean {
  const lists = [verbs, apiGroups, resources];
  return resourceNames.length === 0 && lists.every((list) => list.includes('*'));
}
