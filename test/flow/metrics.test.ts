/** A scrape tells what clients have done. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { dashboardQueries, seriesOf, unanswered } from '../support/dashboard-queries.ts';
import { Hooked } from '../support/hooked.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DASHBOARD = join(import.meta.dirname, '../../src/observability/dashboard.json');
const WEBHOOK_MS = 100;
const server = await sharedServer();

/** The numbers of a scrape, by their series. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const { status, text } = await server.get('/metrics');
  t.equal(status, 200);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Resolves when a series has become so much more than it was. */
async function grown(
  before: ReadonlyMap<string, number>,
  series: string,
  by: number,
): Promise<void> {
  const was = before.get(series) ?? 0;
  await until(async () => ((await scrape()).get(series) ?? 0) >= was + by);
}

function ofRequest(verb: string, scope: string, more = ''): string {
  const type = 'group="",resource="configmaps"';
  return `component="apiserver",${more}${type},scope="${scope}",subresource="",verb="${verb}"`;
}

function requests(code: number, verb: string, scope: string, dryRun = ''): string {
  const labels = ofRequest(verb, scope, `dry_run="${dryRun}",`);
  return `apiserver_request_total{code="${code}",${labels},version="v1"}`;
}

t.test('requests are counted by verb, scope, dry run and code', async (t) => {
  const before = await scrape();
  const map = { metadata: { name: 'counted' } };
  await server.post(MAPS, map);
  await server.post(MAPS, map);
  await server.post(`${MAPS}?dryRun=All`, { metadata: { name: 'dry' } });
  await server.get(`${MAPS}/counted`);
  await server.get(MAPS);
  await server.get('/api/v1/configmaps');
  const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: counted}\n';
  const type = { 'content-type': 'application/apply-patch+yaml' };
  await server.request('PATCH', `${MAPS}/counted?fieldManager=t&force=true`, body, type);
  await server.delete(`${MAPS}/counted`);
  for (const [series, count] of [
    [requests(201, 'POST', 'resource'), 1],
    [requests(409, 'POST', 'resource'), 1],
    [requests(201, 'POST', 'resource', 'All'), 1],
    [requests(200, 'GET', 'resource'), 1],
    [requests(200, 'LIST', 'namespace'), 1],
    [requests(200, 'LIST', 'cluster'), 1],
    [requests(200, 'APPLY', 'resource'), 1],
    [requests(200, 'DELETE', 'resource'), 1],
    [
      `apiserver_request_slo_duration_seconds_count{${ofRequest('GET', 'resource')},version="v1"}`,
      1,
    ],
    ['apiserver_request_filter_duration_seconds_count{filter="authorization"}', 8],
    [`apiserver_response_sizes_count{${ofRequest('GET', 'resource')},version="v1"}`, 1],
    ['etcd_request_duration_seconds_count{operation="create",type="*core.ConfigMap"}', 1],
    ['etcd_request_duration_seconds_count{operation="delete",type="*core.ConfigMap"}', 1],
    ['authentication_attempts{result="success"}', 8],
  ] as const) {
    await grown(before, series, count);
    t.pass(series);
  }
});

t.test('watches and their events are counted while they are open', async (t) => {
  const before = await scrape();
  const watch = await server.watch('/api/v1/configmaps?watch=true&fieldSelector=metadata.name=w');
  const open = `apiserver_longrunning_requests{${ofRequest('WATCH', 'cluster')},version="v1"}`;
  await grown(before, open, 1);
  await server.post(MAPS, { metadata: { name: 'w' } });
  await grown(before, 'apiserver_watch_events_total{group="",kind="ConfigMap",version="v1"}', 1);
  watch.close();
  await until(async () => ((await scrape()).get(open) ?? 0) === (before.get(open) ?? 0));
  t.pass('it is over');
});

t.test('who asks for a deprecated version is told of', async (t) => {
  await server.get('/apis/policy/v1beta1/poddisruptionbudgets');
  const labels = 'resource="poddisruptionbudgets",subresource="",version="v1beta1"';
  const series = `group="policy",removed_release="1.25",${labels}`;
  await grown(new Map(), `apiserver_requested_deprecated_apis{${series}}`, 1);
  t.pass(series);
});

t.test('each query of the dashboard is answered', async (t) => {
  const webhook = await startAdmissionWebhook(t);
  const here = new Hooked(server, webhook, 'hooked-dashboard');
  await here.begin();
  const slow = async () => {
    await delay(WEBHOOK_MS);
    return { allowed: false };
  };
  await here.register(t, 'Validating', { slow: { behaviour: slow } });
  const labels = `${ofRequest('POST', 'resource', 'dry_run="",')},version="v1"`;
  const own = labels.replace('dry_run="",', '');
  const ofWebhooks = async (): Promise<number> => {
    const scraped = await scrape();
    const all = scraped.get(`apiserver_request_duration_seconds_sum{${labels}}`) ?? 0;
    return all - (scraped.get(`apiserver_request_slo_duration_seconds_sum{${own}}`) ?? 0);
  };
  const before = await ofWebhooks();
  t.equal((await here.make('a')).status, 400);
  // A timer may be a millisecond early.
  await until(async () => (await ofWebhooks()) - before >= (WEBHOOK_MS - 1) / 1_000);
  t.pass('what a webhook takes is not the time of the server');
  const watch = await server.watch('/api/v1/configmaps?watch=true');
  t.teardown(() => watch.close());
  const queries = dashboardQueries(readFileSync(DASHBOARD, 'utf8'));
  let missing: readonly string[] = [];
  await until(async () => {
    const series = seriesOf((await server.get('/metrics')).text);
    missing = queries.flatMap((query) => unanswered(query, series) ?? []);
    return missing.length === 0;
  }).catch(() => t.same(missing, []));
  t.pass(`${queries.length} queries`);
});

t.test('a large one in parts, and gzipped', async (t) => {
  const plain = await server.get('/metrics');
  t.ok(plain.text.length > 128 * 1024, `${plain.text.length} bytes`);
  const headers = { authorization: `Bearer ${server.token}`, 'accept-encoding': 'gzip' };
  const packed = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers });
  t.equal(packed.headers.get('content-encoding'), 'gzip');
  const names = (text: string): readonly string[] => text.match(/^# TYPE .*$/gm) ?? [];
  t.same(names(await packed.text()), names(plain.text));
});

t.test('in OpenMetrics for who asks for it, and for those alone who may', async (t) => {
  const open = await server.get('/metrics', {
    accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1',
  });
  t.match(open.headers['content-type'], 'application/openmetrics-text; version=1.0.0');
  t.ok(open.text.endsWith('# EOF\n'));
  const { headers } = await server.get('/metrics');
  t.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  t.equal((await server.get('/metrics', { authorization: undefined })).status, 403);
  t.equal((await server.post('/metrics', {})).status, 405);
  // Rights to a path are rights to that path.
  for (const path of ['/metrics/', '/metrics%2f', '/debug/pprof//', '/debug/pprof/heap/']) {
    t.equal((await server.get(path)).status, 404, path);
  }
});

t.test('the series of a type go with it', async (t) => {
  const group = 'metered.example.com';
  const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
  const name = `meters.${group}`;
  const schema = { openAPIV3Schema: { type: 'object' } };
  const names = { plural: 'meters', singular: 'meter', kind: 'Meter' };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const spec = { group, scope: 'Cluster', names, versions };
  await server.post(definitions, { metadata: { name }, spec });
  const path = `/apis/${group}/v1/meters`;
  await until(async () => (await server.get(path)).status === 200);
  const mentions = async (): Promise<number> =>
    [...(await scrape()).keys()].filter((series) => series.includes(group)).length;
  await until(async () => (await mentions()) > 0);
  await server.delete(`${definitions}/${name}`);
  await until(async () => (await mentions()) === 0);
  t.pass('nothing is told of it any more');
});

t.test('profiles of any thread, one at a time', async (t) => {
  const index = await server.get('/debug/pprof/');
  t.match(index.text, /threads: main, front-0, worker-0/);
  for (const thread of ['main', 'front-0', 'worker-0']) {
    const { status, json } = await server.get(`/debug/pprof/profile?seconds=1&thread=${thread}`);
    t.equal(status, 200);
    t.match(json, { nodes: [{ callFrame: { functionName: '(root)' } }] }, `CPU of ${thread}`);
  }
  const heap = '/debug/pprof/heap?seconds=2&thread=worker-0';
  const both = await Promise.all([server.get(heap), server.get(heap)]);
  const [made, refused] = both.sort((one, other) => one.status - other.status);
  t.match(made, { status: 200, json: { head: { callFrame: {} } } }, 'memory');
  t.equal(refused?.status, 429);
  for (const [path, status] of [
    ['/debug/pprof/profile?thread=nobody', 400],
    ['/debug/pprof/profile?seconds=301', 400],
    ['/debug/pprof/other', 404],
  ] as const) {
    t.equal((await server.get(path)).status, status, path);
  }
  const nobody = { authorization: undefined };
  t.equal((await server.get('/debug/pprof/profile', nobody)).status, 403);
});
