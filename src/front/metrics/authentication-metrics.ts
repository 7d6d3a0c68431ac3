/** What is counted of finding out who asks. */
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

const TIMED_ONE_IN = 16;

class Outcome {
  readonly #attempts: Cell;
  readonly #duration: Histogram;
  #lastSeconds = 0;
  #atOnce = 0;

  constructor(result: string) {
    this.#attempts = THREAD_SERIES.cell('authentication_attempts', { result });
    this.#duration = THREAD_SERIES.histogram('authentication_duration_seconds', { result });
  }

  /** One more, which was begun then. */
  counted(startMs: number): void {
    this.#attempts.add();
    this.#lastSeconds = (performance.now() - startMs) / 1_000;
    this.#duration.observe(this.#lastSeconds);
  }

  /**
   * One more that waited for nobody. Some of them are timed, and the others taken to be like the
   * last: to look at the clock costs more than to count.
   */
  countedAtOnce(startMs: number): void {
    if (this.#atOnce++ % TIMED_ONE_IN === 0) {
      this.counted(startMs);
      return;
    }
    this.#attempts.add();
    this.#duration.observe(this.#lastSeconds);
  }
}

export const SUCCESS = new Outcome('success');
/** Nobody is known by what a request shows. */
export const FAILURE = new Outcome('failure');
/** What it shows is wrong, or could not be looked at. */
export const ERROR = new Outcome('error');

/** The reference tells these from all others, so that users cannot make series. */
const TOLD = ['admin', 'client', 'kube_proxy', 'kubelet'];
const users = new Map([...TOLD, 'email_id', 'other'].map((name) => [name, userCell(name)]));

function userCell(username: string): Cell {
  return THREAD_SERIES.cell('authenticated_user_requests', { username });
}

export function countUser(name: string): void {
  const told = TOLD.includes(name) ? name : name.includes('@') ? 'email_id' : 'other';
  users.get(told)?.add();
}
