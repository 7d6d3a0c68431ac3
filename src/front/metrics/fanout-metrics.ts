/** What a front tells of its way to one shard: requests under way, and watches. */
import type { Cell } from '../../observability/metrics/cells.ts';
import { SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import type { Watch } from '../watch-records.ts';

const POPULATIONS = ['catchingUp', 'live', 'slow'] as const;

/** Types that nobody asks for have no cells. */
export class FanoutMetrics {
  readonly #resource: string;
  readonly #series = new SeriesSet();
  #mailbox: Cell | undefined;
  #overflows: Cell | undefined;
  #watches: ReadonlyMap<Watch['population'], Cell> | undefined;
  #lag: Cell | undefined;

  constructor(resource: string) {
    this.#resource = resource;
  }

  /** A watch has fallen out of the ring. */
  overflowed(): void {
    const resource = this.#resource;
    const name = 'shardplane_watch_ring_overflows_total';
    (this.#overflows ??= this.#series.cell(name, { resource })).add();
  }

  /** Looks how things are. */
  sample(requests: number, watches: ReadonlySet<Watch>): void {
    const resource = this.#resource;
    if (requests > 0 || this.#mailbox !== undefined) {
      this.#mailbox ??= this.#series.cell('shardplane_mailbox_requests', { resource });
      this.#mailbox.set(requests);
    }
    if (watches.size > 0 || this.#watches !== undefined) this.#sampleWatches(watches);
  }

  release(): void {
    this.#series.release();
  }

  #sampleWatches(watches: ReadonlySet<Watch>): void {
    const resource = this.#resource;
    this.#watches ??= new Map(
      POPULATIONS.map((population) => [
        population,
        this.#series.cell('shardplane_watches', { population, resource }),
      ]),
    );
    const overflows = 'shardplane_watch_ring_overflows_total';
    this.#overflows ??= this.#series.cell(overflows, { resource });
    this.#lag ??= this.#series.cell('shardplane_watch_lag_events', { resource });
    const counts = { catchingUp: 0, live: 0, slow: 0 };
    let lag = 0;
    for (const { population, channel, cursor } of watches) {
      counts[population]++;
      if (channel !== undefined) lag = Math.max(lag, channel.ring.nextSeq - cursor);
    }
    for (const [population, cell] of this.#watches) cell.set(counts[population]);
    this.#lag.set(lag);
  }
}
