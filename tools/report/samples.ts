/** Plots of what was measured at many moments. */
import type { Plot } from './report.ts';

const BUCKETS_MAX = 120;
const QUANTILES = [0.5, 0.9, 0.99, 1];

/** What was measured at which second. */
export interface Sample {
  readonly second: number;
  readonly value: number;
}

/** How many there were in a second. */
export function ratePlot(title: string, samples: readonly Sample[]): Plot {
  const { width, buckets } = bucketsOf(samples);
  const points = buckets.map((values, at) => [at * width, values.length / width] as const);
  return { title, unit: 'per second', lines: [{ name: 'rate', points }] };
}

/** Quantiles of the values over time. */
export function quantilePlot(title: string, unit: string, samples: readonly Sample[]): Plot {
  const { width, buckets } = bucketsOf(samples);
  const sorted = buckets.map((values) => values.toSorted((one, other) => one - other));
  const lines = QUANTILES.map((share) => ({
    name: share === 1 ? 'max' : `p${share * 100}`,
    points: sorted.flatMap((values, at) => {
      const value = values[Math.min(values.length - 1, Math.floor(values.length * share))];
      return value === undefined ? [] : [[at * width, value] as const];
    }),
  }));
  return { title, unit, lines };
}

function bucketsOf(samples: readonly Sample[]): { width: number; buckets: number[][] } {
  const last = samples.reduce((most, { second }) => Math.max(most, second), 0);
  const width = Math.max(0.1, last / BUCKETS_MAX);
  const buckets = Array.from({ length: Math.floor(last / width) + 1 }, (): number[] => []);
  for (const { second, value } of samples) buckets[Math.floor(second / width)]?.push(value);
  return { width, buckets };
}
