/** The metrics of authentication and authorization. */
import type { Cell, Histogram } from '../../observability/metrics/cells.ts';
import { SampledTimes, TIMED_ONE_IN } from '../../observability/metrics/sampled-times.ts';
import { ownMetrics } from '../../observability/metrics/own-metrics.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';

class Outcome {
  readonly #attempts: Cell;
  readonly #times: SampledTimes;
  #atOnce = 0;

  constructor(attempts: Cell, duration: Histogram) {
    this.#attempts = attempts;
    this.#times = new SampledTimes(duration);
  }

  static ofAuthentication(result: string): Outcome {
    return new Outcome(
      THREAD_SERIES.cell('authentication_attempts', { result }),
      THREAD_SERIES.histogram('authentication_duration_seconds', { result }),
    );
  }

  static ofAuthorization(result: string): Outcome {
    return new Outcome(
      THREAD_SERIES.cell('authorization_attempts_total', { result }),
      THREAD_SERIES.histogram('authorization_duration_seconds', { result }),
    );
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
    this.countedUntimed();
  }

  /** One more that is taken to be like the last that was timed. */
  countedUntimed(): void {
    this.#attempts.add();
    this.#times.passed();
  }
}

export const SUCCESS = Outcome.ofAuthentication('success');
/** Nobody is known by what a request shows. */
export const FAILURE = Outcome.ofAuthentication('failure');
/** A credential of the request is wrong, or could not be checked. */
export const ERROR = Outcome.ofAuthentication('error');

/** Counts outcomes of authorization; undefined where the release does not. */
export const AUTHORIZED =
  ownMetrics(['authorization_attempts_total']).length === 0
    ? undefined
    : {
        allow: Outcome.ofAuthorization('allowed'),
        deny: Outcome.ofAuthorization('denied'),
        noOpinion: Outcome.ofAuthorization('no-opinion'),
        error: Outcome.ofAuthorization('error'),
      };

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
