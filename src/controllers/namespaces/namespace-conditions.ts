/**
 * The conditions of a terminating namespace, from what a round of emptying it has found: a pure
 * function (src/controllers/README.md#namespaces). All five are always written together, each as
 * failing or as well.
 */
import type { NamespaceCondition } from '../../protocol/upkeep-protocol.ts';

export interface Round {
  /**
   * The number of remaining objects by resource type: `configmaps`,
   * `leases.coordination.cluster.io`.
   */
  readonly remaining: readonly { readonly resource: string; readonly count: number }[];
  /** The number of objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why resource types could not be emptied. */
  readonly errors: readonly string[];
  /** Servers that did not tell what they have: `group/version: why`. */
  readonly undiscovered: readonly string[];
}

type Wording = readonly [reason: string, message: string];

interface ConditionType {
  readonly type: string;
  readonly well: Wording;
  /** Undefined when nothing of this is wrong. */
  failing(round: Round): Wording | undefined;
}

const never = (): undefined => undefined;

/** `configmaps.` for the core group: the group follows the point even when it is empty. */
function resourceAndGroup(resource: string): string {
  return resource.includes('.') ? resource : `${resource}.`;
}

function counted(texts: Iterable<string>): string {
  return [...texts].sort().join(', ');
}

const CONDITION_TYPES: readonly ConditionType[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    well: ['ResourcesDiscovered', 'All resources successfully discovered'],
    failing: ({ undiscovered }) => {
      if (undiscovered.length === 0) return undefined;
      const what = `Discovery failed for some groups, ${undiscovered.length} failing`;
      const which = `unable to retrieve the complete list of server APIs: ${counted(undiscovered)}`;
      return ['DiscoveryFailed', `${what}: ${which}`];
    },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    well: ['ParsedGroupVersions', 'All legacy cluster types successfully parsed'],
    failing: never,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    well: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    failing: ({ errors }) => {
      if (errors.length === 0) return undefined;
      const what = `Failed to delete all resource types, ${errors.length} remaining`;
      return ['ContentDeletionFailed', `${what}: ${counted(errors)}`];
    },
  },
  {
    type: 'NamespaceContentRemaining',
    well: ['ContentRemoved', 'All content successfully removed'],
    failing: ({ remaining }) => {
      const left = remaining.filter(({ count }) => count > 0);
      if (left.length === 0) return undefined;
      const texts = left.map(
        ({ resource, count }) => `${resourceAndGroup(resource)} has ${count} resource instances`,
      );
      return ['SomeResourcesRemain', `Some resources are remaining: ${counted(texts)}`];
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    well: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    failing: ({ finalizers }) => {
      if (finalizers.size === 0) return undefined;
      const texts = Array.from(
        finalizers,
        ([finalizer, count]) => `${finalizer} in ${count} resource instances`,
      );
      const what = 'Some content in the namespace has finalizers remaining';
      return ['SomeFinalizersRemain', `${what}: ${counted(texts)}`];
    },
  },
];

/** The five conditions, in the order in which the reference writes them. */
export function namespaceConditions(round: Round): NamespaceCondition[] {
  return CONDITION_TYPES.map(({ type, well, failing }) => {
    const wrong = failing(round);
    const [reason, message] = wrong ?? well;
    return { type, status: wrong === undefined ? 'False' : 'True', reason, message };
  });
}
