/**
 * The metrics of a front's way to one shard: requests under way, creates that are proposed, and
 * watches.
 */
import type { Cell } from '../../observability/metrics/cells.ts';
import { SeriesSet } from '../../observability/metrics/thread-metrics.ts';
import type { Watch } from './watch-records.ts';
import { EventAges } from './event-ages.ts';

const POPULATIONS = ['catchingUp', 'live', 'slow'] as const;

interface Cells {
  readonly mailbox: Cell;
  readonly proposed: Cell;
  readonly overflows: Cell;
  readonly watches: ReadonlyMap<Watch['population'], Cell>;
  readonly lagEvents: Cell;
  readonly lagSeconds: Cell;
}

/** Types that nobody asks for have no cells. */
export class FanoutMetrics {
  readonly #resource: string;
  readonly #series = new SeriesSet();
  readonly #ages = new EventAges();
  #known: Cells | undefined;

  constructor(resource: string) {
    this.#resource = resource;
  }

  /** A watch has fallen out of the ring of its channel. */
  overflowed(watch: Watch): void {
    this.#ages.left(watch);
    this.#cells.overflows.add();
  }

  /** A create was proposed in the place of the shard. */
  proposed(): void {
    this.#cells.proposed.add();
  }

  /** Looks how things are. */
  sample(requests: number, watches: ReadonlySet<Watch>): void {
    if (requests === 0 && watches.size === 0 && this.#known === undefined) return;
    const cells = this.#cells;
    cells.mailbox.set(requests);
    const counts = { catchingUp: 0, live: 0, slow: 0 };
    let lag = 0;
    for (const { population, channel, cursor } of watches) {
      counts[population]++;
      if (channel !== undefined) lag = Math.max(lag, channel.ring.nextSeq - cursor);
    }
    for (const [population, cell] of cells.watches) cell.set(counts[population]);
    cells.lagEvents.set(lag);
    cells.lagSeconds.set(this.#ages.oldestMs(watches, performance.now()) / 1_000);
  }

  release(): void {
    this.#series.release();
  }

  get #cells(): Cells {
    const series = this.#series;
    const labels = { resource: this.#resource };
    return (this.#known ??= {
      mailbox: series.cell('shardplane_mailbox_requests', labels),
      proposed: series.cell('shardplane_proposed_creates_total', labels),
      overflows: series.cell('shardplane_watch_ring_overflows_total', labels),
      watches: new Map(
        POPULATIONS.map((population) => [
          population,
          series.cell('shardplane_watches', { ...labels, population }),
        ]),
      ),
      lagEvents: series.cell('shardplane_watch_lag_events', labels),
      lagSeconds: series.cell('shardplane_watch_lag_seconds', labels),
    });
  }
}
