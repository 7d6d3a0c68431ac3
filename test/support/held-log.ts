/** A log whose appends a test can hold back and make fail. */
import { StoreError } from '../../src/storage/store.ts';
import type { LogEntry, Removal, TypeLog } from '../../src/storage/store.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { newGate } from './gate.ts';
import type { Gate } from './gate.ts';

export class HeldLog implements TypeLog {
  readonly #log: TypeLog;
  /** Versions of each append that was asked for, failed ones included. */
  readonly appends: number[][] = [];
  #gate: Gate | undefined;
  /** Acts like a disk that is nearly full. */
  isNearlyFull = false;

  constructor(log: TypeLog = new MemoryStore().openLog('held')) {
    this.#log = log;
  }

  /** From now on appends wait. */
  hold(): void {
    this.#gate ??= newGate();
  }

  /** Lets the appends that wait, and those to come, go through. */
  release(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** Makes the appends that wait fail; those to come go through. */
  fail(reason: string | Error): void {
    this.#gate?.fail(typeof reason === 'string' ? new Error(reason) : reason);
    this.#gate = undefined;
  }

  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    this.appends.push(entries.map(({ rv }) => rv));
    await this.#gate?.promise;
    await this.#log.append(entries, removal);
  }

  checkRoom(): void {
    if (this.isNearlyFull) throw new StoreError('the disk is nearly full');
  }

  async fill(entries: readonly LogEntry[]): Promise<void> {
    await this.#gate?.promise;
    await this.#log.fill(entries);
  }

  async rewrite(entries: readonly LogEntry[]): Promise<void> {
    await this.#gate?.promise;
    await this.#log.rewrite(entries);
  }

  read(rv: number): Uint8Array | undefined {
    return this.#log.read(rv);
  }

  scan(afterRv: number, visit: (rv: number, value: Uint8Array) => boolean): void {
    this.#log.scan(afterRv, visit);
  }

  count(): number {
    return this.#log.count();
  }

  horizon(): number {
    return this.#log.horizon();
  }
}
