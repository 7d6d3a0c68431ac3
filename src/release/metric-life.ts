/** Which metrics a release has. */
import { METRIC_LIVES, type MetricLife } from './data/metrics.ts';
import { isIn } from './life.ts';
import { releaseName } from './release.ts';

const LIVES: Readonly<Record<string, MetricLife>> = METRIC_LIVES;

/** Whether a minor shows a metric. */
export function hasMetric(name: string, minor: number): boolean {
  return isIn(LIVES[name] ?? {}, minor);
}

/** The release from which on a metric is deprecated, as users of a minor are told. */
export function metricDeprecation(name: string, minor: number): string | undefined {
  const { deprecated = Infinity } = LIVES[name] ?? {};
  return deprecated <= minor ? releaseName(deprecated) : undefined;
}

/** The stability of a metric in a minor, where that is not the one of the oldest release. */
export function metricStability(name: string, minor: number): 'BETA' | 'STABLE' | undefined {
  const { beta = Infinity, stable = Infinity } = LIVES[name] ?? {};
  if (stable <= minor) return 'STABLE';
  return beta <= minor ? 'BETA' : undefined;
}
