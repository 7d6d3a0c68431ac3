/**
 * The store (README.md): one log per resource type, plus a small table of settings.
 *
 * A log maps a resourceVersion to a record (see `record.ts`). Guarantees of every implementation:
 *
 * - `append` is atomic: after a crash either all of its records are there or none. Its promise
 *   settles once the records are as durable as the store's mode promises (`fsync`: on the disk;
 *   `relaxed`: committed, and on the disk with the next flush: README.md#power-cuts). When it
 *   rejects, none of its records is there.
 * - Appends of one log become visible in the order they were made; versions only grow.
 * - `read` and `scan` of the owner see every append whose promise has resolved.
 * - A log has one owner, the shard of its type: nobody else reads or writes it.
 * - Damaged records are never given: reading one throws StoreError. The one exception is a record
 *   that `read` has checked within CHECKED_MS_MAX: damage since then is given until then.
 * - A removal is atomic with what it is appended with, and moves the horizon, which never moves
 *   back: in what is stored with the commit, for readers as soon as it is asked for. When the
 *   commit fails, all that it was to drop is still there, and readers are told the new horizon
 *   until the store is opened again.
 */
export const STORE_FORMAT = 5;

/** The shared setting above which no version was ever used. */
export const HIGH_WATER_SETTING = 'highWater';
/** The setting, one of `local`, under which the name of the server is. */
export const SERVER_ID_SETTING = 'server-id';

export type Durability = 'fsync' | 'relaxed';

export interface LogEntry {
  readonly rv: number;
  readonly value: Uint8Array;
  /** A journal that is not of this log alone has it: only the view of it is to take it. */
  readonly isDecided?: true;
}

/** Records that leave a log in one atomic step. */
export interface Removal {
  /** Versions to drop; one that is not there is passed over. */
  readonly rvs: ArrayLike<number>;
  /** The version up to which history is no longer complete. */
  readonly horizon: number;
}

export interface TypeLog {
  /** Adds `entries` and, in the same commit, drops `removal`. Either may be empty. */
  append(entries: readonly LogEntry[], removal?: Removal): Promise<void>;
  /**
   * Throws StoreError when a record of `bytes` would leave the disk nearly full: then only writes
   * that make room should be appended, which goes on for a while.
   */
  checkRoom(bytes: number): void;
  /**
   * Adds records in any order, in one commit: to a log that was empty, and that nobody reads until
   * all of them are there. Rejects as `append` does.
   */
  fill(entries: readonly LogEntry[]): Promise<void>;
  /**
   * Replaces the records at versions that are there, in one commit. When it rejects, all of them
   * are as before. No removal of any of these versions may be under way.
   */
  rewrite(entries: readonly LogEntry[]): Promise<void>;
  /** The record at `rv`, or undefined. The bytes are valid until the next call on this log. */
  read(rv: number): Uint8Array | undefined;
  /**
   * Visits the records with a version above `afterRv` in order, until `visit` returns false.
   * The bytes are valid until the next call on this log. Never awaits.
   */
  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void;
  /** The number of records that there should be: a scan from 0 that meets fewer has met damage. */
  count(): number;
  /** A watch can start at this version or any later one. 0 when nothing was dropped. */
  horizon(): number;
}

/** Short texts under names. */
export interface Settings {
  get(name: string): string | undefined;
  /** Durable when it returns, whatever the store's mode. */
  put(name: string, value: string): Promise<void>;
  /** Reads and replaces one under the store's write lock, other processes included. */
  swap(name: string, swap: (value: string | undefined) => string): void;
}

/** All logs as of one moment. */
export interface Moment {
  /** Those of built-in types, by their names. */
  readonly logs: ReadonlyMap<string, TypeLog>;
  readonly customLogs: ReadonlyMap<string, TypeLog>;
}

export interface Store {
  /**
   * What is committed, for a thread that owns none of it: reads of these logs are of one moment
   * until the turn of the thread ends. Nothing may be written to them.
   */
  moment(): Moment;
  /** The log of a built-in type, made if missing. */
  openLog(type: string): TypeLog;
  /**
   * The log of a custom type, made if missing. `name` is that of one definition of the type, such
   * as `widgets.example.com/<uid>`: logs of custom types come and go, and each is its own.
   */
  openCustomLog(name: string): TypeLog;
  /** The names of the logs of custom types that were made and not dropped, by whichever thread. */
  customLogs(): readonly string[];
  /**
   * Drops the log of a custom type; does nothing when there is none. Its owner has stopped. From
   * the call on, durably, there is no such log, and one that is made anew is empty; its records are
   * removed step by step, until the promise settles. Rejects as `append` does: then, as after a
   * crash, `finishDrops` goes on.
   */
  dropLog(name: string): Promise<void>;
  /**
   * Removes the rest of logs that were being dropped when the process ended: called once after a
   * start.
   */
  finishDrops(): Promise<void>;
  /** Settings that servers of one cluster would have in common. No name is in both. */
  readonly shared: Settings;
  /** Settings of this server, and of what is on its disk. */
  readonly local: Settings;
  /**
   * Makes those logs of these types that were never made, all at once, and notes it: from then on
   * `openLog` throws StoreError for one that is missing.
   */
  makeLogs(types: readonly string[]): void;
  /** The types that were noted so. */
  notedLogs(): readonly string[];
  /** No call may be under way or follow. */
  close(): Promise<void>;
}

/** A data folder that cannot be used; `message` tells the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
