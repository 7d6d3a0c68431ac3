/** The metrics of the release of this process. */
import { hasMetric, metricDeprecation, metricStability } from '../../release/metric-life.ts';
import { ownRelease } from '../../release/release.ts';
import { isHidden, type MetricDefinition } from './metric-definition.ts';
import { ownDefinition } from './metric-forms.ts';
import { METRICS } from './metric-table.ts';
import { SLI_METRICS } from './sli-metric-table.ts';

/** Those of them that the release has. */
export function ownMetrics<N extends keyof typeof METRICS>(names: readonly N[]): readonly N[] {
  return names.filter((name) => hasMetric(name, ownRelease().minor));
}

/** Lists the metrics of scrapes, in order, with those hidden since the release `shownFor`. */
export function shownMetrics(shownFor: string): Readonly<Record<string, MetricDefinition>> {
  const { name: release } = ownRelease();
  const shown = inOwnRelease(Object.keys(METRICS).filter((name) => !isOfSlis(name)))
    .filter(([, definition]) => !isHidden(definition, release, shownFor))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(shown);
}

/** Those that are scraped on their own, at `/metrics/slis`. */
export function sliMetrics(): Readonly<Record<string, MetricDefinition>> {
  return Object.fromEntries(
    inOwnRelease([...Object.keys(SLI_METRICS), 'process_start_time_seconds']),
  );
}

function isOfSlis(name: string): boolean {
  return Object.hasOwn(SLI_METRICS, name);
}

function inOwnRelease(names: readonly string[]): (readonly [string, MetricDefinition])[] {
  const { minor } = ownRelease();
  return names
    .filter((name) => hasMetric(name, minor))
    .map((name) => [name, asTold(name as keyof typeof METRICS, minor)]);
}

function asTold(name: keyof typeof METRICS, minor: number): MetricDefinition {
  const definition = ownDefinition(name);
  const deprecatedSince = metricDeprecation(name, minor);
  const stability = metricStability(name, minor);
  return {
    ...definition,
    ...(stability !== undefined && { stability }),
    ...(deprecatedSince !== undefined && { deprecatedSince }),
  };
}
