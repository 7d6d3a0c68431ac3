/** The objects of a type by the uids of their owners; only objects that have any are in it. */
import { AWAITS } from '../../storage/record.ts';
import type { OwnerLink } from '../../storage/record.ts';
import type { TableEntry } from './table-entry.ts';
import type { DependentCounts } from '../../protocol/upkeep-protocol.ts';

interface Dependents {
  readonly keys: Set<string>;
  blocking: number;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Whether two objects, which name each owner once, name the same in the same way, in any order. */
export function haveSameOwners(
  some: readonly OwnerLink[] | undefined,
  others: readonly OwnerLink[] | undefined,
): boolean {
  if (some === undefined || others === undefined) return some === others;
  if (some.length !== others.length) return false;
  const isSame = (a: OwnerLink, b: OwnerLink): boolean => a.uid === b.uid && a.blocks === b.blocks;
  if (some.every((owner, at) => isSame(owner, others[at] as OwnerLink))) return true;
  const blocking = blockingByUid(others);
  return some.every(({ uid, blocks }) => blocking.get(uid) === blocks);
}

/** Which owners an object names, and whether it holds them back. */
export function blockingByUid(owners: readonly OwnerLink[]): ReadonlyMap<string, boolean> {
  return new Map(owners.map(({ uid, blocks }) => [uid, blocks]));
}

export class OwnerIndex {
  readonly #byOwner = new Map<string, Dependents>();
  /** Objects that wait for the collector: bits of `AWAITS` by key. */
  readonly #awaiting = new Map<string, number>();

  /** The keys of an owner's dependents. */
  keysOf(owner: string): ReadonlySet<string> {
    return this.#byOwner.get(owner)?.keys ?? NO_KEYS;
  }

  countsOf(owner: string): DependentCounts {
    const dependents = this.#byOwner.get(owner);
    if (dependents === undefined) return { count: 0, blocking: 0, someWait: false };
    const { keys, blocking } = dependents;
    return { count: keys.size, blocking, someWait: this.#someWait(keys) };
  }

  /** Bits of `AWAITS`. */
  awaits(key: string): number {
    return this.#awaiting.get(key) ?? AWAITS.nothing;
  }

  set({ key, owners, awaits }: TableEntry, replaced: TableEntry | undefined): void {
    if (awaits !== undefined) this.#awaiting.set(key, awaits);
    else if (replaced?.awaits !== undefined) this.#awaiting.delete(key);
    // Most updates change no owner.
    if (haveSameOwners(owners, replaced?.owners)) return;
    if (replaced !== undefined) this.#letGo(replaced);
    for (const { uid, blocks } of owners ?? []) {
      let dependents = this.#byOwner.get(uid);
      if (dependents === undefined) {
        dependents = { keys: new Set(), blocking: 0 };
        this.#byOwner.set(uid, dependents);
      }
      dependents.keys.add(key);
      if (blocks) dependents.blocking++;
    }
  }

  delete(entry: TableEntry): void {
    this.#awaiting.delete(entry.key);
    this.#letGo(entry);
  }

  #letGo({ key, owners }: TableEntry): void {
    for (const { uid, blocks } of owners ?? []) {
      const dependents = this.#byOwner.get(uid);
      if (dependents === undefined) continue;
      dependents.keys.delete(key);
      if (blocks) dependents.blocking--;
      if (dependents.keys.size === 0) this.#byOwner.delete(uid);
    }
  }

  /** Replaces all content. */
  load(entries: ReadonlyMap<string, TableEntry>): void {
    this.#byOwner.clear();
    this.#awaiting.clear();
    for (const entry of entries.values()) this.set(entry, undefined);
  }

  #someWait(keys: ReadonlySet<string>): boolean {
    // Walks the smaller of both sides.
    if (this.#awaiting.size < keys.size) {
      for (const [key, bits] of this.#awaiting) {
        if ((bits & AWAITS.dependents) !== 0 && keys.has(key)) return true;
      }
      return false;
    }
    for (const key of keys) if ((this.awaits(key) & AWAITS.dependents) !== 0) return true;
    return false;
  }
}
