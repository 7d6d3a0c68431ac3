/**
 * The status of a definition that is being deleted: how far the clean-up of its objects is. Pure.
 */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from '#messages/apiextensions.v1';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { withCondition, type NewCondition } from './definition-conditions.ts';

/** Holds a definition until its objects are gone; the first deletion of the definition sets it. */
export const CLEANUP_FINALIZER = ownName('customresourcecleanup.apiextensions.cluster.io');

/** How far a clean-up has come. All but the last three are followed by another one. */
export type CleanUp =
  /** The deletion was asked for. */
  | { readonly step: 'pending' }
  /** Objects are being deleted. */
  | { readonly step: 'inProgress' }
  /** The objects could not be listed, for this reason. */
  | { readonly step: 'listFailed'; readonly problem: string }
  /** Objects could not be deleted, for these reasons. */
  | { readonly step: 'deleteFailed'; readonly problems: readonly string[] }
  /** Objects are left, mostly for finalizers of their own. */
  | { readonly step: 'objectsLeft' }
  /** Nothing is left. */
  | { readonly step: 'completed' }
  /** There never was an object. */
  | { readonly step: 'neverEstablished' }
  /** The objects are those of a built-in type, and stay. */
  | { readonly step: 'overlapping' };

/**
 * A definition whose deletion was just asked for, for the first time: it stays until its objects
 * are gone. Its generation does not change. `now` is a time of metadata.
 */
export function markedForDeletion(
  { metadata, ...others }: CustomResourceDefinition,
  now: string,
): CustomResourceDefinition {
  const { finalizers = [] } = metadata;
  return {
    ...others,
    metadata: {
      ...metadata,
      deletionTimestamp: now,
      finalizers: finalizers.includes(CLEANUP_FINALIZER)
        ? finalizers
        : [...finalizers, CLEANUP_FINALIZER],
    },
    status: terminatingStatus(others.status ?? {}, { step: 'pending' }, now),
  };
}

/** The status of a definition whose clean-up has come so far. `now` is a time of metadata. */
export function terminatingStatus(
  status: CustomResourceDefinitionStatus,
  cleanUp: CleanUp,
  now: string,
): CustomResourceDefinitionStatus {
  const conditions = withCondition(status.conditions ?? [], terminatingCondition(cleanUp), now);
  return { ...status, conditions };
}

function terminatingCondition(cleanUp: CleanUp): NewCondition {
  switch (cleanUp.step) {
    case 'pending':
      return continuing(
        'InstanceDeletionPending',
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      );
    case 'inProgress':
      return continuing('InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    case 'listFailed':
      return continuing('InstanceDeletionFailed', `could not list instances: ${cleanUp.problem}`);
    case 'deleteFailed': {
      const problems = aggregateText(cleanUp.problems);
      return continuing('InstanceDeletionFailed', `could not issue all deletes: ${problems}`);
    }
    case 'objectsLeft':
      return continuing(
        'InstanceDeletionCheck',
        'could not confirm zero CustomResources remaining: timed out waiting for the condition',
      );
    case 'completed':
      return ended('InstanceDeletionCompleted', 'removed all instances');
    case 'neverEstablished':
      return ended('NeverEstablished', 'resource was never established');
    case 'overlapping':
      return ended(
        'OverlappingBuiltInResource',
        'instances overlap with built-in resources in storage',
      );
  }
}

function continuing(reason: string, message: string): NewCondition {
  return { type: 'Terminating', status: 'True', reason, message };
}

function ended(reason: string, message: string): NewCondition {
  return { type: 'Terminating', status: 'False', reason, message };
}
