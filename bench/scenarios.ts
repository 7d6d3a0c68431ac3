/** The scenarios of `npm run bench`. Each has a server of its own on an empty folder. */
import { launchServer } from '../test/support/server-process.ts';
import { closedLoopRow, withOwnServer, withServer } from './bench.ts';
import type { BenchOptions } from './bench.ts';
import { history, listStream, pages } from './collection-scenarios.ts';
import { customResources, definitions } from './custom-scenarios.ts';
import { dialects } from './dialect-scenario.ts';
import { laboratory } from './laboratory-scenario.ts';
import { namespaceEnd } from './namespace-scenario.ts';
import { applies, patches } from './patch-scenarios.ts';
import { memoryOf } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { forks, resets } from './reset-scenarios.ts';
import { getForms, listForms, writeForms } from './representation-scenarios.ts';
import { watchForms } from './representation-watches.ts';
import { median } from './statistics.ts';
import { watchIdle, watchLag, watchSelective, watchThroughput } from './watch-scenarios.ts';
import { watchStalled } from './watch-stalled.ts';

async function creates(options: BenchOptions): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const connections of options.connections) {
    const row = await withServer(options, async (bench) => {
      const measured = await bench.closedLoop({ verb: 'create', connections });
      return closedLoopRow(`create, ${connections} connections`, measured, bench.server);
    });
    rows.push(row);
  }
  return rows;
}

async function getsAndUpdates(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    const objects = options.listObjects;
    await bench.fill(objects);
    const rows: ResultRow[] = [];
    for (const verb of ['get', 'update'] as const) {
      const measured = await bench.closedLoop({ verb, connections: 64, objects });
      rows.push(closedLoopRow(`${verb}, 64 connections`, measured, bench.server));
    }
    return rows;
  });
}

/** Writes of the objects that controllers write, beside the ConfigMap. */
async function kinds(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    const rows: ResultRow[] = [];
    const connections = 64;
    for (const kind of ['configmap', 'pod', 'deployment'] as const) {
      const create = await bench.closedLoop({ verb: 'create', connections, kind });
      // With those of the warm-up: on a busy machine there may be no others.
      const objects = Math.min(options.listObjects, create.result.nextObject);
      const update = await bench.closedLoop({ verb: 'update', connections, objects, kind });
      rows.push(
        closedLoopRow(`create of a ${kind}, 64 connections`, create, bench.server),
        closedLoopRow(`update of a ${kind}, 64 connections`, update, bench.server),
      );
    }
    return rows;
  });
}

async function lists(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    await bench.fill(options.listObjects);
    const bounds = { warmUpSeconds: 0, seconds: 60 };
    await bench.closedLoop({ verb: 'list', connections: 1, ...bounds, requestsMax: 3 });
    const measured = await bench.closedLoop({
      verb: 'list',
      connections: 1,
      ...bounds,
      requestsMax: options.lists,
    });
    const { bodyBytes, requests } = measured.result;
    const row = closedLoopRow(`list of ${options.listObjects}, one by one`, measured, bench.server);
    return [{ ...row, 'body MB': bodyBytes / Math.max(1, requests) / 1e6 }];
  });
}

async function startEmpty(options: BenchOptions): Promise<ResultRow[]> {
  const ready: number[] = [];
  let memory = { rssMb: 0, anonMb: 0, fileMb: 0 };
  for (let start = 0; start < options.starts; start += 1) {
    const server = await launchServer({ args: options.serverArgs });
    ready.push(server.readyMilliseconds);
    memory = memoryOf(server.pid);
    await server.dispose();
  }
  return [
    {
      scenario: 'start on an empty folder',
      'ready ms': Math.round(median(ready)),
      'RSS MB': memory.rssMb,
      'anon MB': memory.anonMb,
      'file MB': memory.fileMb,
    },
  ];
}

async function startFull(options: BenchOptions): Promise<ResultRow[]> {
  const count = options.manyObjects;
  return withOwnServer(options, async (bench) => {
    await bench.fill(count);
    const filled = memoryOf(bench.server.pid);
    await bench.server.stop();
    const ready: number[] = [];
    let memory = filled;
    for (let start = 0; start < options.starts; start += 1) {
      const { dataDirectory } = bench.server;
      const server = await launchServer({ dataDirectory, args: options.serverArgs });
      ready.push(server.readyMilliseconds);
      memory = memoryOf(server.pid);
      await server.stop();
    }
    const columns = ({ rssMb, anonMb, fileMb }: typeof memory): ResultRow => ({
      'RSS MB': rssMb,
      'anon MB': anonMb,
      'file MB': fileMb,
    });
    return [
      { scenario: `after creating ${count}`, ...columns(filled) },
      {
        scenario: `start with ${count}`,
        'ready ms': Math.round(median(ready)),
        ...columns(memory),
      },
    ];
  });
}

export const SCENARIOS = {
  create: creates,
  get: getsAndUpdates,
  kinds,
  patch: patches,
  apply: applies,
  namespace: namespaceEnd,
  list: lists,
  watch: watchThroughput,
  'watch-lag': watchLag,
  'watch-idle': watchIdle,
  'watch-selective': watchSelective,
  'watch-stalled': watchStalled,
  'list-stream': listStream,
  pages,
  history,
  'get-forms': getForms,
  'write-forms': writeForms,
  'list-forms': listForms,
  'watch-forms': watchForms,
  dialect: dialects,
  custom: customResources,
  definitions,
  'start-empty': startEmpty,
  'start-full': startFull,
  resets,
  forks,
  laboratory,
} as const satisfies Record<string, (options: BenchOptions) => Promise<ResultRow[]>>;
