/** Snapshots: going back to one, and servers that begin with one. */
import { cpuMilliseconds } from './process-usage.ts';
import { withServer, type Bench, type BenchOptions } from './bench.ts';
import type { ResultRow } from './report.ts';
import { median } from './statistics.ts';

const LAB = '/shardplane/lab/v1';
const CHANGED_MAX = 1_000;
/** Scenarios may share a server. */
const RESET = 'reset';
const FORKED = 'forked';
const LABORATORY = { args: ['--laboratory'] };

/** Milliseconds until a server of `manyObjects` is as it was, by what was changed since. */
export async function resets(options: BenchOptions): Promise<ResultRow[]> {
  const objects = options.manyObjects;
  const changed = Math.min(CHANGED_MAX, objects);
  const measure = async (bench: Bench): Promise<ResultRow[]> => {
    await bench.fill(objects);
    await take(bench, RESET);
    const of = async (count: number): Promise<Took[]> => {
      const took: Took[] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        if (count > 0) await change(bench, count);
        took.push(await timed(bench, () => restore(bench)));
        // Controllers follow what was written.
        await restore(bench);
      }
      return took;
    };
    const rows: ResultRow[] = [];
    for (const count of [0, 1, changed]) {
      const scenario = `reset of ${objects} objects, ${count} changed`;
      rows.push(rowOf(scenario, await of(count)));
    }
    return rows;
  };
  return withServer(options, measure, LABORATORY);
}

/** Milliseconds until a fork of a server of `manyObjects` serves. */
export async function forks(options: BenchOptions): Promise<ResultRow[]> {
  const measure = async (bench: Bench): Promise<ResultRow[]> => {
    await bench.fill(options.manyObjects);
    await take(bench, FORKED);
    const took: Took[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      took.push(await timed(bench, () => ask(bench, `snapshots/${FORKED}/fork`, 'POST', 201)));
      await ask(bench, `forks/${FORKED}-1`, 'DELETE', 200);
    }
    return [rowOf(`fork of ${options.manyObjects} objects`, took)];
  };
  return withServer(options, measure, LABORATORY);
}

async function take(bench: Bench, name: string): Promise<void> {
  const body = JSON.stringify({ name });
  await bench.expectStatus(201, `${LAB}/snapshots`, { method: 'POST', body });
}

function restore(bench: Bench): Promise<void> {
  return ask(bench, `snapshots/${RESET}/restore`, 'POST', 200);
}

async function ask(bench: Bench, path: string, method: string, status: number): Promise<void> {
  await bench.expectStatus(status, `${LAB}/${path}`, { method });
}

/** Writes so many objects once. */
async function change(bench: Bench, objects: number): Promise<void> {
  const bounds = { warmUpSeconds: 0, seconds: 60, requestsMax: objects };
  await bench.closedLoop({ verb: 'update', connections: 16, objects, ...bounds });
}

interface Took {
  readonly ms: number;
  /** Of the server, without its forks. */
  readonly serverMs: number;
}

async function timed({ pids }: Bench, work: () => Promise<unknown>): Promise<Took> {
  const cpuBefore = cpuMilliseconds(pids);
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  return { ms, serverMs: cpuMilliseconds(pids) - cpuBefore };
}

/** Processor time comes in ticks that are longer than some of these: their mean says more. */
function rowOf(scenario: string, took: readonly Took[]): ResultRow {
  const times = took.map(({ ms }) => ms);
  const cpuMs = took.reduce((sum, { serverMs }) => sum + serverMs, 0);
  return {
    scenario,
    'answered ms': rounded(median(times)),
    'least ms': rounded(Math.min(...times)),
    'most ms': rounded(Math.max(...times)),
    'server CPU ms': rounded(cpuMs / Math.max(1, took.length)),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
