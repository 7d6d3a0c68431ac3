/** Many watches: what they cost idle, how much they take, and how soon they get it. */
import { expectEqual, pause, withServer, withStartedAgain } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { sharedNow } from './clock.ts';
import type { ClosedLoopResult } from './load-protocol.ts';
import { cpuMilliseconds, memoryOf } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import type { Selector } from './requests.ts';
import { median } from './statistics.ts';
import { lagColumns, measureLag, WatchRig } from './watch-rig.ts';

const WRITE_CONNECTIONS = 64;
const WRITTEN_OBJECTS = 100;
const GROUP = 'watches';

/** All events of one namespace to many watches, from writers that wait for nothing else. */
export async function watchThroughput(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    await bench.fill(WRITTEN_OBJECTS);
    const rig = new WatchRig(bench, options.watchProcesses);
    await rig.open({ group: GROUP, count: options.watches });
    const update = (seconds: number) =>
      bench.closedLoop({
        verb: 'update',
        connections: Math.min(WRITE_CONNECTIONS, options.watches),
        objects: WRITTEN_OBJECTS,
        warmUpSeconds: 0,
        seconds,
      });
    const warmUp = await update(options.warmUpSeconds);
    await rig.takeAll(GROUP, warmUp.result.requestsInAll);
    const startedAt = sharedNow();
    const cpuMs = -cpuMilliseconds(bench.pids);
    const measured = await update(options.seconds);
    const parts = await rig.takeAll(GROUP, measured.result.requestsInAll);
    const events = parts.reduce((sum, part) => sum + part.events, 0);
    const seconds = (Math.max(...parts.map((part) => part.lastEventAt)) - startedAt) / 1_000;
    const serverMs = cpuMs + cpuMilliseconds(bench.pids);
    return [
      {
        scenario: `${options.watches} watches, writers at full speed`,
        'writes/s': Math.round(measured.result.requests / measured.result.seconds),
        'write p99 ms': measured.result.p99,
        'events/s': Math.round(events / seconds),
        'server µs/event': Math.round((serverMs * 10_000) / events) / 10,
        'client busy %': Math.round(Math.max(...parts.map(({ loopBusy }) => loopBusy)) * 100),
        'RSS MB': memoryOf(bench.server.pid).rssMb,
        'anon MB': memoryOf(bench.server.pid).anonMb,
      },
    ];
  });
}

/** From the answer to a write to its event at the watches, at a steady pace of writes. */
export async function watchLag(options: BenchOptions): Promise<ResultRow[]> {
  const { watches, watchWritesPerSecond: writesPerSecond, seconds } = options;
  return withServer(options, async (bench) => {
    await bench.fill(WRITTEN_OBJECTS);
    const rig = new WatchRig(bench, options.watchProcesses);
    const timedEventsMax = Math.ceil(Math.max(seconds, options.warmUpSeconds) * writesPerSecond);
    await rig.open({ group: GROUP, count: watches, timedEventsMax });
    await measureLag(bench, rig, GROUP, { writesPerSecond, seconds: options.warmUpSeconds });
    const lag = await measureLag(bench, rig, GROUP, { writesPerSecond, seconds });
    const perEvent = (ms: number): number =>
      Math.round((ms * 10_000) / (lag.writes * watches)) / 10;
    return [
      {
        scenario: `${watches} watches, ${writesPerSecond} writes/s`,
        ...lagColumns(lag),
        'server µs/event': perEvent(lag.serverCpuMs),
        'client µs/event': perEvent(lag.clientCpuMs),
        'RSS MB': memoryOf(bench.server.pid).rssMb,
      },
    ];
  });
}

/** Memory and opening of watches that get next to nothing. */
export async function watchIdle(options: BenchOptions): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  await withServer(options, async (filled) => {
    await filled.fill(options.idleWatches);
    for (const selector of ['all', 'name'] as const) {
      const body = (bench: Bench): Promise<ResultRow> => idleRow(bench, options, selector);
      rows.push(await withStartedAgain(options, filled, body));
    }
  });
  return rows;
}

const IDLE_WRITES = 5;
const SETTLE_SECONDS = 1;

async function idleRow(
  bench: Bench,
  options: BenchOptions,
  selector: Selector,
): Promise<ResultRow> {
  const { warmUpSeconds, idleWatches: count } = options;
  // Compilers warm up. More load would leave free memory that hides what watches take.
  const objects = Math.min(WRITTEN_OBJECTS, count);
  const warmUp = { connections: 1, objects, warmUpSeconds: 0, seconds: warmUpSeconds };
  await bench.closedLoop({ verb: 'get', ...warmUp });
  const rig = new WatchRig(bench, 1);
  const settle = (): Promise<void> => pause(Math.min(SETTLE_SECONDS, options.seconds));
  await settle();
  const before = memoryOf(bench.server.pid);
  const seconds = await rig.open({ group: GROUP, count, selector });
  const pace = { connections: 1, seconds: 1, writesPerSecond: IDLE_WRITES };
  const written = { ...bench.target(), objects: IDLE_WRITES, seed: bench.nextSeed() };
  await bench.load.run('pacedWrites', { ...written, ...pace });
  const each = selector === 'all' ? IDLE_WRITES : IDLE_WRITES / count;
  const parts = await rig.take(GROUP, each, 10);
  const events = parts.reduce((sum, part) => sum + part.events, 0);
  expectEqual(events, Math.round(each * count), 'events of the idle watches');
  await settle();
  const after = memoryOf(bench.server.pid);
  const perWatch = (megabytes: number): number => Math.round((megabytes * 10_240) / count) / 10;
  return {
    scenario: `${count} idle watches, ${selector === 'all' ? 'of the same' : 'of one object each'}`,
    'opened/s': Math.round(count / seconds),
    'KiB each': perWatch(after.rssMb - before.rssMb),
    'anon KiB each': perWatch(after.anonMb - before.anonMb),
    'RSS MB': after.rssMb,
  };
}

/** Writers of other objects beside watches of one object each, and beside none. */
export async function watchSelective(options: BenchOptions): Promise<ResultRow[]> {
  const { idleWatches: count, rounds, roundSeconds: seconds } = options;
  return withServer(options, async (bench) => {
    const firstObject = options.historyObjects;
    await bench.fill(firstObject + count);
    const rig = new WatchRig(bench, 1);
    const update = (warmUpSeconds: number) =>
      bench.closedLoop({
        verb: 'update',
        connections: WRITE_CONNECTIONS,
        objects: firstObject,
        warmUpSeconds,
        seconds,
      });
    await update(options.warmUpSeconds);
    const beside = async (selector: 'none' | 'name' | 'label') => {
      if (selector !== 'none') await rig.open({ group: GROUP, count, selector, firstObject });
      // Opening them leaves garbage, which is no cost of having them.
      const measured = await update(2 * seconds);
      if (selector === 'none') return measured;
      const parts = await rig.take(GROUP, 0);
      const events = parts.reduce((sum, part) => sum + part.events, 0);
      expectEqual(events, 0, 'events of watches of other objects');
      await rig.close(GROUP);
      // The server forgets them in its own time.
      await pause(seconds / 4);
      return measured;
    };
    const without = [await beside('none')];
    const withNames: typeof without = [];
    for (let round = 0; round < rounds; round += 1) {
      withNames.push(await beside('name'));
      without.push(await beside('none'));
    }
    const withLabels = [await beside('label')];
    const rateOf = ({ result }: { result: ClosedLoopResult }): number =>
      result.requests / result.seconds;
    // Each round beside those before and after it: the machine's own pace changes slowly.
    const ratios = withNames.map((measured, round) => {
      const neighbours = without.slice(round, round + 2).map(rateOf);
      return (rateOf(measured) * 2) / neighbours.reduce((sum, rate) => sum + rate, 0);
    });
    const row = (scenario: string, of: typeof without, ratio: number): ResultRow => ({
      scenario,
      'rate/s': Math.round(median(of.map(rateOf))),
      'p99 ms': median(of.map(({ result }) => result.p99)),
      ratio,
      'worst ratio': Math.min(ratio, ...(of === withNames ? ratios : [])),
    });
    return [
      row('updates beside no watches', without, 1),
      row(`updates beside ${count} watches of other objects`, withNames, median(ratios)),
      row(
        `updates beside ${count} watches of other labels`,
        withLabels,
        median(withLabels.map(rateOf)) / median(without.map(rateOf)),
      ),
    ];
  });
}
