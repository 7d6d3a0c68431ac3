/** Where an object has what its Scale shows. */
import type { ApiObject } from '../resources/kind.ts';

export interface Scale extends ApiObject {
  spec?: { replicas?: number };
}

/** What a Scale shows of an object besides metadata. */
export interface ScaleMembers {
  readonly spec: { readonly replicas: number };
  readonly status: { readonly replicas: number; readonly selector: string };
}

export interface ScaleMapping {
  /** What requests and writes are answered. Throws StatusError 500 where there is nothing. */
  membersOf(object: ApiObject): ScaleMembers;
  /**
   * What a patch is applied to: `merge` refuses what stands there in place of replicas that the
   * object does not have. Throws StatusError 500.
   */
  patchedMembersOf(object: ApiObject): ScaleMembers;
  /**
   * The stored object with the replicas of a Scale and with the version that it names; `stored` is
   * not changed. Throws StatusError 400, 422 or 500.
   */
  merge(scale: Scale, stored: ApiObject): ApiObject;
}
