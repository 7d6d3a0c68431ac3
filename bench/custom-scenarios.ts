/** Measures custom resources beside a built-in kind, and definitions. */
import { launchServer } from '../test/support/server-process.ts';
import { withOwnServer, withServer } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import {
  compareInTurn,
  medianOf,
  ratioOf,
  requestCost,
  warmUpOf,
  type Cost,
} from './comparison.ts';
import type { ClosedLoopJob } from './load-protocol.ts';
import { CONTENT_MARK, WIDGET_FIELDS, type ObjectKind } from './object-texts.ts';
import type { PatchText } from './patch-texts.ts';
import { cpuMilliseconds, memoryOf } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { Durations } from './statistics.ts';

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
/** Definitions are written in these names. */
const NEUTRAL = { domain: 'cluster.io' } as const;
const JSON_BODY = { 'content-type': 'application/json' };

type Properties = Record<string, unknown>;

function definitionOf(plural: string, kind: string, spec: Properties): string {
  const group = 'bench.example.com';
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: spec } },
  };
  return JSON.stringify({
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
}

/** As the objects that are sent. */
function widgetFields(): Properties {
  const fields = Array.from({ length: WIDGET_FIELDS - 2 }, (_, at) =>
    at % 3 === 0
      ? [`field${at}`, { type: 'integer', minimum: 0 }]
      : [`field${at}`, { type: 'string', maxLength: 100 }],
  );
  const texts = { counter: { type: 'string', minLength: 1 }, text: { type: 'string' } };
  return { ...texts, ...(Object.fromEntries(fields) as Properties) };
}

const KINDS: readonly ObjectKind[] = ['configmap', 'widget'];

type Case = Pick<ClosedLoopJob, 'verb' | 'connections'> & Partial<ClosedLoopJob>;

/** A PUT of a custom object must name its version: a merge patch does the same work without it. */
const CASES: readonly (readonly [shown: string, job: Case])[] = [
  ['create', { verb: 'create', connections: 64 }],
  ['get', { verb: 'get', connections: 64 }],
  ['merge patch', { verb: 'patch', connections: 64 }],
  ['list', { verb: 'list', connections: 1 }],
];

const MERGE = 'application/merge-patch+json';
const PATCHES: Readonly<Partial<Record<ObjectKind, PatchText>>> = {
  configmap: {
    contentType: MERGE,
    target: '',
    body: JSON.stringify({ data: { counter: CONTENT_MARK } }),
  },
  widget: {
    contentType: MERGE,
    target: '',
    body: JSON.stringify({ spec: { counter: CONTENT_MARK } }),
  },
};

/** Sends the same requests for ConfigMaps and for custom objects of their size, in turn. */
export async function customResources(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(
    options,
    async (bench) => {
      await define(bench, definitionOf('widgets', 'Widget', widgetFields()));
      await served(bench, 'widgets');
      const rows: ResultRow[] = [];
      for (const kind of KINDS) {
        for (const namespace of [listedIn(kind), createdIn(kind)]) {
          await bench.createNamespace(namespace);
        }
        await bench.fill(options.historyObjects, { namespace: listedIn(kind), kind });
      }
      for (const [shown, job] of CASES) rows.push(await caseRow(bench, options, shown, job));
      return rows;
    },
    NEUTRAL,
  );
}

function listedIn(kind: ObjectKind): string {
  return `listed-beside-${kind}`;
}

function createdIn(kind: ObjectKind): string {
  return `created-beside-${kind}`;
}

async function caseRow(
  bench: Bench,
  options: BenchOptions,
  shown: string,
  job: Case,
): Promise<ResultRow> {
  const { rounds, roundSeconds: seconds, historyObjects: objects } = options;
  const nextObjects = new Map<ObjectKind, number>();
  const costs = await compareInTurn(rounds, KINDS, async (kind, round) => {
    const patch = job.verb === 'patch' ? PATCHES[kind] : undefined;
    const measured = await bench.closedLoop({
      ...job,
      warmUpSeconds: warmUpOf(options, round),
      seconds,
      kind,
      namespace: job.verb === 'create' ? createdIn(kind) : listedIn(kind),
      objects,
      firstObject: nextObjects.get(kind) ?? 0,
      ...(patch && { patch }),
    });
    nextObjects.set(kind, measured.result.nextObject);
    return requestCost(measured);
  });
  const [builtIn = [], custom = []] = costs.values();
  const microseconds = (own: readonly Cost[]): number => medianOf(own, 'serverMs') * 1_000;
  return {
    scenario: `${shown} of a custom object, beside a configmap`,
    'rate/s': Math.round(1 / medianOf(custom, 'seconds')),
    'configmap rate/s': Math.round(1 / medianOf(builtIn, 'seconds')),
    'rate/configmap': 1 / ratioOf(custom, builtIn, 'seconds'),
    'server µs/req': microseconds(custom),
    'CPU/configmap': ratioOf(custom, builtIn, 'serverMs'),
  };
}

const DESCRIPTION =
  'What the field is for, at the length at which public definitions explain their fields. '.repeat(
    2,
  );
const LARGE_EVERY = 3;
/** About 100 KB of schema. */
const LARGE_FIELDS = 420;
const SMALL_FIELDS = 20;

/** Definitions one after another, a third of them large; then a start with them. */
export async function definitions(options: BenchOptions): Promise<ResultRow[]> {
  const count = options.definitions;
  return withOwnServer(
    options,
    async (bench) => {
      const { server } = bench;
      const before = memoryOf(server.pid);
      const cpuBefore = cpuMilliseconds([server.pid]);
      const begin = performance.now();
      const each = new Durations();
      for (let number = 0; number < count; number++) {
        const posted = performance.now();
        await define(bench, manyFields(number));
        await served(bench, `kinds${number}`);
        each.add(performance.now() - posted);
      }
      const seconds = (performance.now() - begin) / 1_000;
      const cpuMs = cpuMilliseconds([server.pid]) - cpuBefore;
      const after = memoryOf(server.pid);
      await server.stop();
      const { dataDirectory } = server;
      const again = await launchServer({ dataDirectory, args: ['--api-domain', NEUTRAL.domain] });
      const restarted = memoryOf(again.pid);
      const [p50 = 0, p99 = 0] = each.percentiles([0.5, 0.99]);
      await again.stop();
      return [
        {
          scenario: `${count} definitions, one after another`,
          seconds,
          'p50 ms': p50,
          'p99 ms': p99,
          'CPU ms each': cpuMs / count,
          'RSS MB more': after.rssMb - before.rssMb,
          'anon MB more': after.anonMb - before.anonMb,
        },
        {
          scenario: `start with ${count} definitions`,
          'ready ms': again.readyMilliseconds,
          'RSS MB': restarted.rssMb,
          'anon MB': restarted.anonMb,
        },
      ];
    },
    NEUTRAL,
  );
}

function manyFields(number: number): string {
  const fields = number % LARGE_EVERY === 0 ? LARGE_FIELDS : SMALL_FIELDS;
  const properties = Array.from({ length: fields }, (_, at) => [
    `field${at}`,
    { type: 'string', description: DESCRIPTION },
  ]);
  return definitionOf(
    `kinds${number}`,
    `Kind${number}`,
    Object.fromEntries(properties) as Properties,
  );
}

async function define(bench: Bench, body: string): Promise<void> {
  const response = await bench.fetch(DEFINITIONS, { method: 'POST', headers: JSON_BODY, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`a definition is refused: ${text.slice(0, 300)}`);
}

/** Resolves when the type is served. */
async function served(bench: Bench, plural: string): Promise<void> {
  for (;;) {
    const response = await bench.fetch(`${DEFINITIONS}/${plural}.bench.example.com`);
    const text = await response.text();
    if (/"type":\s*"Established",\s*"status":\s*"True"/.test(text)) break;
  }
  const list = await bench.fetch(`/apis/bench.example.com/v1/${plural}?limit=1`);
  await list.text();
  if (list.status !== 200) throw new Error(`${plural} is established, and answers ${list.status}`);
}
