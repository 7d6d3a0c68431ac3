import t from 'tap';
import { Exposition } from '../../src/observability/metrics/exposition.ts';
import {
  helpOf,
  isHidden,
  releaseBefore,
  type MetricDefinition,
} from '../../src/observability/metrics/metric-definition.ts';
import {
  claimStore,
  newMetricStore,
  newSharedMetrics,
} from '../../src/observability/metrics/metric-store.ts';
import { METRICS } from '../../src/observability/metrics/metric-table.ts';
import type { Cell, Histogram } from '../../src/observability/metrics/cells.ts';
import { SeriesWriter } from '../../src/observability/metrics/series-writer.ts';
import { StoreReader } from '../../src/observability/metrics/store-reader.ts';
import { labelText } from '../../src/observability/metrics/thread-metrics.ts';

const COUNTER: MetricDefinition = { type: 'counter', help: 'Things.', labels: ['a'] };
const TIMES: MetricDefinition = {
  ...COUNTER,
  type: 'histogram',
  help: 'Times.',
  buckets: [1, 1e6],
};
const TABLE = { things_total: COUNTER, times: TIMES };

/** A thread: what it counts in, and its store. */
function thread() {
  const store = newMetricStore();
  const writer = new SeriesWriter();
  writer.moveTo(store);
  const taken = (metric: keyof typeof TABLE, a: string) =>
    writer.take(metric, TABLE[metric], labelText(['a'], { a }));
  const counter = (a: string) => taken('things_total', a).cell as Cell;
  return { store, writer, taken, counter };
}

/** Each series of a store with its first number. */
function read(reader: StoreReader): Record<string, number> {
  const { values, series } = reader.read();
  return Object.fromEntries(
    [...series.values()].map(({ labels, at }) => [labels, values[at] ?? Number.NaN]),
  );
}

t.test('a scrape sums what several threads have counted', async (t) => {
  const threads = [thread(), thread()];
  for (const [index, { counter, taken }] of threads.entries()) {
    counter('both').add(2);
    counter(`only ${index}`).add();
    (taken('times', 'x').cell as Histogram).observe(3);
  }
  const samples = () => [];
  const stores = threads.map(({ store }) => store);
  const exposition = new Exposition({ stores, metrics: TABLE, samples });
  t.equal(
    (await exposition.render('text')).toString(),
    [
      '# HELP things_total Things.',
      '# TYPE things_total counter',
      'things_total{a="both"} 4',
      'things_total{a="only 0"} 1',
      'things_total{a="only 1"} 1',
      '# HELP times Times.',
      '# TYPE times histogram',
      'times_bucket{a="x",le="1"} 0',
      'times_bucket{a="x",le="1e+06"} 2',
      'times_bucket{a="x",le="+Inf"} 2',
      'times_sum{a="x"} 6',
      'times_count{a="x"} 2',
      '',
    ].join('\n'),
  );
  threads[0]?.counter('both').add();
  const open = (await exposition.render('openmetrics')).toString();
  t.match(open, '# TYPE things counter\nthings_total{a="both"} 5\n');
  t.match(open, 'times_bucket{a="x",le="1.0"} 0\n');
  t.ok(open.endsWith('# EOF\n'));
});

t.test('labels are escaped', async (t) => {
  t.equal(labelText(['a', 'b'], { a: 'x"\\', b: 'y\nz' }), 'a="x\\"\\\\",b="y\\nz"');
});

t.test('what was counted before a thread has its store is kept', async (t) => {
  const writer = new SeriesWriter();
  const cell = writer.take('things_total', COUNTER, '').cell as Cell;
  cell.add(3);
  const store = newMetricStore();
  writer.moveTo(store);
  cell.add();
  t.same(read(new StoreReader(store)), { '': 4 });
});

t.test('series that come and go do not pile up, and others keep their numbers', async (t) => {
  const { store, writer, counter, taken } = thread();
  const reader = new StoreReader(store);
  counter('stays').add(7);
  for (let round = 0; round < 20_000; round++) {
    const series = taken('times', `type-${round}`);
    (series.cell as Histogram).observe(1);
    writer.release(series);
    (series.cell as Histogram).observe(1);
    if (round % 1_000 === 0) t.same(read(reader), { 'a="stays"': 7 });
  }
  counter('stays').add();
  t.same(read(reader), { 'a="stays"': 8 });
  t.ok(store.series.byteLength <= 64 * 1024, `${store.series.byteLength} bytes of names`);
  t.ok(store.cells.byteLength <= 64 * 1024, `${store.cells.byteLength} bytes of numbers`);
});

t.test('a series that two use goes with the second one', async (t) => {
  const { store, writer, taken } = thread();
  const [one, other] = [taken('things_total', 'x'), taken('things_total', 'x')];
  t.equal(one, other);
  writer.release(one);
  const reader = new StoreReader(store);
  t.same(read(reader), { 'a="x"': 0 });
  writer.release(other);
  t.same(read(reader), {});
});

t.test('a store that is full refuses series, and counts them', async (t) => {
  const { store, writer, counter } = thread();
  const long = 'x'.repeat(1024 * 1024);
  for (let series = 0; series < 40; series++) counter(`${series} ${long}`).add();
  t.ok(writer.refused > 0);
  t.equal(Object.keys(read(new StoreReader(store))).length + writer.refused, 40);
});

t.test('a store that is being moved together is read as it was', async (t) => {
  const { store, counter } = thread();
  const reader = new StoreReader(store);
  counter('x').add();
  t.same(read(reader), { 'a="x"': 1 });
  Atomics.add(store.head, 0, 1);
  counter('x').add();
  t.same(read(reader), { 'a="x"': 1 });
  Atomics.add(store.head, 0, 1);
  t.same(read(reader), { 'a="x"': 2 });
});

t.test('each thread claims a store of its own', async (t) => {
  const shared = newSharedMetrics(2);
  t.not(claimStore(shared), claimStore(shared));
  t.throws(() => claimStore(shared), /more than 2 threads/);
});

t.test('a deprecated metric is shown for three releases, and one more for who asks', async (t) => {
  const rows: [since: string, release: string, shownFor: string, isHidden: boolean][] = [
    ['1.23', '1.23', '', false],
    ['1.21', '1.23', '', false],
    ['1.20', '1.23', '', true],
    ['1.20', '1.23', '1.22', false],
    ['1.19', '1.23', '1.22', true],
  ];
  for (const [deprecatedSince, release, shownFor, expected] of rows) {
    t.equal(isHidden({ deprecatedSince }, release, shownFor), expected, `${deprecatedSince}`);
  }
  t.equal(isHidden({}, '1.99'), false);
  t.equal(releaseBefore('1.23'), '1.22');
  const deprecated = { ...COUNTER, stability: 'ALPHA', deprecatedSince: '1.22' } as const;
  t.equal(helpOf(deprecated), '[ALPHA] (Deprecated from 1.22) Things.');
  t.equal(helpOf(COUNTER), 'Things.');
});

t.test('the table is in order', async (t) => {
  for (const [name, { labels, type, ...definition }] of Object.entries(
    METRICS as Record<string, MetricDefinition>,
  )) {
    t.match(name, /^[a-z][a-z0-9_]*$/, name);
    t.same(labels, [...labels].sort(), `labels of ${name}`);
    t.equal(type === 'histogram', definition.buckets !== undefined, `buckets of ${name}`);
    const bounds = definition.buckets ?? [];
    t.same(
      bounds,
      bounds.toSorted((a, b) => a - b),
      `bounds of ${name}`,
    );
    if (/^(?:process|nodejs)_/.test(name)) continue;
    t.ok(definition.stability, `class of ${name}`);
  }
});
