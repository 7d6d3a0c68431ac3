/**
 * Who owns whom, as a shard records it, and what it tells the garbage collector of it after each
 * commit (../README.md#deletion).
 */
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../semantics/metadata/object-meta.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { AWAITS, OPERATION } from '../../storage/record.ts';
import type { OwnerLink } from '../../storage/record.ts';
import type { TableEntry } from '../table/table-entry.ts';
import { blockingByUid, haveSameOwners } from '../table/owner-index.ts';
import type { OwnershipChanges } from '../../protocol/upkeep-protocol.ts';
import type { StagedWrite } from './write-pipeline.ts';

/**
 * The owners that an object names, each once; undefined when it names none. Itself is none of them:
 * it could wait for itself for ever.
 */
export function ownersOf({ uid: own, ownerReferences }: ObjectMeta): OwnerLink[] | undefined {
  if (ownerReferences === undefined) return undefined;
  const blocking = new Map<string, boolean>();
  for (const { uid, blockOwnerDeletion } of ownerReferences) {
    if (uid === own) continue;
    blocking.set(uid, blockOwnerDeletion === true || blocking.get(uid) === true);
  }
  if (blocking.size === 0) return undefined;
  return Array.from(blocking, ([uid, blocks]) => ({ uid, blocks }));
}

/** Which finalizers of the collector an object has, as bits of `AWAITS`. */
export function collectorFinalizers({ finalizers }: ObjectMeta): number {
  if (finalizers === undefined) return AWAITS.nothing;
  let bits: number = AWAITS.nothing;
  if (finalizers.includes(ORPHAN_FINALIZER)) bits |= AWAITS.orphaning;
  if (finalizers.includes(FOREGROUND_FINALIZER)) bits |= AWAITS.dependents;
  return bits;
}

/** The finalizers of the collector that an object waits for: none unless it is terminating. */
export function awaitsOf(metadata: ObjectMeta): number {
  return metadata.deletionTimestamp === undefined ? AWAITS.nothing : collectorFinalizers(metadata);
}

/** Gathers what the writes of a commit change, and tells it once. */
export class OwnershipFeed {
  readonly #tell: (changes: OwnershipChanges) => void;
  #gone: string[] = [];
  readonly #released = new Set<string>();
  readonly #owned = new Set<string>();
  readonly #awaiting = new Set<string>();

  constructor(tell: (changes: OwnershipChanges) => void) {
    this.#tell = tell;
  }

  note(write: StagedWrite, replaced: TableEntry | undefined): void {
    const isGone = write.operation === OPERATION.deleted;
    if (isGone) this.#gone.push(write.uid ?? '');
    const before = replaced?.owners;
    const after = isGone ? undefined : write.owners;
    const isSame = haveSameOwners(before, after);
    if (before !== undefined && !isSame) {
      const kept = blockingByUid(after ?? []);
      for (const { uid, blocks } of before) {
        const stillBlocks = kept.get(uid);
        if (stillBlocks === undefined || (blocks && !stillBlocks)) this.#released.add(uid);
      }
    }
    if (isGone) return;
    if (after !== undefined && !isSame) this.#owned.add(write.key);
    const awaits = write.awaits ?? AWAITS.nothing;
    if (awaits !== AWAITS.nothing && awaits !== replaced?.awaits) this.#awaiting.add(write.key);
  }

  /** Called when a commit is applied and answered. */
  flush(): void {
    const gone = this.#gone;
    const { size: owned } = this.#owned;
    if (gone.length + this.#released.size + owned + this.#awaiting.size === 0) return;
    this.#gone = [];
    const changes = {
      gone,
      released: [...this.#released],
      owned: [...this.#owned],
      awaiting: [...this.#awaiting],
    };
    for (const set of [this.#released, this.#owned, this.#awaiting]) set.clear();
    this.#tell(changes);
  }
}
