/**
 * The state of one shard, and what its verbs share: the objects of one resource type in memory,
 * their log, the write pipeline and the watch hub. No messages here: see `shard-actor.ts`.
 */
import { assert } from '../../base/assert.ts';
import { RANDOMNESS, type Randomness } from '../../base/randomness.ts';
import { BoundedTurns } from '../../base/turns/bounded-turns.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { PAGE_TURN_BYTES } from '../../limits.ts';
import type { AdmissionChain } from '../../admission/chain.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { GrantCheck } from '../../auth/rbac/grant-check.ts';
import type { Allocator, AllocatorFigures } from '../../resources/allocator.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import type { Clock } from '../../sequencer/version-clock.ts';
import { OPERATION, wireBytes } from '../../storage/record.ts';
import { StoreError, type TypeLog } from '../../storage/store.ts';
import { ContinueTokens } from './continue-token.ts';
import { EventHistory } from '../log/event-history.ts';
import type { NamespaceReplica } from '../../admission/namespace-replica.ts';
import { ObjectTable, type EntryStore } from '../table/object-table.ts';
import { TableEntries, type EntryFacts } from '../table/table-entries.ts';
import type { TableEntry } from '../table/table-entry.ts';
import { OwnerIndex } from '../table/owner-index.ts';
import { OwnershipFeed } from './ownership.ts';
import { PastStates } from '../log/past-states.ts';
import { PageBuffer } from './page-buffer.ts';
import { Representations } from '../representation/representations.ts';
import { WatchHub } from './watch-hub.ts';
import type { TranslatingLog } from '../log/translating-log.ts';
import { readLatest, type Latest } from '../log/latest.ts';
import type { ShapedLog } from '../log/shaped-log.ts';
import { roomRefusal, shardLog } from '../log/shard-log.ts';
import { StoredHeaders } from '../log/stored-headers.ts';
import { readFieldsAgain, recordedFields, withAllFields } from './added-fields.ts';
import { loadAllocator } from './load-allocator.ts';
import type { RunJob, ShardOptions } from './shard-options.ts';
import { RestoreCells } from '../../replicas/restore-cells.ts';
import { RestoreState } from './restore-state.ts';
import { LargeWrites } from './large-writes.ts';
import { RecentFailures } from './recent-failures.ts';
import {
  afterRelease,
  recordedAgain,
  recordedDraft,
  recordedObject,
  type Change,
  type Recorded,
} from './change.ts';
import { WritePipeline, type StagedWrite } from './write-pipeline.ts';

type AppliedRecord = EntryFacts & Pick<StagedWrite, 'operation' | 'previousRv' | 'timeMs'>;

export class Shard {
  /** Replaced as a whole when what defines the type has changed. */
  kind: ResourceType;
  readonly clock: Clock;
  readonly table: ObjectTable;
  /** The forms in which objects are shown to clients. */
  readonly representations: Representations;
  /** The namespaces that the thread knows; undefined for a type without namespaces. */
  readonly namespaces: NamespaceReplica | undefined;
  /** Where each page of a list or watch is put together, in its turn. */
  readonly page: PageBuffer;
  readonly pageTurns = new BoundedTurns(PAGE_TURN_BYTES);
  readonly largeWrites = new LargeWrites(this.pageTurns);
  readonly hub: WatchHub;
  readonly history: EventHistory;
  readonly past: PastStates;
  readonly continueTokens: ContinueTokens;
  readonly pipeline: WritePipeline;
  /** All of its records are in the own dialect. */
  readonly log: TypeLog;
  readonly headers: StoredHeaders;
  /** The log, while it is being translated. */
  readonly translation: TranslatingLog | undefined;
  readonly random: Randomness;
  readonly restores: RestoreState;
  /** Whether users may write what they grant by it. */
  readonly grants: GrantCheck | undefined;
  /** Decides what users may do: made in the thread when it is first asked. */
  readonly authorizer: () => Authorizer;
  /** The admission of writes. */
  readonly admission: AdmissionChain;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  /** Commits that failed. */
  readonly failures: RecentFailures;
  /** Background work ends. */
  stopping = false;
  /** Objects of writes that are under way, to which something was allocated. */
  readonly allocating = new Set<ApiObject>();
  readonly #domain = ownDialect().domain;
  /** The log, where how objects are written may change. */
  readonly #shapedLog: ShapedLog | undefined;
  readonly #newAllocator: () => Allocator | undefined;
  readonly #runJob: RunJob | undefined;
  readonly #refusal: () => Error | undefined;
  /** Counted on first use. */
  #allocator: Allocator | undefined;
  /** The entries that a commit replaced, from its application until its publication. */
  readonly #replaced = new Map<number, TableEntry>();
  readonly #ownership: OwnershipFeed | undefined;
  readonly #entries: TableEntries;

  /** Reads the whole log. Throws StoreError when a record is damaged. */
  constructor(options: ShardOptions) {
    const { kind, clock, lease, onCommitEnd, onOwnership, logError } = options;
    this.kind = kind;
    this.clock = clock;
    const owners = onOwnership === undefined ? undefined : new OwnerIndex();
    this.#ownership = onOwnership === undefined ? undefined : new OwnershipFeed(onOwnership);
    this.table = new ObjectTable(kind.indexedPositions, owners);
    this.#entries = new TableEntries(owners !== undefined);
    const overlaid = { ...options, domain: this.#domain };
    const { log, translation, shaped } = shardLog(options.log, overlaid);
    this.log = log;
    this.translation = translation;
    this.#shapedLog = shaped;
    this.headers = new StoredHeaders(
      () => this.kind,
      options.log,
      this.translation && this.#domain,
    );
    this.page = options.page ?? new PageBuffer();
    assert(
      !kind.definition.namespaced || options.namespaces !== undefined,
      `nothing is known of namespaces for ${kind.key}`,
    );
    this.namespaces = options.namespaces;
    this.nowMs = options.nowMs;
    this.failures = new RecentFailures(options.nowMs);
    this.logError = logError;
    this.representations = new Representations(kind, this.nowMs, options.encodings);
    const { kindSettings, otherTypes } = options;
    this.#newAllocator = () =>
      this.kind.definition.newAllocator?.(kindSettings, this.kind.gates, otherTypes);
    this.grants = options.grants;
    this.authorizer = options.authorizer;
    this.admission = options.admission;
    this.#runJob = options.runJob;
    this.#refusal = options.refusal ?? (() => undefined);
    this.random = options.random ?? RANDOMNESS;
    this.restores = options.restores ?? new RestoreState(new RestoreCells(), undefined);
    this.hub = new WatchHub(kind.indexedPositions);
    this.history = new EventHistory(this.log, options.historyMs, options.nowMs, (error) =>
      logError(`compaction of ${kind.key}: ${error.message}`),
    );
    this.continueTokens = new ContinueTokens(options.continueTokenKey, kind.key, this.#domain);
    this.past = new PastStates(this.history, this.headers);
    this.pipeline = new WritePipeline(
      {
        log: this.history,
        clock,
        groups: options.groups,
        lease,
        apply: (write) => this.#apply(write),
        onApplied: options.onApplied,
        publish: (write) => {
          this.#publish(write);
          options.onPublished?.(write);
        },
        onCommitEnd: () => {
          this.#ownership?.flush();
          onCommitEnd();
        },
      },
      this.#load(),
    );
  }

  /** The type is served otherwise from now on; its names and its scope are as they were. */
  retype(kind: ResourceType): void {
    const hasMoreFields = kind.fieldNames.length > this.kind.fieldNames.length;
    this.kind = kind;
    this.#shapedLog?.retype(kind);
    this.representations.retype(kind);
    if (hasMoreFields) readFieldsAgain(this.table, this.headers);
  }

  /** Whether a version that is there would be written otherwise now, though nothing is changed. */
  isStale(rv: number): boolean {
    return this.#shapedLog?.isStale(rv) === true;
  }

  /** Gives a check of a large object that takes long and comes before its validation. */
  slowCheck(kind: ResourceType, object: ApiObject): (() => Promise<void>) | undefined {
    const { slowRules } = kind.definition;
    if (slowRules === undefined || this.#runJob === undefined) return undefined;
    const run = this.#runJob;
    return async () => {
      slowRules.found(object, await run(slowRules.job, kind.stored.codec.encode(object)));
    };
  }

  keyOf(namespace: string, name: string): string {
    return this.kind.keyOf(namespace, name);
  }

  /** The wire bytes of a live version. Valid until the next call on the log. */
  wireAt(rv: number): Uint8Array {
    return wireBytes(this.#recordAt(rv));
  }

  #recordAt(rv: number): Uint8Array {
    const record = this.log.read(rv);
    assert(record !== undefined, `version ${rv} is not in the log of ${this.kind.key}`);
    return record;
  }

  /** The wire bytes of a version, or undefined where it has left the history window. */
  historicWireAt(rv: number): Uint8Array | undefined {
    const record = this.log.read(rv);
    return record === undefined ? undefined : wireBytes(record);
  }

  /** The newest state of an object, uncommitted writes included; undefined if it is gone. */
  latest(key: string): Latest | undefined {
    const rv = this.newestRv(key);
    if (rv === undefined) return undefined;
    const record = this.uncommittedRecord(key) ?? this.#recordAt(rv);
    this.largeWrites.note(key, record.length);
    return readLatest(this.kind, rv, record);
  }

  /** The newest version of an object, committed or not; undefined if it is gone. */
  newestRv(key: string): number | undefined {
    const write = this.pipeline.uncommitted(key);
    if (write?.operation === OPERATION.deleted) return undefined;
    return write?.rv ?? this.table.get(key)?.rv;
  }

  /** The record of the newest write of an object that is not committed; undefined for none. */
  uncommittedRecord(key: string): Uint8Array | undefined {
    const write = this.pipeline.uncommitted(key);
    return write && this.#upToDate(write.record);
  }

  #upToDate(record: Uint8Array): Uint8Array {
    return this.#shapedLog?.asRead(record) ?? record;
  }

  /** The wire bytes of a record that has just been written. */
  writtenWire(record: Uint8Array): Uint8Array {
    return wireBytes(this.#upToDate(record));
  }

  decodeStored(wire: string): ApiObject {
    return this.kind.stored.codec.decode(`{${wire}`).object as ApiObject;
  }

  /**
   * Under which version what a write is answered with is kept, if at all: it is asked for again
   * where there are watches, and is only in the way of the memory where there are none.
   */
  keptAs(rv: number): number {
    return this.hub.channelCount === 0 ? 0 : rv;
  }

  exists(key: string): boolean {
    return this.newestRv(key) !== undefined;
  }

  /** Allocates what no two objects of this kind may share; undefined for most kinds. */
  get allocator(): Allocator | undefined {
    if (this.#allocator === undefined) {
      const allocator = this.#newAllocator();
      if (allocator === undefined) return undefined;
      loadAllocator(allocator, this, (rv) => this.decodeStored(decodeUtf8(this.wireAt(rv))));
      this.#allocator = allocator;
    }
    return this.#allocator;
  }

  get allocated(): AllocatorFigures | undefined {
    return this.#allocator?.figures?.();
  }

  /**
   * Hands a change to the pipeline, for the driver of writes alone. On a disk that is nearly full
   * only deletions go on: what else there is fails at once.
   */
  stage(
    change: Change,
    committed: (record: Buffer) => void = () => undefined,
    failed: (error: Error) => void = () => undefined,
  ): void {
    // Only these members are kept until the commit: objects are large, and many wait.
    const { operation, rv, key, previousRv, isQuiet, release } = change;
    const timeMs = this.nowMs();
    const { labels, fields, owners, awaits, uid, record, isEnding } = this.#recorded(
      change,
      timeMs,
    );
    this.largeWrites.note(key, operation === OPERATION.deleted ? 0 : record.length);
    const fail = (error: Error): void => {
      this.failures.note(error);
      this.forgetAllocations();
      failed(error);
    };
    const refusal =
      this.#refusal() ?? (isEnding ? undefined : roomRefusal(this.log, record.length));
    if (refusal !== undefined) return fail(refusal);
    this.restores.staged(rv);
    this.pipeline.stage({
      rv,
      key,
      operation,
      previousRv,
      labels,
      fields,
      timeMs,
      uid,
      owners,
      awaits,
      isQuiet,
      record,
      committed: () => {
        afterRelease(release, () => committed(record));
      },
      failed: fail,
    });
  }

  #recorded(change: Change, timeMs: number): Recorded {
    if ('draft' in change) return recordedDraft(change, timeMs);
    if ('repeated' in change) return recordedAgain(change, timeMs);
    const { writtenAs = this.kind.storedShape?.writtenAs } = change;
    const fields = recordedFields(this, change);
    return recordedObject(change, { timeMs, domain: this.#domain, writtenAs, fields });
  }

  /** What is allocated is counted again: others have allocated, too. */
  forgetAllocations(): void {
    this.#allocator = undefined;
  }

  #apply(write: StagedWrite): void {
    const { key, rv } = write;
    const replaced = this.table.get(key);
    this.#ownership?.note(write, replaced);
    if (replaced !== undefined) this.#replaced.set(rv, replaced);
    this.#applyRecord(this.table, withAllFields(write, this.kind, this.headers), rv);
  }

  /** Objects and history after a record, one that a start reads or one that was committed. */
  #applyRecord(table: EntryStore, record: AppliedRecord, rv: number): void {
    const { operation, key, previousRv, timeMs } = record;
    // At a start older versions may have been dropped before.
    if (previousRv !== 0 && table.get(key)?.rv === previousRv) {
      this.history.superseded(previousRv, rv, timeMs);
    }
    if (operation === OPERATION.deleted) {
      table.delete(key);
      this.history.superseded(rv, rv, timeMs);
    } else {
      table.set(this.#entries.of(record, rv));
    }
  }

  #publish(write: StagedWrite): void {
    const before = this.#replaced.get(write.rv);
    this.#replaced.delete(write.rv);
    this.hub.publish({
      rv: write.rv,
      key: write.key,
      before,
      after: write.operation === OPERATION.deleted ? undefined : write,
      wire: this.writtenWire(write.record),
      previousWire: () => this.wireAt(write.previousRv),
    });
    this.representations.forget(write.previousRv);
  }

  /** Rebuilds table and history; returns the last version of the log. */
  #load(): number {
    let lastRv = 0;
    let records = 0;
    this.table.load((table) => {
      this.headers.scan(0, (rv, header) => {
        lastRv = rv;
        records++;
        this.#applyRecord(table, header, rv);
        return true;
      });
    });
    if (records !== this.log.count()) {
      throw new StoreError(
        `the log of ${this.kind.key} is damaged: ${records} of its ${this.log.count()} records ` +
          'can be found. Restore the data folder from a backup, and check the disk',
      );
    }
    this.restores.staged(lastRv);
    return lastRv;
  }
}
