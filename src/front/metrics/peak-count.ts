/** Counts requests that are in a state: the most of the last second is told. */
import type { Cell } from '../../observability/metrics/cells.ts';
import { sampleEverySecond, THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

export class PeakCount {
  #now = 0;
  #most = 0;

  /** For as long as the thread. */
  constructor(cell: Cell) {
    sampleEverySecond(() => {
      cell.set(this.#most);
      this.#most = this.#now;
    });
  }

  began(): void {
    this.#now++;
    if (this.#now > this.#most) this.#most = this.#now;
  }

  ended(): void {
    this.#now--;
  }
}

type PeakMetric = 'apiserver_current_inflight_requests' | 'apiserver_current_inqueue_requests';

/** Of requests that change something, and of all others. */
export function peaksByKind(
  name: PeakMetric,
): Readonly<Record<'mutating' | 'readOnly', PeakCount>> {
  const of = (request_kind: string): PeakCount =>
    new PeakCount(THREAD_SERIES.cell(name, { request_kind }));
  return { mutating: of('mutating'), readOnly: of('readOnly') };
}
