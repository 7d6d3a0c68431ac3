/**
 * Flushes a store whose commits do not wait for the disk (README.md#power-cuts). A flush takes the
 * root of the newest commit, has the disk take all that was written until then, and puts that root
 * into the mark, from which a start goes on after a power cut. Any thread may flush.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { RootDatabase, Transaction } from 'lmdb';
import type { Timers } from '../base/time/timers.ts';
import { FLUSH_INTERVAL_MS } from './limits.ts';
import { newestOf, readRoots } from './lmdb-root.ts';
import type { Root } from './lmdb-root.ts';
import { readMark, witnessOf, writeMark } from './store-mark.ts';
import type { Witness } from './store-mark.ts';

const flushFile = promisify(fdatasync);

type Environment = RootDatabase<Buffer, Buffer>;

export class Flusher {
  readonly #environment: Environment;
  readonly #descriptor: number;
  readonly #witness: Witness;
  /** The number of the newest root that is in the mark on the disk, as far as this thread knows. */
  #flushed = -1n;

  constructor(environment: Environment, file: string) {
    this.#environment = environment;
    this.#descriptor = openSync(file, 'r+');
    this.#witness = witnessOf(this.#descriptor);
  }

  /** Resolves when all commits so far would be found after a power cut. */
  async flush(): Promise<void> {
    // No commit writes a root meanwhile.
    const root = this.#environment.transactionSync(() => this.#newest());
    if (root.transaction === this.#flushed) return;
    await flushFile(this.#descriptor);
    this.#environment.transactionSync(() => this.#mark(root));
    await flushFile(this.#descriptor);
    this.#flushed = root.transaction;
  }

  /** Flushes before it returns; nobody commits meanwhile. */
  flushNow(): void {
    this.#environment.transactionSync(() => {
      const root = this.#newest();
      fdatasyncSync(this.#descriptor);
      this.#mark(root);
      fdatasyncSync(this.#descriptor);
      this.#flushed = root.transaction;
    });
  }

  /** Whether nothing was committed since this thread has flushed. */
  get isDone(): boolean {
    return this.#newest().transaction === this.#flushed;
  }

  #newest(): Root {
    return newestOf(readRoots(this.#descriptor));
  }

  /** Other threads may have flushed more. */
  #mark(root: Root): void {
    const mark = readMark(this.#descriptor, root.pageSize);
    if (mark !== undefined && mark.root.transaction > root.transaction) return;
    writeMark(this.#descriptor, { isFlushed: false, witness: this.#witness, root });
  }

  /** Nobody has the store open any more, and all of it is flushed. */
  markAllFlushed(): void {
    writeMark(this.#descriptor, { isFlushed: true, witness: this.#witness, root: this.#newest() });
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

type Readers = Pick<Environment, 'useReadTransaction' | 'resetReadTxn'>;
type Flushes = Pick<Flusher, 'flush' | 'flushNow' | 'isDone'>;

/**
 * Flushes now and then, in one thread of those that have the store open. The state that the mark
 * leads to is not written over: a reader of it, or of an older one, is held until the next mark is
 * there.
 */
export class RegularFlusher {
  readonly #environment: Readers;
  readonly #flusher: Flushes;
  readonly #flushMsMax: number;
  readonly #stopTimer: () => void;
  readonly #onError: (error: Error) => void;
  #reader: Transaction;
  #flushing: Promise<void> | undefined;
  #flushingMs = 0;

  /**
   * Nothing was committed since the file was settled. Commits wait for a flush that takes longer
   * than `flushMsMax`.
   */
  constructor(
    environment: Readers,
    flusher: Flushes,
    timers: Timers,
    flushMsMax: number,
    onError: (error: Error) => void,
  ) {
    this.#flushMsMax = flushMsMax;
    this.#environment = environment;
    this.#flusher = flusher;
    this.#onError = onError;
    this.#reader = environment.useReadTransaction();
    this.#stopTimer = timers.every(FLUSH_INTERVAL_MS, () => this.#look());
  }

  #look(): void {
    try {
      if (this.#flushing === undefined) {
        if (!this.#flusher.isDone) this.#begin();
        return;
      }
      this.#flushingMs += FLUSH_INTERVAL_MS;
      // Writers are faster than the disk: they wait.
      if (this.#flushingMs >= this.#flushMsMax) this.#flusher.flushNow();
    } catch (error) {
      this.#onError(error as Error);
    }
  }

  #begin(): void {
    this.#flushingMs = 0;
    this.#flushing = this.#flush()
      .catch(this.#onError)
      .finally(() => (this.#flushing = undefined));
  }

  async #flush(): Promise<void> {
    this.#environment.resetReadTxn();
    const reader = this.#environment.useReadTransaction();
    await this.#flusher.flush();
    this.#reader.done();
    this.#reader = reader;
  }

  /** Flushes once more, and no longer. */
  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#flushing;
    await this.#flusher.flush();
    this.#reader.done();
  }
}
