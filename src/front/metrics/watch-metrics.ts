/** The metrics of the watches of a type in a version. */
import { endOfEvent } from '../../codec/event-ends.ts';
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import type { SeriesSet } from '../../observability/metrics/thread-metrics.ts';

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
      const end = endOfEvent(events, start, encoding);
      this.sent(end - start);
      start = end;
    }
  }
}
