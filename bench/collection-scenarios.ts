/** Long collections: streamed and paged lists beside writers, and what history costs. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expectEqual, pause, withServer, withStartedAgain } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import type { Measured } from './load-client.ts';
import type { ClosedLoopResult, ReadListsResult } from './load-protocol.ts';
import { memoryOf, PeakMemory } from './process-usage.ts';
import type { Memory } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { median } from './statistics.ts';

/** Few, so that the store grows by less than the lists take. */
const LIST_WRITERS = 4;
const WRITTEN_NAMESPACE = 'written';
const WRITTEN_OBJECTS = 100;

/** Many clients that read one long collection at the same time, beside writers and without. */
export async function listStream(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (filled) => {
    const { longListObjects, longListObjectBytes: objectBytes } = options;
    await filled.fill(longListObjects, { objectBytes });
    await filled.createNamespace(WRITTEN_NAMESPACE);
    await filled.fill(WRITTEN_OBJECTS, { namespace: WRITTEN_NAMESPACE });
    const rows: ResultRow[] = [];
    for (const bytesPerSecond of [0, options.slowBytesPerSecond]) {
      const body = (bench: Bench): Promise<ResultRow[]> => listRows(bench, options, bytesPerSecond);
      rows.push(...(await withStartedAgain(options, filled, body)));
    }
    return rows;
  });
}

async function listRows(
  bench: Bench,
  options: BenchOptions,
  bytesPerSecond: number,
): Promise<ResultRow[]> {
  await pause(Math.min(1, options.seconds));
  const { longLists, longListObjects, roundSeconds: seconds } = options;
  // Right after a start, with the collection loaded and nothing asked yet.
  const idle = memoryOf(bench.server.pid);
  const readers = bench.newLoad();
  const pace = bytesPerSecond === 0 ? 'full speed' : `${bytesPerSecond / 1e6} MB/s`;
  const read = async (secondsMin: number): Promise<ReadListsResult> => {
    const job = { ...bench.target(), connections: longLists, bytesPerSecond, secondsMin };
    const lists = await readers.run('readLists', job);
    for (const items of lists.items) {
      // A fill makes a few objects more than it was asked for.
      if (items < longListObjects) throw new Error(`a list had ${items} items`);
      expectEqual(items, lists.items[0] ?? 0, 'items of a list');
    }
    return lists;
  };
  const write = (): Promise<Measured<ClosedLoopResult>> =>
    bench.closedLoop({
      verb: 'update',
      connections: LIST_WRITERS,
      namespace: WRITTEN_NAMESPACE,
      objects: WRITTEN_OBJECTS,
      warmUpSeconds: seconds / 4,
      seconds,
    });
  const listsPeak = new PeakMemory(bench.server.pid);
  const lists = await read(0);
  const listsMemory = listsPeak.stop();
  const writersPeak = new PeakMemory(bench.server.pid);
  const writers = await write();
  const writersMemory = writersPeak.stop();
  const bothPeak = new PeakMemory(bench.server.pid);
  const [besideWriters, besideLists] = await Promise.all([read(seconds * 1.25), write()]);
  const bothMemory = bothPeak.stop();
  return [
    {
      scenario: `${longLists} lists at ${pace}`,
      ...listColumns(lists),
      ...memoryColumns(idle, listsMemory),
    },
    {
      scenario: `${LIST_WRITERS} writers`,
      ...writeColumns(writers),
      ...memoryColumns(idle, writersMemory),
    },
    {
      scenario: `${longLists} lists at ${pace}, ${LIST_WRITERS} writers`,
      ...listColumns(besideWriters),
      ...writeColumns(besideLists),
      ...memoryColumns(idle, bothMemory),
    },
  ];
}

function listColumns({ seconds, bodyBytes }: ReadListsResult): Omit<ResultRow, 'scenario'> {
  return {
    'list MB': bodyBytes / seconds.length / 1e6,
    'list p50 s': median(seconds),
    'list max s': Math.max(...seconds),
  };
}

function writeColumns({ result }: Measured<ClosedLoopResult>): Omit<ResultRow, 'scenario'> {
  return { 'writes/s': Math.round(result.requests / result.seconds), 'write p99 ms': result.p99 };
}

function memoryColumns(idle: Memory, peak: Memory): Omit<ResultRow, 'scenario'> {
  return {
    'idle RSS MB': idle.rssMb,
    'RSS over idle MB': peak.rssMb - idle.rssMb,
    'anon over idle': peak.anonMb - idle.anonMb,
    'file over idle': peak.fileMb - idle.fileMb,
  };
}

/** One long list in pages, beside a writer of the same objects. */
export async function pages(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    const { listObjects, pageLimit: limit, lists } = options;
    await bench.fill(listObjects);
    const reader = bench.newLoad();
    const rows: ResultRow[] = [];
    for (const connections of [0, LIST_WRITERS]) {
      const end = performance.now() + options.roundSeconds * 1_000;
      const writing =
        connections === 0
          ? undefined
          : bench.closedLoop({
              verb: 'update',
              connections,
              objects: listObjects,
              warmUpSeconds: 0,
              seconds: options.roundSeconds,
            });
      const totals: number[] = [];
      const milliseconds: number[] = [];
      do {
        const list = await reader.run('readPages', { ...bench.target(), limit });
        expectEqual(list.versions, 1, 'collection versions over the pages of a list');
        expectEqual(list.milliseconds.length, Math.ceil(list.items / limit), 'pages of a list');
        if (list.items < listObjects) throw new Error(`a list had ${list.items} items`);
        milliseconds.push(...list.milliseconds);
        totals.push(list.milliseconds.reduce((sum, ms) => sum + ms, 0));
      } while (performance.now() < end && totals.length < lists);
      const sorted = milliseconds.sort((a, b) => a - b);
      rows.push({
        scenario: `${listObjects} in pages of ${limit}, ${connections} writers`,
        lists: totals.length,
        'list ms': median(totals),
        'page p50 ms': median(sorted),
        'page p99 ms': sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        ...(writing === undefined ? {} : writeColumns(await writing)),
      });
    }
    return rows;
  });
}

interface HistoryRun {
  readonly rates: number[];
  readonly p99s: number[];
  readonly fileMb: number[];
}

/** Updates of the same objects over and over, with a short history window and the usual one. */
export async function history(options: BenchOptions): Promise<ResultRow[]> {
  const windows = [
    { shown: `${options.historyMs}ms`, args: ['--watch-history', `${options.historyMs}ms`] },
    { shown: 'the usual length', args: [] },
  ] as const;
  const runs = windows.map((): HistoryRun => ({ rates: [], p99s: [], fileMb: [] }));
  const servers = (
    bodies: (benches: Bench[]) => Promise<void>,
    benches: Bench[],
  ): Promise<void> => {
    const window = windows[benches.length];
    if (window === undefined) return bodies(benches);
    return withServer(options, (bench) => servers(bodies, [...benches, bench]), window);
  };
  await servers(async (benches) => {
    for (const bench of benches) await bench.fill(options.historyObjects);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [at, bench] of benches.entries()) {
        const run = runs[at];
        if (run !== undefined) await historyRound(bench, options, run);
        // The one must not disturb the other with what it still drops.
        if (at === 0) await pause(compactedSeconds(options));
      }
    }
  }, []);
  return runs.map(({ rates, p99s, fileMb }, at) => ({
    scenario: `updates of ${options.historyObjects} objects, history of ${windows[at]?.shown}`,
    'rate/s': Math.round(median(rates)),
    'p99 ms': median(p99s),
    ratio: median(rates.map((rate, round) => rate / (runs[1]?.rates[round] ?? rate))),
    'file MB': fileMb.map((megabytes) => Math.round(megabytes)).join(' '),
  }));
}

/** After so long versions leave the short window as fast as they are made. */
function compactedSeconds({ historyMs, seconds }: BenchOptions): number {
  return historyMs / 1_000 + Math.min(1, seconds);
}

/** Writes until versions leave the short window, and then measures. */
async function historyRound(bench: Bench, options: BenchOptions, run: HistoryRun): Promise<void> {
  const file = join(bench.server.dataDirectory, 'store', 'data.mdb');
  const { result } = await bench.closedLoop({
    verb: 'update',
    connections: 64,
    objects: options.historyObjects,
    warmUpSeconds: compactedSeconds(options),
    seconds: options.roundSeconds,
  });
  run.rates.push(result.requests / result.seconds);
  run.p99s.push(result.p99);
  run.fileMb.push(statSync(file).size / 1e6);
}
