/** The metrics of the watches of a type in a version. */
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import type { SeriesSet } from '../../observability/metrics/thread-metrics.ts';

const LINE_FEED = 0x0a;
const LENGTH_BYTES = 4;

export class WatchMetrics {
  readonly registered: Cell;
  readonly #events: Cell;
  readonly #sizes: Histogram;

  constructor(
    series: SeriesSet,
    labels: Readonly<Record<'group' | 'kind' | 'resource' | 'version', string>>,
  ) {
    this.registered = series.cell('apiserver_registered_watchers', labels);
    this.#events = series.cell('apiserver_watch_events_total', labels);
    this.#sizes = series.histogram('apiserver_watch_events_sizes', labels);
  }

  /** An event is sent. */
  sent(bytes: number): void {
    this.#events.add();
    this.#sizes.observe(bytes);
  }

  /** Several events are sent, one after another: lines, or frames of protobuf. */
  sentPage(events: Uint8Array, encoding: Form['encoding']): void {
    for (let start = 0; start < events.length;) {
      const end = encoding === 'protobuf' ? endOfFrame(events, start) : endOfLine(events, start);
      this.sent(end - start);
      start = end;
    }
  }
}

function endOfLine(events: Uint8Array, start: number): number {
  const end = events.indexOf(LINE_FEED, start) + 1;
  return end === 0 ? events.length : end;
}

function endOfFrame(frames: Uint8Array, start: number): number {
  const view = new DataView(frames.buffer, frames.byteOffset, frames.length);
  return start + LENGTH_BYTES + view.getUint32(start);
}
