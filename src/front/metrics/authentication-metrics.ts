/** What is counted of finding out who asks. */
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

class Outcome {
  readonly #attempts: Cell;
  readonly #duration: Histogram;

  constructor(result: string) {
    this.#attempts = THREAD_SERIES.cell('authentication_attempts', { result });
    this.#duration = THREAD_SERIES.histogram('authentication_duration_seconds', { result });
  }

  /** One more, which was begun then. */
  counted(startMs: number): void {
    this.#attempts.add();
    this.#duration.observe((performance.now() - startMs) / 1_000);
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
