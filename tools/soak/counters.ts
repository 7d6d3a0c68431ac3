/** Counts what happened in the run beside what was wrong. */
import { Histogram } from './histogram.ts';

const ERRORS_NAMED_MAX = 20;

export class Counters {
  /** Watches whose stream is open now. */
  open = 0;
  openMax = 0;
  events = 0;
  /** Events of objects that are not of this run. */
  foreign = 0;
  bookmarks = 0;
  lists = 0;
  /** Clients that left and came back, and streams that the server ended. */
  reconnects = 0;
  endedByServer = 0;
  gone = 0;
  stalls = 0;
  retriedWrites = 0;
  errors = 0;
  /** The lags of the whole run, and those since the last line of progress. */
  readonly lag = new Histogram();
  readonly recentLag = new Histogram();
  readonly writeTime = new Histogram();
  readonly #named = new Map<string, number>();

  addLag(milliseconds: number): void {
    this.lag.add(milliseconds);
    this.recentLag.add(milliseconds);
  }

  /** Counts what is no violation but should not happen. */
  addError(message: string): void {
    this.errors += 1;
    const named = message.slice(0, 300);
    const count = this.#named.get(named);
    if (count === undefined && this.#named.size === ERRORS_NAMED_MAX) return;
    this.#named.set(named, (count ?? 0) + 1);
  }

  get namedErrors(): readonly { readonly message: string; readonly count: number }[] {
    return [...this.#named].map(([message, count]) => ({ message, count }));
  }
}
