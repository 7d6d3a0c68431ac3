/** A log whose commits are counted, and timed. */
import type { LogEntry, Removal, TypeLog } from '../../storage/store.ts';
import { DecoratedLog } from '../../storage/decorated-log.ts';
import type { ShardMetrics } from './shard-metrics.ts';

export type CommitMetrics = Pick<ShardMetrics, 'committed' | 'commitFailed'>;

export class CountedLog extends DecoratedLog {
  readonly #metrics: CommitMetrics;

  constructor(log: TypeLog, metrics: CommitMetrics) {
    super(log);
    this.#metrics = metrics;
  }

  /** Appends, and counts the commit, unless it only drops old versions. */
  override async append(entries: readonly LogEntry[], removal?: Removal): Promise<void> {
    if (entries.length === 0) return super.append(entries, removal);
    const startMs = performance.now();
    try {
      await super.append(entries, removal);
    } catch (error) {
      this.#metrics.commitFailed();
      throw error;
    }
    this.#metrics.committed(entries, (performance.now() - startMs) / 1_000);
  }
}
