/** Those who decide without looking at what is asked for, or only at a group of who asks. */
import type { User } from '../semantics/user.ts';
import { NO_OPINION } from './authorizer.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from './authorizer.ts';

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
export const ALWAYS_DENY: Authorizer = {
  authorize: () => FORBIDDEN,
  rulesFor: () => NO_RULES,
};

export const ALLOW_PRIVILEGED: Authorizer = {
  authorize: ({ user }: AccessAttributes) => (isPrivileged(user) ? ALLOWED : NO_OPINION),
  rulesFor: (user) => (isPrivileged(user) ? ALL_RULES : NO_RULES),
};

export function isPrivileged(user: User): boolean {
  return user.groups.includes(PRIVILEGED_GROUP);
}
