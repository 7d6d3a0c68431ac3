/** Maps an object to its Scale, and back. */
import type { ApiObject } from '../resources/kind.ts';

export interface Scale extends ApiObject {
  spec?: { replicas?: number };
}

/** The members of a Scale besides metadata. */
export interface ScaleMembers {
  readonly spec: { readonly replicas: number };
  readonly status: { readonly replicas: number; readonly selector: string };
}

export interface ScaleMapping {
  /**
   * The members in answers to reads and writes. Throws StatusError 500 where an object has none.
   */
  membersOf(object: ApiObject): ScaleMembers;
  /**
   * The members that a patch is applied to. Where an object has no replicas, they have some that
   * `merge` refuses. Throws StatusError 500.
   */
  patchedMembersOf(object: ApiObject): ScaleMembers;
  /**
   * The stored object with the replicas of a Scale and with the version that it names; `stored` is
   * not changed. Throws StatusError 400, 422 or 500.
   */
  merge(scale: Scale, stored: ApiObject): ApiObject;
}
