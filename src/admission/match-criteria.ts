/** Criteria by which webhooks and policies choose writes, made ready for many of them. */
import type { NamedRuleWithOperations } from '#messages/admissionregistration.v1';
import type { LabelSelector } from '#messages/meta.v1';
import { labelMatcher, type LabelMatcher } from '../semantics/selectors/label-matcher.ts';
import { toLabelSelector } from '../semantics/selectors/object-label-selector.ts';

export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** `pods`, `pods/status`: the second is '' for objects themselves. */
  readonly resources: readonly (readonly [resource: string, subresource: string])[];
  readonly scope: string;
  /** The objects that it is about; none for all. */
  readonly names: readonly string[];
}

/** Undefined for a selector that selects everything. */
export type Selecting = LabelMatcher | undefined;

export interface MatchCriteria {
  readonly rules: readonly Rule[];
  readonly selectsNamespaces: Selecting;
  readonly selectsObjects: Selecting;
  /** Rules hold for other versions of what they name, too. */
  readonly takesEquivalent: boolean;
}

/** A rule of a webhook or policy, complete. */
export function ruleOf(rule: NamedRuleWithOperations): Rule {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope = '*' } = rule;
  const { resourceNames: names = [] } = rule;
  return {
    operations,
    apiGroups,
    apiVersions,
    resources: resources.map(splitAtSlash),
    scope,
    names,
  };
}

function splitAtSlash(resource: string): readonly [string, string] {
  const slash = resource.indexOf('/');
  return slash === -1 ? [resource, ''] : [resource.slice(0, slash), resource.slice(slash + 1)];
}

/** A stored selector, which was validated. */
export function selecting(selector: LabelSelector = {}): Selecting {
  const parsed = toLabelSelector(selector);
  // Stored selectors were validated, so that all of them can be parsed.
  if (parsed === undefined || parsed.requirements.length === 0) return undefined;
  return labelMatcher(parsed);
}
