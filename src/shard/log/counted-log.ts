/** A log whose commits are counted, and timed. */
import type { LogEntry, Removal, TypeLog } from '../../storage/store.ts';
import type { ShardMetrics } from './shard-metrics.ts';

export class CountedLog implements TypeLog {
  readonly #log: TypeLog;
  readonly #metrics: Pick<ShardMetrics, 'committed' | 'commitFailed'>;

  constructor(log: TypeLog, metrics: Pick<ShardMetrics, 'committed' | 'commitFailed'>) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Appends, and counts the commit, unless it only drops old versions. */
  async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    if (entries.length === 0) return this.#log.append(entries, removal);
    const startMs = performance.now();
    try {
      await this.#log.append(entries, removal);
    } catch (error) {
      this.#metrics.commitFailed();
      throw error;
    }
    this.#metrics.committed(entries, (performance.now() - startMs) / 1_000);
  }

  checkRoom(bytes: number): void {
    this.#log.checkRoom(bytes);
  }

  rewrite(entries: readonly LogEntry[]): Promise<void> {
    return this.#log.rewrite(entries);
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
