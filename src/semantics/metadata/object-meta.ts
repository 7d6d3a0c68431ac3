/** ObjectMeta as decoded by the JSON codec (../README.md#metadata). */
import { RawJson } from '../../codec/json/raw-json.ts';
import { ownGroup } from '../dialect/own-names.ts';

/** The group of types that all kinds share: lists, options, tables. */
export const META_GROUP = ownGroup('meta.cluster.io');

/**
 * Finalizers that keep an object until the garbage collector has handled its dependents
 * (src/shard/README.md#deletion).
 */
export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Decoded members are absent or not null; the server unsets one with undefined. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  /** Never set by the server any more, and cleared on write. */
  selfLink?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  /** Cleared on write. */
  clusterName?: string | undefined;
  /**
   * The decoded entries in a body that a client sent; the JSON text in an object that is stored or
   * about to be. Most writes leave the list unchanged, and so need not parse it.
   */
  managedFields?: unknown[] | RawJson | undefined;
}

/** An object of any kind, as far as its metadata. */
export interface WithMetadata {
  metadata: ObjectMeta;
}

/** The text of `managedFields` of an object that is stored or about to be; '' for none. */
export function storedManagedFields({ managedFields }: ObjectMeta): string {
  return managedFields instanceof RawJson ? managedFields.text : '';
}
