/** What a laboratory in which there are no rules costs a server. */
import { withServer, type Bench, type BenchOptions } from './bench.ts';
import { compareServers, medianOf, ratioOf } from './comparison.ts';
import { laboratoryStage } from './laboratory-stage.ts';
import type { ResultRow } from './report.ts';

const LABORATORY = { args: ['--laboratory'] };
const CONNECTIONS = 64;
/** Gets pick from as many objects at both: creates go elsewhere. */
const READ = 'read-beside-laboratory';
const CREATED = 'created-beside-laboratory';

/** Gets and creates at a server without a laboratory and at one with it, in turn. */
export async function laboratory(options: BenchOptions): Promise<ResultRow[]> {
  const compare = async (benches: readonly [Bench, Bench]): Promise<ResultRow[]> => {
    for (const bench of benches) {
      for (const namespace of [READ, CREATED]) await bench.createNamespace(namespace);
      await bench.fill(options.historyObjects, { namespace: READ });
    }
    const get = await row(benches, options, 'get', READ);
    const create = await row(benches, options, 'create', CREATED);
    const { frontNs, shardNs } = laboratoryStage(options.stageRequests);
    const stage = {
      scenario: 'what a laboratory without rules does, in a loop',
      'front ns': frontNs,
      'shard ns': shardNs,
      'of a get %': percent(frontNs, get),
      'of a create %': percent(frontNs + shardNs, create),
    };
    return [get, create, stage];
  };
  return withServer(options, (plain) =>
    withServer(options, (own) => compare([plain, own]), LABORATORY),
  );
}

/** Of what the server without a laboratory takes for the request. */
function percent(ns: number, { 'plain µs/req': micros }: Compared): number {
  return Math.round((ns * 10) / micros) / 100;
}

interface Compared extends ResultRow {
  readonly 'plain µs/req': number;
}

async function row(
  benches: readonly [Bench, Bench],
  options: BenchOptions,
  verb: 'get' | 'create',
  namespace: string,
): Promise<Compared> {
  const job = { verb, connections: CONNECTIONS, namespace, objects: options.historyObjects };
  const [plain, own] = await compareServers(benches, options, job);
  return {
    scenario: `${verb}, with a laboratory without rules beside none`,
    'rate/s': Math.round(1 / medianOf(own, 'seconds')),
    'plain rate/s': Math.round(1 / medianOf(plain, 'seconds')),
    'rate/plain': 1 / ratioOf(own, plain, 'seconds'),
    'server µs/req': medianOf(own, 'serverMs') * 1_000,
    'plain µs/req': medianOf(plain, 'serverMs') * 1_000,
    'CPU/plain': ratioOf(own, plain, 'serverMs'),
  };
}
