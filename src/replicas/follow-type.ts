/**
 * The interface of an index that is kept in step with another type, by a replica in a server and by
 * hand in tests.
 */
import type { ApiObject } from '../resources/kind.ts';

/** Keeps the part of objects that is looked up, and nothing else. */
export interface TypeIndex {
  /** An object that is new, or another state of one that is known by its namespace and name. */
  put(object: ApiObject): void;
  remove(object: ApiObject): void;
}

/** Tells how far such an index is (README.md#replicas). */
export interface FollowedType {
  /** Whether every change that was answered by now is in it. */
  readonly isCurrent: boolean;
  /** Resolves when every change that was answered by now is in it. */
  whenCurrent(): Promise<void>;
}

/** Feeds an index with a type, by the name of its shard, from now on. */
export type FollowType = (resource: string, index: TypeIndex) => FollowedType;

/** Where an object is kept in an index. */
export function indexKey({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
