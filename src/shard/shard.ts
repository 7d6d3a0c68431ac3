/**
 * The state of one shard, and what its verbs share: the objects of one resource type in memory,
 * their log, the write pipeline and the watch hub. No messages here: see `shard-actor.ts`.
 */
import { randomUUID } from 'node:crypto';
import { assert } from '../base/assert.ts';
import { PageTurns } from '../base/page-turns.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import { PAGE_TURN_BYTES } from '../limits.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { KindRuntime } from '../resources/kind-runtime.ts';
import type { VersionClock } from '../sequencer/version-clock.ts';
import { decodeRecordHeader, encodeRecord, OPERATION, wireBytes } from '../storage/record.ts';
import type { Operation, RecordHeader } from '../storage/record.ts';
import { StoreError } from '../storage/store.ts';
import type { TypeLog } from '../storage/store.ts';
import { ContinueTokens } from './continue-token.ts';
import { EventHistory } from './event-history.ts';
import { NamespaceReplica } from './namespace-replica.ts';
import { ObjectTable } from './object-table.ts';
import type { TableEntry } from './object-table.ts';
import { PastStates } from './past-states.ts';
import { PageBuffer } from './page-buffer.ts';
import { WatchHub } from './watch-hub.ts';
import { eventPrefixes } from './wire.ts';
import { WritePipeline } from './write-pipeline.ts';
import type { Write } from './write-pipeline.ts';

export interface ShardOptions {
  readonly kind: KindRuntime;
  readonly log: TypeLog;
  readonly clock: VersionClock;
  readonly historyMs: number;
  readonly nowMs: () => number;
  readonly newUid?: () => string;
  readonly lease: (rv: number) => Promise<void>;
  readonly onCommitEnd: () => void;
  /** What a committed write brings about before it is answered (namespaces). */
  readonly beforeAnswer?: ((write: Write, then: () => void) => void) | undefined;
  readonly onError: (error: Error) => void;
  /** What continue tokens are signed with; the same after a restart. */
  readonly continueTokenKey: string;
}

/** The newest state of an object, committed or not: what the next write builds on. */
export interface Latest {
  readonly rv: number;
  /** The object's wire text. */
  readonly wire: string;
  readonly object: ApiObject;
}

/** A write as a verb prepares it. */
export interface PreparedWrite {
  readonly operation: Operation;
  readonly rv: number;
  readonly key: string;
  readonly previousRv: number;
  /** Whose labels and fields are recorded: the state after, or the last one of a deletion. */
  readonly object: ApiObject;
  readonly wire: string;
  readonly committed: (record: Buffer) => void;
  readonly failed: (error: Error) => void;
}

/** A failed commit makes the server unready for so long, in case nobody tries another write. */
const FAILURE_SHOWN_MS = 10_000;

export class Shard {
  readonly kind: KindRuntime;
  readonly clock: VersionClock;
  readonly table: ObjectTable;
  readonly namespaces = new NamespaceReplica();
  /** Where each page of a list or watch is put together, in its turn. */
  readonly page = new PageBuffer();
  readonly pageTurns = new PageTurns(PAGE_TURN_BYTES);
  readonly hub: WatchHub;
  readonly history: EventHistory;
  readonly past: PastStates;
  readonly continueTokens: ContinueTokens;
  readonly pipeline: WritePipeline;
  readonly log: TypeLog;
  readonly newUid: () => string;
  readonly nowMs: () => number;
  /** Work that nobody waits for ends. */
  stopping = false;
  #failure: { readonly error: Error; readonly timeMs: number } | undefined;
  /** What a commit replaced, from its application until its publication. */
  readonly #replaced = new Map<number, TableEntry>();

  /** Reads the whole log. Throws StoreError when a record is damaged. */
  constructor(options: ShardOptions) {
    const { kind, log, clock, lease, onCommitEnd } = options;
    this.kind = kind;
    this.clock = clock;
    this.table = new ObjectTable(kind.indexedPositions);
    this.log = log;
    this.nowMs = options.nowMs;
    this.newUid = options.newUid ?? randomUUID;
    this.hub = new WatchHub(eventPrefixes(kind), kind.indexedPositions);
    this.history = new EventHistory(log, options.historyMs, options.nowMs, options.onError);
    this.continueTokens = new ContinueTokens(options.continueTokenKey, kind.key);
    this.past = new PastStates(this.history, log);
    this.pipeline = new WritePipeline(
      {
        log: this.history,
        clock,
        lease,
        apply: (write) => this.#apply(write),
        beforeAnswer: options.beforeAnswer,
        publish: (write) => this.#publish(write),
        onCommitEnd,
      },
      this.#load(),
    );
  }

  keyOf(namespace: string, name: string): string {
    return this.kind.definition.namespaced ? `${namespace}/${name}` : name;
  }

  /** The wire bytes of a live version. Valid until the next call on the log. */
  wireAt(rv: number): Uint8Array {
    const wire = this.historicWireAt(rv);
    assert(wire !== undefined, `version ${rv} is not in the log of ${this.kind.key}`);
    return wire;
  }

  /** The same for a version that may have left the history window, and is then undefined. */
  historicWireAt(rv: number): Uint8Array | undefined {
    const record = this.log.read(rv);
    return record === undefined ? undefined : wireBytes(record);
  }

  /** The newest state of an object, uncommitted writes included; undefined if it is gone. */
  latest(key: string): Latest | undefined {
    const write = this.pipeline.uncommitted(key);
    if (write?.operation === OPERATION.deleted) return undefined;
    const rv = write?.rv ?? this.table.get(key)?.rv;
    if (rv === undefined) return undefined;
    const bytes = write === undefined ? this.wireAt(rv) : wireBytes(write.record);
    const wire = decodeUtf8(bytes);
    return { rv, wire, object: this.decodeStored(wire) };
  }

  decodeStored(wire: string): ApiObject {
    return this.kind.codec.decode(`{${wire}`).object as ApiObject;
  }

  /** Whether a create of this key would meet a live object. */
  exists(key: string): boolean {
    const write = this.pipeline.uncommitted(key);
    if (write !== undefined) return write.operation !== OPERATION.deleted;
    return this.table.get(key) !== undefined;
  }

  /** Why a commit failed not long ago; undefined when none did. */
  recentFailure(): Error | undefined {
    if (this.#failure === undefined) return undefined;
    const ageMs = this.nowMs() - this.#failure.timeMs;
    return ageMs < FAILURE_SHOWN_MS ? this.#failure.error : undefined;
  }

  /** Hands a prepared write to the pipeline; it commits at the end of the turn. */
  stage(prepared: PreparedWrite): void {
    const { operation, rv, key, previousRv, object, wire } = prepared;
    const labels = object.metadata.labels;
    const fields = this.kind.fieldsOf(object);
    const timeMs = this.nowMs();
    const record = encodeRecord({ operation, timeMs, previousRv, key, labels, fields }, wire);
    this.pipeline.stage({
      rv,
      key,
      operation,
      previousRv,
      labels,
      fields,
      timeMs,
      record,
      committed: () => prepared.committed(record),
      failed: (error) => {
        this.#failure = { error, timeMs: this.nowMs() };
        prepared.failed(error);
      },
    });
  }

  #apply(write: Write): void {
    const { key, rv, labels, fields, previousRv, timeMs } = write;
    const replaced = this.table.get(key);
    if (replaced !== undefined) this.#replaced.set(rv, replaced);
    if (previousRv !== 0) this.history.superseded(previousRv, rv, timeMs);
    if (write.operation === OPERATION.deleted) {
      this.table.delete(key);
      this.history.superseded(rv, rv, timeMs);
    } else {
      this.table.set({ key, rv, labels, fields });
    }
  }

  #publish(write: Write): void {
    const before = this.#replaced.get(write.rv);
    this.#replaced.delete(write.rv);
    this.hub.publish({
      rv: write.rv,
      key: write.key,
      before,
      after: write.operation === OPERATION.deleted ? undefined : write,
      wire: wireBytes(write.record),
      previousWire: () => this.wireAt(write.previousRv),
    });
  }

  #headerOf(rv: number, value: Uint8Array): RecordHeader {
    try {
      return decodeRecordHeader(value);
    } catch (error) {
      throw new StoreError(
        `the stored version ${rv} of ${this.kind.key} is damaged (${(error as Error).message}): ` +
          'restore the data folder from a backup',
      );
    }
  }

  /** Rebuilds table and history from the log; returns its last version. */
  #load(): number {
    const entries = new Map<string, TableEntry>();
    let lastRv = 0;
    this.log.scan(0, (rv, value) => {
      const { operation, key, previousRv, timeMs, labels, fields } = this.#headerOf(rv, value);
      lastRv = rv;
      // Otherwise it was dropped before.
      if (previousRv !== 0 && entries.get(key)?.rv === previousRv) {
        this.history.superseded(previousRv, rv, timeMs);
      }
      if (operation === OPERATION.deleted) {
        entries.delete(key);
        this.history.superseded(rv, rv, timeMs);
      } else {
        entries.set(key, { key, rv, labels, fields });
      }
      return true;
    });
    this.table.load(entries);
    return lastRv;
  }
}
