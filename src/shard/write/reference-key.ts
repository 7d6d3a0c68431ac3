/** Keys of the reference's store: clients see them in the words of some conflicts. */
import type { KindDefinition } from '../../resources/kind.ts';

/** Types that it has kept under these names since before they had their present ones. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['replicationcontrollers', 'controllers'],
  ['endpoints', 'services/endpoints'],
  ['nodes', 'minions'],
  ['services', 'services/specs'],
  ['ingresses', 'ingress'],
  ['podsecuritypolicies', 'podsecuritypolicy'],
]);

/** Types whose servers keep them below their group, as custom ones are kept. */
const BELOW_THEIR_GROUP: ReadonlySet<string> = new Set([
  'customresourcedefinitions',
  'apiservices',
]);

/** `/registry/deployments/default/web`, where `key` is `default/web`. */
export function referenceKey({ message, group, plural }: KindDefinition, key: string): string {
  const isBelow = message === undefined || BELOW_THEIR_GROUP.has(plural);
  return `/registry/${isBelow ? `${group}/${plural}` : (OLD_NAMES.get(plural) ?? plural)}/${key}`;
}
