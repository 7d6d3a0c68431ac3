/** The surroundings of a write, for rules that look beyond the object. */
import type { FeatureGates } from '../release/feature-gates.ts';
import type { User } from '../semantics/user.ts';

/** Where an object is written. */
export interface Place {
  /** The subresource; '' for the object itself. */
  readonly part: string;
  /** The labels of its namespace. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A write, as far as the rights that it takes depend on it. */
export interface RightsWrite {
  readonly part: string;
  /** `update` or `patch`. */
  readonly verb: string;
  readonly user: User;
  readonly gates: FeatureGates;
}

/** A right on a subresource that there is for this alone. */
export interface NeededRight {
  /** Where its lack is told, and what for. */
  readonly field: string;
  readonly purpose: string;
  /** One of them is enough. */
  readonly verbs: readonly string[];
  readonly subresource: string;
  /** '' for all namespaces. */
  readonly namespace: string;
  /** '' for all objects. */
  readonly name: string;
}
