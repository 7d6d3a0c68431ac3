/** Counts what a thread has etcd do (src/observability/README.md#metrics). */
import { THREAD_SERIES } from '../observability/metrics/thread-metrics.ts';
import type { JournalMetrics } from '../journal/journaled-log.ts';

/** Of the threads with shards. */
export function journalMetrics(): JournalMetrics {
  const seconds = THREAD_SERIES.histogram('shardplane_journal_transaction_duration_seconds', {});
  const writes = THREAD_SERIES.histogram('shardplane_journal_transaction_writes', {});
  const bytes = THREAD_SERIES.cell('shardplane_journal_transaction_bytes_total', {});
  const doubts = THREAD_SERIES.cell('shardplane_journal_doubts_total', {});
  return {
    committed(count, size, took) {
      writes.observe(count);
      bytes.add(size);
      seconds.observe(took);
    },
    inDoubt: () => doubts.add(1),
  };
}

/** Of the main thread: whose the types are, and how far this server is behind. */
export class ServerMetrics {
  readonly #owner = THREAD_SERIES.cell('shardplane_owner', {});
  readonly #takeovers = THREAD_SERIES.cell('shardplane_takeovers_total', {});
  readonly #journal = THREAD_SERIES.cell('shardplane_journal_revision', {});
  readonly #view = THREAD_SERIES.cell('shardplane_view_revision', {});
  readonly #lag = THREAD_SERIES.cell('shardplane_view_lag_seconds', {});
  /** The newest revision when it was last known to have been seen. */
  #asked = 0;
  #askedMs = performance.now();

  constructor() {
    this.#owner.set(0);
    this.#lag.set(0);
  }

  owned(): void {
    this.#owner.set(1);
    this.#takeovers.add(1);
  }

  /** What etcd and the view have: told about once a second. */
  tell(revision: number, seen: number): void {
    const nowMs = performance.now();
    this.#journal.set(revision);
    this.#view.set(seen);
    if (seen >= this.#asked) {
      this.#asked = revision;
      this.#askedMs = nowMs;
      this.#lag.set(0);
    } else this.#lag.set((nowMs - this.#askedMs) / 1_000);
  }
}
