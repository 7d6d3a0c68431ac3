/** Metrics of admission: its time and its refusals (../observability/README.md#metrics). */
import type { Histogram } from '../observability/metrics/cells.ts';
import { THREAD_SERIES } from '../observability/metrics/thread-metrics.ts';
import type { AdmissionOperation } from './proposal.ts';

export type AdmissionPhase = 'admit' | 'validate';

interface Labels {
  readonly operation: AdmissionOperation;
  readonly rejected: 'true' | 'false';
  readonly type: string;
}

/** Times of one plugin, of one webhook, or of all plugins together. */
export class AdmissionMetrics {
  readonly #newHistogram: (labels: Labels) => Histogram;
  readonly #histograms = new Map<string, Histogram>();

  constructor(newHistogram: (labels: Labels) => Histogram) {
    this.#newHistogram = newHistogram;
  }

  /** Does what may take until later, and counts how long it takes. */
  timed(
    type: string,
    operation: AdmissionOperation,
    work: () => Promise<void> | undefined,
  ): Promise<void> | undefined {
    const startMs = performance.now();
    const end = (rejected: Labels['rejected']): void => {
      this.took({ operation, rejected, type }, performance.now() - startMs);
    };
    let waiting: Promise<void> | undefined;
    try {
      waiting = work();
    } catch (error) {
      end('true');
      throw error;
    }
    if (waiting === undefined) {
      end('false');
      return undefined;
    }
    return waiting.then(
      () => end('false'),
      (error: unknown) => {
        end('true');
        throw error;
      },
    );
  }

  took(labels: Labels, milliseconds: number): void {
    const key = labels.type + labels.operation + labels.rejected;
    let histogram = this.#histograms.get(key);
    if (histogram === undefined) {
      histogram = this.#newHistogram(labels);
      this.#histograms.set(key, histogram);
    }
    histogram.observe(milliseconds / 1_000);
  }
}

/** All plugins together, for a phase of a write. */
export const STEP_METRICS = new AdmissionMetrics((labels) =>
  THREAD_SERIES.histogram('apiserver_admission_step_admission_duration_seconds', labels),
);

export function pluginMetrics(name: string): AdmissionMetrics {
  return new AdmissionMetrics((labels) =>
    THREAD_SERIES.histogram('apiserver_admission_controller_admission_duration_seconds', {
      ...labels,
      name,
    }),
  );
}
