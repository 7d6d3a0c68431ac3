/** The interface of all ways of authorization, which `authorizers.ts` lists. */
import type { FieldTerm } from '../semantics/selectors/field-selector.ts';
import type { LabelRequirement } from '../semantics/selectors/label-selector.ts';
import type { User } from '../semantics/user.ts';

/** The action that is to be decided; it has a path alone where `isResource` is false. */
export interface AccessAttributes {
  readonly user: User;
  /** `get`, `list`, … of resources; the HTTP method in lower case of other paths. */
  readonly verb: string;
  readonly isResource: boolean;
  /** '' for all namespaces, or a type without them. */
  readonly namespace: string;
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' where no single object is named. */
  readonly name: string;
  /** The path of the request. */
  readonly path: string;
  /** Selectors of what is asked of many objects: as they were sent, or their conditions. */
  readonly fieldSelector?: string | readonly FieldTerm[];
  readonly labelSelector?: string | readonly LabelRequirement[];
}

export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'noOpinion';
  /** For people; '' where there is nothing to say. */
  readonly reason: string;
  /** Something went wrong on the way, which a review tells. */
  readonly error?: string;
}

export const NO_OPINION: Decision = Object.freeze({ verdict: 'noOpinion', reason: '' });

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules for a user in a namespace, as far as they can be told. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  /** '' where nothing went wrong. */
  readonly evaluationError: string;
}

export interface Authorizer {
  /** Answers at once where it can, so that such requests take one turn. */
  authorize(attributes: AccessAttributes): Decision | Promise<Decision>;
  /** Answers at once where it can. */
  rulesFor(user: User, namespace: string): UserRules | Promise<UserRules>;
}
