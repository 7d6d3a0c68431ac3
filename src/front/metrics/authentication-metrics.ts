/** The metrics of authentication. */
import type { Cell } from '../../observability/metrics/cells.ts';
import { SampledTimes, TIMED_ONE_IN } from '../../observability/metrics/sampled-times.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

class Outcome {
  readonly #attempts: Cell;
  readonly #times: SampledTimes;
  #atOnce = 0;

  constructor(result: string) {
    this.#attempts = THREAD_SERIES.cell('authentication_attempts', { result });
    const duration = THREAD_SERIES.histogram('authentication_duration_seconds', { result });
    this.#times = new SampledTimes(duration);
  }

  /** One more, which was begun then. */
  counted(startMs: number): void {
    this.#attempts.add();
    this.#times.took(performance.now() - startMs);
  }

  /** One more that waited for nobody. */
  countedAtOnce(startMs: number): void {
    if (this.#atOnce++ % TIMED_ONE_IN === 0) {
      this.counted(startMs);
      return;
    }
    this.#attempts.add();
    this.#times.passed();
  }
}

export const SUCCESS = new Outcome('success');
/** Nobody is known by what a request shows. */
export const FAILURE = new Outcome('failure');
/** A credential of the request is wrong, or could not be checked. */
export const ERROR = new Outcome('error');

/** The reference tells these from all others, so that users cannot make series. */
const TOLD = new Map(
  ['admin', 'client', 'kube_proxy', 'kubelet'].map((name) => [name, userCell(name)]),
);
const WITH_ADDRESS = userCell('email_id');
const OTHERS = userCell('other');

function userCell(username: string): Cell {
  return THREAD_SERIES.cell('authenticated_user_requests', { username });
}

export function countUser(name: string): void {
  (TOLD.get(name) ?? (name.includes('@') ? WITH_ADDRESS : OTHERS)).add();
}
