/** Measures an event in each form, at many watches of the same objects. */
import { pause, withServer } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { sharedNow } from './clock.ts';
import { compareInTurn, costOf, medianOf, ratioOf, warmUpOf, type Cost } from './comparison.ts';
import type { WatchEvents } from './load-protocol.ts';
import { cpuMilliseconds } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { expectForm } from './representation-checks.ts';
import type { FormName } from './representation-forms.ts';
import { median } from './statistics.ts';
import { WatchRig } from './watch-rig.ts';

const WATCHED_FORMS: readonly FormName[] = [
  'JSON',
  'protobuf',
  'PartialObjectMetadata',
  'PartialObjectMetadata in protobuf',
  'Table',
];
const WRITE_CONNECTIONS = 64;
const WRITTEN_OBJECTS = 100;
const GROUP = 'watches';

interface Delivery {
  readonly cost: Cost;
  readonly writesPerSecond: number;
  readonly clientBusy: number;
}

/** Watches of one form at a time, beside writers that wait for nothing else. */
export async function watchForms(options: BenchOptions): Promise<ResultRow[]> {
  const { rounds, watches } = options;
  return withServer(options, async (bench) => {
    await bench.fill(WRITTEN_OBJECTS);
    // From the present state, and no longer than it takes to see that.
    const { namespace } = bench.target();
    const path = `/api/v1/namespaces/${namespace}/configmaps?watch=true&timeoutSeconds=1`;
    await Promise.all(WATCHED_FORMS.map((form) => expectForm(bench, form, path)));
    const rig = new WatchRig(bench, options.watchProcesses);
    const deliveries = new Map<FormName, Delivery[]>(WATCHED_FORMS.map((form) => [form, []]));
    const costs = await compareInTurn(rounds, WATCHED_FORMS, async (form, round) => {
      const delivery = await deliver(bench, rig, options, { form, round });
      deliveries.get(form)?.push(delivery);
      return delivery.cost;
    });
    const base = costs.get('JSON') ?? [];
    return [...costs].map(([form, own]) => {
      const of = (member: 'writesPerSecond' | 'clientBusy'): number =>
        median((deliveries.get(form) ?? []).map((delivery) => delivery[member]));
      return {
        scenario: `${watches} watches, writers at full speed: ${form}`,
        'writes/s': Math.round(of('writesPerSecond')),
        'events/s': Math.round(1 / medianOf(own, 'seconds')),
        'server µs/event': medianOf(own, 'serverMs') * 1_000,
        'client busy %': Math.round(of('clientBusy') * 100),
        'time/JSON': ratioOf(own, base, 'seconds'),
        'CPU/JSON': ratioOf(own, base, 'serverMs'),
      };
    });
  });
}

/** Opens the watches, lets writers run, and counts what all of them got, to the last event. */
async function deliver(
  bench: Bench,
  rig: WatchRig,
  options: BenchOptions,
  { form, round }: { form: FormName; round: number },
): Promise<Delivery> {
  const { watches: count, roundSeconds } = options;
  await rig.open({ group: GROUP, count, form });
  const update = (seconds: number) =>
    bench.closedLoop({
      verb: 'update',
      connections: Math.min(WRITE_CONNECTIONS, count),
      objects: WRITTEN_OBJECTS,
      warmUpSeconds: 0,
      seconds,
    });
  const warmUp = await update(warmUpOf(options, round));
  await rig.takeAll(GROUP, warmUp.result.requestsInAll);
  const startedAt = sharedNow();
  const cpuMs = -cpuMilliseconds(bench.pids);
  const { result } = await update(roundSeconds);
  const parts = await rig.takeAll(GROUP, result.requestsInAll);
  const serverMs = cpuMs + cpuMilliseconds(bench.pids);
  await rig.close(GROUP);
  // The server forgets them in its own time.
  await pause(roundSeconds / 4);
  return {
    cost: costOf(sumOfEvents(parts), (lastEventAt(parts) - startedAt) / 1_000, serverMs),
    writesPerSecond: result.requests / result.seconds,
    clientBusy: Math.max(...parts.map(({ loopBusy }) => loopBusy)),
  };
}

function sumOfEvents(parts: readonly WatchEvents[]): number {
  return parts.reduce((sum, { events }) => sum + events, 0);
}

function lastEventAt(parts: readonly WatchEvents[]): number {
  return Math.max(...parts.map((part) => part.lastEventAt));
}
