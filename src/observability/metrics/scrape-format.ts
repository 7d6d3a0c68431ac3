/** Heads of metrics and bounds of buckets in Prometheus text and OpenMetrics. */
import { helpOf } from './metric-definition.ts';
import type { MetricDefinition } from './metric-definition.ts';

export type ScrapeFormat = 'text' | 'openmetrics';

const TOTAL = '_total';

/** The counters of release 1.23 whose names do not say that they are some have no type there. */
export function headOf(name: string, definition: MetricDefinition, format: ScrapeFormat): string {
  const help = helpOf(definition).replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (format === 'text') return `# HELP ${name} ${help}\n# TYPE ${name} ${definition.type}\n`;
  const isCounter = definition.type === 'counter';
  const type = isCounter && !name.endsWith(TOTAL) ? 'unknown' : definition.type;
  const family = type === 'counter' ? name.slice(0, -TOTAL.length) : name;
  const escaped = help.replaceAll('"', '\\"');
  return `# HELP ${family} ${escaped}\n# TYPE ${family} ${type}\n`;
}

/** As the reference's language writes numbers; OpenMetrics has a point in each. */
export function boundText(bound: number, format: ScrapeFormat): string {
  if (bound === Infinity) return '+Inf';
  const [digits = '', power = ''] = bound.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

export function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}
