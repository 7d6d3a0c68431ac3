/** The dashboard asks for metrics that there are, by labels that they have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { MetricDefinition } from '../../src/observability/metrics/metric-definition.ts';
import { METRICS } from '../../src/observability/metrics/metric-table.ts';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const FILE = join(import.meta.dirname, '../../src/observability/dashboard.json');
const { panels } = JSON.parse(readFileSync(FILE, 'utf8')) as { panels: readonly Panel[] };
const TABLE: Readonly<Record<string, MetricDefinition>> = METRICS;
const NAME =
  /\b(?:apiserver|authentication|etcd|nodejs|process|rest_client|shardplane|workqueue)_\w+/g;

function metricOf(name: string): MetricDefinition | undefined {
  const base = name.replace(/_(?:bucket|sum|count)$/, '');
  return TABLE[name] ?? (TABLE[base]?.type === 'histogram' ? TABLE[base] : undefined);
}

t.test('each panel asks for metrics of the table, by their labels', async (t) => {
  for (const { title, targets = [] } of panels) {
    for (const { expr, legendFormat } of targets) {
      const names = [...new Set(expr.match(NAME))];
      t.not(names.length, 0, title);
      const asked = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, by = '']) => by.split(', '));
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      for (const name of names) {
        const metric = metricOf(name);
        t.ok(metric, `${title}: ${name}`);
        t.equal(metric?.deprecatedSince, undefined, `${name} stays`);
        const known: readonly string[] = ['le', ...(metric?.labels ?? [])];
        const unknown = [...asked, ...shown].filter((label) => !known.includes(label));
        t.same(unknown, [], `${title}: labels of ${name}`);
      }
    }
  }
});
