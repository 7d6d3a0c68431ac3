/** What the server does just now. */
import { useRef } from 'preact/hooks';
import { Chart, type Series } from './chart.ts';
import { bytes, duration, shortNumber } from './format.ts';
import { html, type View } from './html.ts';
import { quantilesBy, ratesBy, readMetrics, sumBy, type Labels, type Reading } from './metrics.ts';
import { usePolled } from './polled.ts';
import { AuditPanel, EventsPanel, FlowsPanel, ServersPanel, SlowRequestsPanel } from './reports.ts';
import type { Server } from './server.ts';
import { Panel, Rows } from './parts.ts';

const POLL_MS = 2_000;
/** Ten minutes of readings. */
const READINGS_MAX = 300;
const REQUESTS = 'apiserver_request_total';
const DURATIONS = 'apiserver_request_duration_seconds';
const LONG = new Set(['WATCH', 'CONNECT']);

const byVerb = ({ verb }: Labels): string | undefined => verb;
const byShortVerb = ({ verb = '' }: Labels): string | undefined =>
  LONG.has(verb) ? undefined : verb;
const byType = ({ verb = '', resource = '', subresource }: Labels): string =>
  `${verb} ${resource}${subresource ? `/${subresource}` : ''}`;
const byResource = ({ resource }: Labels): string | undefined => resource;
const byName = ({ name }: Labels): string | undefined => name;
const byThread = ({ thread }: Labels): string | undefined => thread;

/** The readings of the last minutes, the newest last. */
function useReadings(server: Server): { readings: readonly Reading[]; error?: Error } {
  const kept = useRef<Reading[]>([]);
  const { value, error } = usePolled(
    async () => {
      const text = await server.text('/metrics', { headers: { Accept: 'text/plain' } });
      const readings = [...kept.current, readMetrics(text, performance.now())];
      kept.current = readings.slice(-READINGS_MAX);
      return kept.current;
    },
    POLL_MS,
    [server],
  );
  return { readings: value ?? [], ...(error !== undefined && { error }) };
}

export function Overview({ server }: { readonly server: Server }): View {
  const { readings, error } = useReadings(server);
  const now = readings.at(-1);
  const before = readings.at(-2);
  return html`<div class="panels">
    ${error !== undefined && html`<p class="refused" role="alert">${error.message}</p>`}
    ${now !== undefined && html`<${Charts} readings=${readings} />`}
    ${now !== undefined && html`<${RequestsPanel} now=${now} before=${before ?? now} />`}
    ${now !== undefined && html`<${TypesPanel} now=${now} />`}
    ${now !== undefined && html`<${WatchesPanel} now=${now} before=${before ?? now} />`}
    ${now !== undefined && html`<${ControllersPanel} now=${now} before=${before ?? now} />`}
    ${now !== undefined && html`<${ThreadsPanel} now=${now} />`}
    <${FlowsPanel} server=${server} reading=${now} />
    <${SlowRequestsPanel} server=${server} />
    <${EventsPanel} server=${server} />
    <${AuditPanel} server=${server} />
    <${ServersPanel} server=${server} />
  </div>`;
}

function Charts({ readings }: { readonly readings: readonly Reading[] }): View {
  const pairs = readings.slice(1).map((now, at) => [readings[at] ?? now, now] as const);
  const rates = pairs.map(([before, now]) => ratesBy(before, now, REQUESTS, byVerb));
  const delays = pairs.map((pair) => quantilesBy(pair, DURATIONS, 0.99, byShortVerb));
  const times = pairs.map(([, now]) => (performance.timeOrigin + now.atMs) / 1_000);
  return html`<section class="charts wide">
    <${Chart}
      title="Requests per second, by verb"
      series=${seriesOf(times, rates)}
      show=${shortNumber}
    />
    <${Chart}
      title="99th percentile of latency, by verb"
      series=${seriesOf(times, delays)}
      show=${duration}
    />
  </section>`;
}

function seriesOf(
  times: readonly number[],
  values: readonly ReadonlyMap<string, number>[],
): Series {
  const names = [...new Set(values.flatMap((one) => [...one.keys()]))].sort();
  return {
    times,
    lines: new Map(names.map((name) => [name, values.map((one) => one.get(name))])),
  };
}

interface Compared {
  readonly now: Reading;
  readonly before: Reading;
}

function RequestsPanel({ now, before }: Compared): View {
  const rates = ratesBy(before, now, REQUESTS, byType);
  const totals = sumBy(now, REQUESTS, byType);
  const p50 = quantilesBy([before, now], DURATIONS, 0.5, byType);
  const p99 = quantilesBy([before, now], DURATIONS, 0.99, byType);
  const errors = ratesBy(before, now, REQUESTS, (labels) =>
    Number(labels['code']) >= 400 ? byType(labels) : undefined,
  );
  const rows = [...rates]
    .toSorted(([a, x], [b, y]) => y - x || (totals.get(b) ?? 0) - (totals.get(a) ?? 0))
    .map(([name, rate]) => [
      name,
      shortNumber(rate),
      shown(errors.get(name), shortNumber),
      shown(p50.get(name), duration),
      shown(p99.get(name), duration),
      shortNumber(totals.get(name) ?? 0),
    ]);
  return html`<${Panel} title="Requests by verb and type">
    <${Rows} head=${['', 'per s', 'refused', 'p50', 'p99', 'in all']} rows=${rows} />
  <//>`;
}

function shown(value: number | undefined, write: (value: number) => string): string {
  return value === undefined || value === 0 ? '' : write(value);
}

function TypesPanel({ now }: { readonly now: Reading }): View {
  const counts = now.samples.has('apiserver_resource_objects')
    ? sumBy(now, 'apiserver_resource_objects', typeName)
    : sumBy(now, 'apiserver_storage_objects', byResource);
  const sizes = sumBy(now, 'apiserver_resource_size_estimate_bytes', typeName);
  const versions = sumBy(now, 'shardplane_newest_version', byResource);
  const kept = sumBy(now, 'shardplane_history_versions', byResource);
  const rows = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => [
      name,
      shortNumber(count),
      ...(sizes.size > 0 ? [shown(sizes.get(name), bytes)] : []),
      String(versions.get(name) ?? ''),
      shown(kept.get(name), shortNumber),
    ]);
  return html`<${Panel} title=${`Types (${counts.size})`}>
    <${Rows}
      head=${['', 'objects', ...(sizes.size > 0 ? ['size'] : []), 'newest version', 'old versions']}
      rows=${rows}
    />
  <//>`;
}

function typeName({ resource = '', group = '' }: Labels): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function WatchesPanel({ now, before }: Compared): View {
  const of = (wanted: string) =>
    sumBy(now, 'shardplane_watches', ({ population, resource }) =>
      population === wanted ? resource : undefined,
    );
  const [live, late, slow] = [of('live'), of('catchingUp'), of('slow')];
  const lags = sumBy(now, 'shardplane_watch_lag_seconds', byResource);
  const behind = sumBy(now, 'shardplane_watch_lag_events', byResource);
  const events = [...ratesBy(before, now, 'apiserver_watch_events_total', () => '').values()];
  const rows = [...live]
    .map(([name, count]) => [name, count, late.get(name) ?? 0, slow.get(name) ?? 0] as const)
    .filter(([, ...counts]) => counts.some((count) => count > 0))
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count, catching, stalled]) => [
      name,
      shortNumber(count),
      shown(catching, shortNumber),
      shown(stalled, shortNumber),
      shown(behind.get(name), shortNumber),
      duration(lags.get(name) ?? 0),
    ]);
  const head = ['', 'live', 'catching up', 'slow', 'events behind', 'lag'];
  return html`<${Panel} title=${`Watches (${shortNumber(events[0] ?? 0)} events per s)`}>
    <${Rows} head=${head} rows=${rows} none="nobody watches" />
  <//>`;
}

function ControllersPanel({ now, before }: Compared): View {
  const depths = sumBy(now, 'workqueue_depth', byName);
  const adds = ratesBy(before, now, 'workqueue_adds_total', byName);
  const retries = ratesBy(before, now, 'workqueue_retries_total', byName);
  const waits = quantilesBy([before, now], 'workqueue_queue_duration_seconds', 0.99, byName);
  const unfinished = sumBy(now, 'workqueue_unfinished_work_seconds', byName);
  const longest = sumBy(now, 'workqueue_longest_running_processor_seconds', byName);
  const rows = [...depths].map(([name, depth]) => [
    name,
    shortNumber(depth),
    shown(adds.get(name), shortNumber),
    shown(retries.get(name), shortNumber),
    shown(waits.get(name), duration),
    shown(Math.max(unfinished.get(name) ?? 0, longest.get(name) ?? 0), duration),
  ]);
  const head = ['', 'waiting', 'added per s', 'tried again per s', 'wait p99', 'at work for'];
  return html`<${Panel} title="Controllers"><${Rows} head=${head} rows=${rows} /><//>`;
}

function ThreadsPanel({ now }: { readonly now: Reading }): View {
  const busy = sumBy(now, 'shardplane_event_loop_utilization', byThread);
  const heap = sumBy(now, 'nodejs_heap_size_used_bytes', byThread);
  const [memory = 0] = [...sumBy(now, 'process_resident_memory_bytes', () => '').values()];
  const rows = [...busy].map(([name, share]) => [
    name,
    `${Math.round(share * 100)} %`,
    bytes(heap.get(name) ?? 0),
  ]);
  return html`<${Panel} title=${`Threads (${bytes(memory)} in all)`}>
    <${Rows} head=${['', 'busy', 'heap']} rows=${rows} />
  <//>`;
}
