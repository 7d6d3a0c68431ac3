/** Sends the same requests to a server of each dialect: what the names of the other one cost. */
import { K8S } from '../src/semantics/dialect/dialect.ts';
import { expectEqual, withServer } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { compareServers, medianOf, ratioOf, type Cost } from './comparison.ts';
import type { ClosedLoopJob } from './load-protocol.ts';
import { OBJECT_TEXTS, type ObjectKind } from './object-texts.ts';
import type { ResultRow } from './report.ts';

const KINDS: readonly (readonly [kind: ObjectKind, shown: string])[] = [
  ['configmap', 'a configmap'],
  ['deployment', 'a deployment'],
  ['labelledDeployment', 'a deployment with well-known names'],
];

type Case = Pick<ClosedLoopJob, 'verb' | 'connections'> & Partial<ClosedLoopJob>;

const CASES: readonly (readonly [shown: string, job: Case])[] = [
  ['create', { verb: 'create', connections: 64 }],
  ['get', { verb: 'get', connections: 64 }],
  ['update', { verb: 'update', connections: 64 }],
  ['list', { verb: 'list', connections: 1 }],
  ['list in protobuf', { verb: 'list', connections: 1, form: 'protobuf' }],
];

/** Creates, gets, updates and lists of one kind after the other, at both servers in turn. */
export async function dialects(options: BenchOptions): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  const compare = async (benches: readonly [Bench, Bench]): Promise<void> => {
    for (const [kind, shown] of KINDS) {
      for (const bench of benches) await fillListed(bench, kind, options);
      for (const [verb, job] of CASES) {
        const scenario = `${verb} of ${shown}`;
        rows.push(await caseRow(benches, options, { scenario, kind, job }));
      }
    }
  };
  await withServer(
    options,
    (neutral) => withServer(options, (k8s) => compare([neutral, k8s]), { domain: 'k8s.io' }),
    { domain: 'cluster.io' },
  );
  return rows;
}

/** Both servers have the same number of objects there: creates go elsewhere. */
function listedIn(kind: ObjectKind): string {
  return `listed-${kind.toLowerCase()}`;
}

function createdIn(kind: ObjectKind): string {
  return `created-${kind.toLowerCase()}`;
}

async function fillListed(bench: Bench, kind: ObjectKind, options: BenchOptions): Promise<void> {
  for (const namespace of [listedIn(kind), createdIn(kind)]) await bench.createNamespace(namespace);
  const objects = options.historyObjects;
  await bench.fill(objects, { namespace: listedIn(kind), kind });
  const { collection } = OBJECT_TEXTS[kind];
  const response = await bench.fetch(collection(listedIn(kind)));
  const text = await response.text();
  const { items } = JSON.parse(text) as { items: readonly unknown[] };
  expectEqual(items.length, objects, `objects of ${listedIn(kind)}`);
  expectNames(bench, kind, text);
}

/** Throws unless the server speaks its dialect, and nothing of the other one. */
function expectNames(bench: Bench, kind: ObjectKind, text: string): void {
  if (kind !== 'labelledDeployment') return;
  const names = ['"app.cluster.io/name"', '"app.kubernetes.io/name"'];
  const [own = '', other = ''] = bench.domain === K8S.domain ? names.toReversed() : names;
  if (!text.includes(own) || text.includes(other)) {
    throw new Error(`a server of ${bench.domain} does not say ${own}`);
  }
}

interface CaseOptions {
  readonly scenario: string;
  readonly kind: ObjectKind;
  readonly job: Case;
}

async function caseRow(
  benches: readonly [Bench, Bench],
  options: BenchOptions,
  { scenario, kind, job }: CaseOptions,
): Promise<ResultRow> {
  const namespace = job.verb === 'create' ? createdIn(kind) : listedIn(kind);
  const whole = { ...job, kind, namespace, objects: options.historyObjects };
  const [neutral, k8s] = await compareServers(benches, options, whole);
  const microseconds = (own: readonly Cost[]): number => medianOf(own, 'serverMs') * 1_000;
  return {
    scenario: `${scenario}, k8s.io beside cluster.io`,
    'rate/s': Math.round(1 / medianOf(k8s, 'seconds')),
    'neutral rate/s': Math.round(1 / medianOf(neutral, 'seconds')),
    'server µs/req': microseconds(k8s),
    'neutral µs/req': microseconds(neutral),
    'CPU/neutral': ratioOf(k8s, neutral, 'serverMs'),
  };
}
