/** Which claims the pods use that are on a node (../README.md#volumes-in-use). */
import type { Pod } from '#messages/core.v1';
import { indexKey } from '../../replicas/follow-type.ts';
import type { TypeIndex } from '../../replicas/follow-type.ts';
import type { ApiObject } from '../../resources/kind.ts';

/** A claim by its name, and of one that was made for a pod the uid of that. */
interface Use {
  readonly claim: string;
  readonly owner?: string;
}

export class ClaimUsers implements TypeIndex {
  readonly #onRelease: (namespace: string, claim: string) => void;
  /** By pods; those that use none are not kept. */
  readonly #uses = new Map<string, readonly Use[]>();
  /** The pods of each claim. */
  readonly #pods = new Map<string, Set<string>>();

  /** `onRelease` is called with claims that a pod may have used and does not use now. */
  constructor(onRelease: (namespace: string, claim: string) => void) {
    this.#onRelease = onRelease;
  }

  put(pod: Pod): void {
    this.#set(pod, usesOf(pod));
  }

  remove(pod: ApiObject): void {
    this.#set(pod, []);
  }

  isUsed({ metadata }: ApiObject): boolean {
    const key = indexKey({ metadata });
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    for (const pod of this.#pods.get(key) ?? []) {
      const uses = this.#uses.get(pod) ?? [];
      const isOfClaim = (use: Use): boolean =>
        use.claim === metadata.name && (use.owner === undefined || use.owner === owner);
      if (uses.some(isOfClaim)) return true;
    }
    return false;
  }

  #set(pod: ApiObject, uses: readonly Use[]): void {
    const key = indexKey(pod);
    const before = this.#uses.get(key) ?? [];
    if (before.length === 0 && uses.length === 0) return;
    const { namespace = '' } = pod.metadata;
    for (const { claim } of before) this.#leave(`${namespace}/${claim}`, key);
    if (uses.length === 0) this.#uses.delete(key);
    else this.#uses.set(key, uses);
    for (const { claim } of uses) this.#join(`${namespace}/${claim}`, key);
    for (const { claim } of before) this.#onRelease(namespace, claim);
  }

  #join(claim: string, pod: string): void {
    const pods = this.#pods.get(claim);
    if (pods === undefined) this.#pods.set(claim, new Set([pod]));
    else pods.add(pod);
  }

  #leave(claim: string, pod: string): void {
    const pods = this.#pods.get(claim);
    pods?.delete(pod);
    if (pods?.size === 0) this.#pods.delete(claim);
  }
}

/**
 * Before a pod is on a node, the agent there would not start it with a claim that is being deleted.
 * One that is done for, and only held by others, does not need what was made for it.
 */
function usesOf({ metadata, spec: { nodeName = '', volumes = [] } = {} }: Pod): readonly Use[] {
  if (nodeName === '') return [];
  const { name = '', uid = '', deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  const isDone = deletionTimestamp !== undefined && Number(deletionGracePeriodSeconds) === 0;
  return volumes.flatMap((volume): Use[] => {
    const { persistentVolumeClaim, ephemeral, name: volumeName = '' } = volume;
    if (persistentVolumeClaim) return [{ claim: persistentVolumeClaim.claimName ?? '' }];
    if (!ephemeral || isDone) return [];
    return [{ claim: `${name}-${volumeName}`, owner: uid }];
  });
}
