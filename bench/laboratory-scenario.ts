/** What a laboratory in which there are no rules costs a server. */
import { withServer, type Bench, type BenchOptions } from './bench.ts';
import { compareServers, medianOf, ratioOf } from './comparison.ts';
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
    return [
      await row(benches, options, 'get', READ),
      await row(benches, options, 'create', CREATED),
    ];
  };
  return withServer(options, (plain) =>
    withServer(options, (own) => compare([plain, own]), LABORATORY),
  );
}

async function row(
  benches: readonly [Bench, Bench],
  options: BenchOptions,
  verb: 'get' | 'create',
  namespace: string,
): Promise<ResultRow> {
  const job = { verb, connections: CONNECTIONS, namespace, objects: options.historyObjects };
  const [plain, own] = await compareServers(benches, options, job);
  return {
    scenario: `${verb}, with a laboratory without rules beside none`,
    'rate/s': Math.round(1 / medianOf(own, 'seconds')),
    'plain rate/s': Math.round(1 / medianOf(plain, 'seconds')),
    'rate/plain': 1 / ratioOf(own, plain, 'seconds'),
    'server µs/req': medianOf(own, 'serverMs') * 1_000,
    'CPU/plain': ratioOf(own, plain, 'serverMs'),
  };
}
