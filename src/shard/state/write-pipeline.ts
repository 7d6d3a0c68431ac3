/**
 * From a prepared write to its answer: staged in mailbox order, committed in groups (what is staged
 * while one is under way shares the next), then applied, answered and published.
 *
 * A later write may be prepared on top of one that is not committed yet; reads and watches see
 * committed state only. When a commit fails, everything staged by then fails with it, since it
 * may rest on what failed, and the table is as before.
 */
import { assert } from '../../base/assert.ts';
import { COMMIT_BYTES_MAX, COMMIT_WRITES_MAX } from '../../limits.ts';
import type { Clock } from '../../sequencer/version-clock.ts';
import type { Operation, OwnerLink } from '../../storage/record.ts';
import type { TypeLog } from '../../storage/store.ts';

export interface StagedWrite {
  readonly rv: number;
  readonly key: string;
  readonly operation: Operation;
  /** The version that it supersedes; 0 for none. */
  readonly previousRv: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: readonly string[];
  readonly timeMs: number;
  /** The object's own; told where garbage is collected. */
  readonly uid?: string | undefined;
  readonly owners?: readonly OwnerLink[] | undefined;
  /** Bits of `AWAITS`. */
  readonly awaits?: number;
  /** Who follows the type need not know of it to be current (src/replicas/README.md#replicas). */
  readonly isQuiet?: boolean | undefined;
  /** It is in the journal, by another server (src/journal/README.md). */
  readonly isDecided?: true;
  /** The log's value: header and wire bytes. */
  readonly record: Buffer;
  /** Answers the client; the write is committed and applied. */
  committed(): void;
  /** Answers the client; the write did not happen. */
  failed(error: Error): void;
}

/** How much one commit may hold, and how many may be under way. */
export interface GroupBounds {
  readonly writesMax: number;
  readonly bytesMax: number;
  /**
   * More than one asks of the log that an append which follows a failed one fails too.
   */
  readonly underWayMax: number;
}

export interface PipelineOptions {
  readonly log: Pick<TypeLog, 'append'>;
  readonly clock: Clock;
  /** Absent for those of a disk. */
  readonly groups?: GroupBounds | undefined;
  /** Resolves once versions up to `rv` are leased. */
  readonly lease: (rv: number) => Promise<void>;
  /** A committed write becomes state. Runs before its answer. */
  readonly apply: (write: StagedWrite) => void;
  /** Told of the writes of a commit before any of them is answered, or seen by anybody. */
  readonly onApplied?: ((writes: readonly StagedWrite[]) => void) | undefined;
  /** A committed write goes to the watches. Runs after its answer. */
  readonly publish: (write: StagedWrite) => void;
  /** All answers and events of a commit were handed over. */
  readonly onCommitEnd: () => void;
}

const DISK_GROUPS: GroupBounds = {
  writesMax: COMMIT_WRITES_MAX,
  bytesMax: COMMIT_BYTES_MAX,
  underWayMax: 1,
};
/** Fewer writes wait for the end of the commit that is under way: each commit has its price. */
const FURTHER_WRITES_MIN = 8;

/** Called with what a commit failed with, or with nothing. */
type Outcome = (error?: Error) => void;

interface Commit {
  readonly writes: readonly StagedWrite[];
  /** Of the clock of `performance`. */
  readonly startMs: number;
  /** Once the log has said what became of it. */
  outcome?: { readonly error: Error | undefined };
}

export class WritePipeline {
  readonly #options: PipelineOptions;
  #staged: StagedWrite[] = [];
  /** Commits that are under way, the oldest first. */
  readonly #underWay: Commit[] = [];
  /** The newest uncommitted write of each key. */
  readonly #uncommitted = new Map<string, StagedWrite>();
  readonly #waiting = new Map<StagedWrite, Outcome[]>();
  #afterCommit: (() => void)[] = [];
  #idle: (() => void)[] = [];
  #appliedRv: number;
  /** Whether the newest commit that is under way is not with the log yet. */
  #isLeasing = false;
  /** When the commit began whose writes are being answered, of the clock of `performance`. */
  #answeredSinceMs: number | undefined;

  constructor(options: PipelineOptions, appliedRv: number) {
    this.#options = options;
    this.#appliedRv = appliedRv;
  }

  /** The last version of this type that reads and watches may see. */
  get appliedRv(): number {
    return this.#appliedRv;
  }

  get committing(): boolean {
    return this.#underWay.length > 0 || this.#answeredSinceMs !== undefined;
  }

  /** The time that the commit took whose writes are being answered; undefined at other times. */
  get answeredCommitMs(): number | undefined {
    return this.#answeredSinceMs && performance.now() - this.#answeredSinceMs;
  }

  /** The newest uncommitted write of a key, which the next one has to build on. */
  uncommitted(key: string): StagedWrite | undefined {
    return this.#uncommitted.get(key);
  }

  /** Visits the keys that begin with `prefix` and have uncommitted writes. */
  uncommittedKeys(prefix: string, visit: (key: string) => void): void {
    for (const key of this.#uncommitted.keys()) if (key.startsWith(prefix)) visit(key);
  }

  /** The oldest version that is not committed; undefined for none. */
  oldest(): number | undefined {
    return (this.#underWay[0]?.writes ?? this.#staged)[0]?.rv;
  }

  /** The oldest version that is in no commit yet; undefined for none. */
  oldestStaged(): number | undefined {
    return this.#staged[0]?.rv;
  }

  /** The version of a list built now: every change above it is still to be published. */
  listVersion(): number {
    const oldest = this.oldest();
    const current = Math.max(this.#options.clock.current(), this.#appliedRv);
    return oldest === undefined ? current : Math.min(oldest - 1, current);
  }

  stage(write: StagedWrite): void {
    const lastRv = this.#newest()?.rv ?? this.#appliedRv;
    assert(write.rv > lastRv, `version ${write.rv} staged after ${lastRv}`);
    this.#staged.push(write);
    this.#uncommitted.set(write.key, write);
  }

  /**
   * Runs `then` when the newest write of the key is committed or failed, with what it failed with;
   * at once if there is none.
   */
  afterPending(key: string, then: Outcome): void {
    const write = this.#uncommitted.get(key);
    if (write === undefined) {
      then();
      return;
    }
    this.#await(write, then);
  }

  /** Resolves when all that is staged by now is committed or failed, whatever follows it. */
  settled(): Promise<void> {
    this.kick();
    const newest = this.#newest();
    if (newest === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#await(newest, () => resolve()));
  }

  /** Runs `then` after the oldest commit that is under way, or the next one. */
  afterCommit(then: () => void): void {
    this.#afterCommit.push(then);
  }

  /** Begins to commit what is staged, as far as it may: the rest goes on by itself. */
  kick(): void {
    while (this.#mayBegin()) {
      const writes = this.#staged.splice(0, this.#batchLength());
      const commit: Commit = { writes, startMs: performance.now() };
      this.#underWay.push(commit);
      // An error thrown here is a bug of apply or publish, and must end the actor.
      void this.#commit(commit);
    }
  }

  /** Resolves when nothing is staged or in flight. */
  idle(): Promise<void> {
    this.kick();
    if (!this.committing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** The newest write that is not committed. */
  #newest(): StagedWrite | undefined {
    return this.#staged.at(-1) ?? this.#underWay.at(-1)?.writes.at(-1);
  }

  #mayBegin(): boolean {
    const newest = this.#staged.at(-1);
    if (newest === undefined || this.#answeredSinceMs !== undefined) return false;
    return this.#underWay.length === 0 || this.#mayBeginFurther(newest.rv);
  }

  /** Whether a commit may begin beside those that are under way. */
  #mayBeginFurther(newestRv: number): boolean {
    const { groups = DISK_GROUPS, clock } = this.#options;
    const { length } = this.#underWay;
    if (length >= groups.underWayMax || this.#staged.length < FURTHER_WRITES_MIN) return false;
    // One that waits for a lease, or is of a view, is with the log before the next begins.
    const beside = [this.#underWay.at(-1)?.writes[0], this.#staged[0]];
    const isOfView = beside.some((write) => write?.isDecided === true);
    return !this.#isLeasing && newestRv <= clock.leased() && !isOfView;
  }

  async #commit(commit: Commit): Promise<void> {
    const error = await this.#append(commit.writes);
    commit.outcome = { error };
    // Appends of one turn may settle in any order.
    for (let first = this.#underWay[0]; first?.outcome !== undefined;) {
      this.#end(first, first.outcome.error);
      first = this.#underWay[0];
    }
  }

  #end({ writes, startMs }: Commit, error: Error | undefined): void {
    this.#answeredSinceMs = startMs;
    if (error === undefined) this.#finish(writes);
    else this.#fail(error);
    this.#answeredSinceMs = undefined;
    const after = this.#afterCommit;
    this.#afterCommit = [];
    for (const then of after) then();
    this.#options.onCommitEnd();
    this.kick();
    if (this.committing) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  /** The number of writes in the next commit: at least one, and all decided alike. */
  #batchLength(): number {
    const { writesMax, bytesMax } = this.#options.groups ?? DISK_GROUPS;
    const isFirstDecided = this.#staged[0]?.isDecided;
    let bytes = 0;
    let length = 0;
    for (const { record, isDecided } of this.#staged) {
      bytes += record.length;
      if (length > 0 && (bytes > bytesMax || isDecided !== isFirstDecided)) break;
      length++;
      if (length === writesMax) break;
    }
    return length;
  }

  async #append(writes: readonly StagedWrite[]): Promise<Error | undefined> {
    const last = writes.at(-1);
    try {
      if (last !== undefined && last.rv > this.#options.clock.leased()) {
        this.#isLeasing = true;
        await this.#options.lease(last.rv);
      }
      const appended = this.#options.log.append(
        writes.map(({ rv, record, isDecided }) =>
          isDecided ? { rv, value: record, isDecided } : { rv, value: record },
        ),
      );
      this.#isLeasing = false;
      await appended;
      return undefined;
    } catch (error) {
      this.#isLeasing = false;
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #finish(writes: readonly StagedWrite[]): void {
    for (const write of writes) {
      if (this.#uncommitted.get(write.key) === write) this.#uncommitted.delete(write.key);
      this.#options.apply(write);
      this.#appliedRv = write.rv;
    }
    this.#underWay.shift();
    const { onApplied, publish } = this.#options;
    onApplied?.(writes);
    for (const write of writes) {
      write.committed();
      this.#release(write);
    }
    for (const write of writes) publish(write);
  }

  #fail(error: Error): void {
    const underWay = this.#underWay.splice(0).flatMap(({ writes }) => writes);
    const failed = [...underWay, ...this.#staged];
    this.#staged = [];
    this.#uncommitted.clear();
    for (const write of failed) {
      write.failed(error);
      this.#release(write, error);
    }
  }

  #await(write: StagedWrite, then: Outcome): void {
    const waiting = this.#waiting.get(write);
    if (waiting === undefined) this.#waiting.set(write, [then]);
    else waiting.push(then);
  }

  #release(write: StagedWrite, error?: Error): void {
    const waiting = this.#waiting.get(write);
    if (waiting === undefined) return;
    this.#waiting.delete(write);
    for (const then of waiting) then(error);
  }
}
