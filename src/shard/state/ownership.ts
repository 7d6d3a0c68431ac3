/** What a shard tells the garbage collector after each commit (../README.md#deletion). */
import { AWAITS, OPERATION } from '../../storage/record.ts';
import type { TableEntry } from '../table/table-entry.ts';
import { blockingByUid, haveSameOwners } from '../table/owner-index.ts';
import type { OwnershipChanges } from '../../protocol/upkeep-protocol.ts';
import type { StagedWrite } from './write-pipeline.ts';

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
