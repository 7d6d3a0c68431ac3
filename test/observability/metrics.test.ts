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
  type MetricStore,
} from '../../src/observability/metrics/metric-store.ts';
import { METRICS } from '../../src/observability/metrics/metric-table.ts';
import type { Cell, Histogram } from '../../src/observability/metrics/cells.ts';
import type { ScrapeFormat } from '../../src/observability/metrics/scrape-format.ts';
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

/** Gives a reader of each series of a store with its first number, as they are then. */
function readerOf(store: MetricStore): () => Record<string, number> {
  const reader = new StoreReader(store);
  const places = new Map<string, number>();
  return () => {
    if (!reader.look()) {
      places.clear();
      reader.restart();
    }
    let hasMore = true;
    while (hasMore) {
      hasMore = reader.visit(100, (_metric, labels, at) => places.set(labels, at));
    }
    const { values } = reader;
    return Object.fromEntries([...places].map(([labels, at]) => [labels, values[at] ?? NaN]));
  };
}

/** A scrape as it is sent. */
async function rendered(exposition: Exposition, format: ScrapeFormat): Promise<string> {
  return Buffer.concat(await exposition.render(format)).toString();
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
    await rendered(exposition, 'text'),
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
  const open = await rendered(exposition, 'openmetrics');
  t.match(open, '# TYPE things counter\nthings_total{a="both"} 5\n');
  t.match(open, 'times_bucket{a="x",le="1.0"} 0\n');
  t.ok(open.endsWith('# EOF\n'));
});

t.test('a scrape has what came since the last one, and not what has gone', async (t) => {
  const threads = [thread(), thread()] as const;
  const stores = threads.map(({ store }) => store);
  const exposition = new Exposition({ stores, metrics: TABLE, samples: () => [] });
  const lines = async (): Promise<readonly string[]> =>
    (await rendered(exposition, 'text')).split('\n').filter((line) => line.startsWith('things'));
  for (const { counter } of threads)
    for (let each = 0; each < 500; each++) counter(`${each}`).add();
  t.equal((await lines()).length, 500);
  t.ok((await lines()).every((line) => line.endsWith(' 2')));
  const [one, other] = threads;
  one.counter('new').add();
  other.counter('499').add();
  const grown = await lines();
  t.same(
    [grown.length, ...grown.slice(-2)],
    [501, 'things_total{a="499"} 3', 'things_total{a="new"} 1'],
  );
  for (let each = 0; each < 400; each++) {
    const series = one.taken('things_total', `${each}`);
    one.writer.release(series);
    one.writer.release(series);
  }
  const left = await lines();
  t.same([left.length, left.filter((line) => line.endsWith(' 1')).length], [501, 401]);
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
  t.same(readerOf(store)(), { '': 4 });
});

t.test('series that come and go do not pile up, and others keep their numbers', async (t) => {
  const { store, writer, counter, taken } = thread();
  const read = readerOf(store);
  counter('stays').add(7);
  for (let round = 0; round < 20_000; round++) {
    const series = taken('times', `type-${round}`);
    (series.cell as Histogram).observe(1);
    writer.release(series);
    (series.cell as Histogram).observe(1);
    if (round % 1_000 === 0) t.same(read(), { 'a="stays"': 7 });
  }
  counter('stays').add();
  t.same(read(), { 'a="stays"': 8 });
  t.ok(store.series.byteLength <= 64 * 1024, `${store.series.byteLength} bytes of names`);
  t.ok(store.cells.byteLength <= 64 * 1024, `${store.cells.byteLength} bytes of numbers`);
});

t.test('a series that two use goes with the second one', async (t) => {
  const { store, writer, taken } = thread();
  const [one, other] = [taken('things_total', 'x'), taken('things_total', 'x')];
  t.equal(one, other);
  writer.release(one);
  const read = readerOf(store);
  t.same(read(), { 'a="x"': 0 });
  writer.release(other);
  t.same(read(), {});
});

t.test('a store that is full refuses series, and counts them', async (t) => {
  const { store, writer, counter } = thread();
  const long = 'x'.repeat(1024 * 1024);
  for (let series = 0; series < 40; series++) counter(`${series} ${long}`).add();
  t.ok(writer.refused > 0);
  t.equal(Object.keys(readerOf(store)()).length + writer.refused, 40);
});

t.test('a store that is being moved together is read as it was', async (t) => {
  const { store, counter } = thread();
  const read = readerOf(store);
  counter('x').add();
  t.same(read(), { 'a="x"': 1 });
  Atomics.add(store.head, 0, 1);
  counter('x').add();
  t.same(read(), { 'a="x"': 1 });
  Atomics.add(store.head, 0, 1);
  t.same(read(), { 'a="x"': 2 });
});

t.test('each thread claims a store of its own', async (t) => {
  const shared = newSharedMetrics(2);
  t.not(claimStore(shared), claimStore(shared));
  t.throws(() => claimStore(shared), /more than 2 threads/);
});

t.test('a deprecated metric says so, with its class', async (t) => {
  const deprecated = { ...COUNTER, stability: 'ALPHA', deprecatedSince: '1.22' } as const;
  t.equal(helpOf(deprecated), '[ALPHA] (Deprecated from 1.22) Things.');
  t.equal(helpOf({ ...COUNTER, stability: 'STABLE' }), '[STABLE] Things.');
  t.equal(helpOf(COUNTER), 'Things.', 'figures of the process have no class');
});

t.test('it is hidden three releases later, whatever its class', async (t) => {
  for (const [deprecatedSince, expected] of [
    ['1.23', false],
    ['1.22', false],
    ['1.21', false],
    ['1.20', true],
    ['1.19', true],
  ] as const) {
    t.equal(isHidden({ deprecatedSince }, '1.23'), expected, deprecatedSince);
  }
  t.equal(isHidden({}, '1.99'), false, 'one that is not deprecated stays');
});

t.test('what the release before still showed can be shown', async (t) => {
  t.equal(releaseBefore('1.23'), '1.22');
  t.equal(isHidden({ deprecatedSince: '1.20' }, '1.23', '1.22'), false);
  t.equal(isHidden({ deprecatedSince: '1.19' }, '1.23', '1.22'), true);
});

t.test('stable metrics keep their names and labels', async (t) => {
  const request = 'component,group,resource,scope,subresource,verb,version';
  const labelled = request.replace('component,', 'component,dry_run,');
  const admission = 'operation,rejected,type';
  const stable = Object.entries(METRICS as Record<string, MetricDefinition>)
    .filter(([, { stability }]) => stability === 'STABLE')
    .map(([name, { labels }]) => [name, labels.join()]);
  t.same(Object.fromEntries(stable), {
    apiserver_admission_controller_admission_duration_seconds: `name,${admission}`,
    apiserver_admission_step_admission_duration_seconds: admission,
    apiserver_admission_webhook_admission_duration_seconds: `name,${admission}`,
    apiserver_current_inflight_requests: 'request_kind',
    apiserver_request_duration_seconds: labelled,
    apiserver_request_total: `code,${labelled}`,
    apiserver_requested_deprecated_apis: 'group,removed_release,resource,subresource,version',
    apiserver_response_sizes: request,
    apiserver_storage_objects: 'resource',
  });
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
