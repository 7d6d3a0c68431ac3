/** Which groups the pods are of that have not ended (../README.md#groups-in-use). */
import type { Pod } from '#messages/core.v1';
import { indexKey, type TypeIndex } from '../../replicas/follow-type.ts';
import type { ApiObject } from '../../resources/kind.ts';

export class GroupUsers implements TypeIndex {
  readonly #onRelease: (namespace: string, group: string) => void;
  /** The groups by their pods, and how many pods each has. */
  readonly #groups = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** `onRelease` is called with groups that a pod was of and is not of now. */
  constructor(onRelease: (namespace: string, group: string) => void) {
    this.#onRelease = onRelease;
  }

  put(pod: Pod): void {
    this.#set(pod, groupOf(pod));
  }

  remove(pod: ApiObject): void {
    this.#set(pod, '');
  }

  isUsed({ metadata: { namespace = '', name = '' } }: ApiObject): boolean {
    return this.#counts.has(`${namespace}/${name}`);
  }

  #set(pod: ApiObject, group: string): void {
    const key = indexKey(pod);
    const before = this.#groups.get(key) ?? '';
    if (before === group) return;
    const { namespace = '' } = pod.metadata;
    if (group === '') this.#groups.delete(key);
    else {
      this.#groups.set(key, group);
      this.#count(`${namespace}/${group}`, 1);
    }
    if (before === '') return;
    this.#count(`${namespace}/${before}`, -1);
    this.#onRelease(namespace, before);
  }

  #count(group: string, more: number): void {
    const count = (this.#counts.get(group) ?? 0) + more;
    if (count === 0) this.#counts.delete(group);
    else this.#counts.set(group, count);
  }
}

/** '' for none, and for a pod that has ended. */
function groupOf({ spec = {}, status = {} }: Pod): string {
  const hasEnded = status.phase === 'Succeeded' || status.phase === 'Failed';
  return hasEnded ? '' : (spec.schedulingGroup?.podGroupName ?? '');
}
