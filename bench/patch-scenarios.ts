/** Patches and server-side apply: each request changes one of some hundred objects a little. */
import { closedLoopRow, expectEqual, withServer } from './bench.ts';
import type { Bench, BenchOptions } from './bench.ts';
import {
  checkDeploymentOwners,
  fillDeployments,
  type Deployment,
  type Item,
} from './deployments.ts';
import type { ClosedLoopResult } from './load-protocol.ts';
import { CONTENT_MARK, OBJECT_TEXTS, type ObjectKind } from './object-texts.ts';
import {
  APPLIED_VARIABLE,
  applyDeployment,
  applyReplicas,
  CONFIG_MAP_PATCHES,
  FIRST_CONTENT,
  SCALED_ANNOTATION,
  type PatchText,
} from './patch-texts.ts';
import type { ResultRow } from './report.ts';

const OBJECTS = 300;
const CONNECTIONS = 64;

interface ConfigMap extends Item {
  readonly data: { readonly counter: string };
}

interface Collection {
  readonly version: number;
  readonly items: readonly Item[];
}

/** One row: what is sent, and how it shows in the objects that it was sent to. */
interface Case<I extends Item> {
  readonly scenario: string;
  readonly kind: ObjectKind;
  readonly objects: number;
  readonly patch: PatchText;
  /** Gives the content that a request writes; undefined when requests change nothing. */
  readonly contentOf: ((item: I) => string | undefined) | undefined;
}

/** Makes the same change of 1 KB ConfigMaps by each of the patches of a document. */
export async function patches(options: BenchOptions): Promise<ResultRow[]> {
  const objects = Math.min(OBJECTS, options.listObjects);
  return withServer(options, async (bench) => {
    await bench.fill(objects);
    const rows: ResultRow[] = [];
    for (const [name, patch] of CONFIG_MAP_PATCHES) {
      const scenario = `${name} of a configmap, ${CONNECTIONS} connections`;
      const contentOf = ({ data }: ConfigMap): string => data.counter;
      rows.push(await patchRow(bench, { scenario, kind: 'configmap', objects, patch, contentOf }));
    }
    return rows;
  });
}

/** Applies to Deployments of three managers: two appliers, and a controller with their status. */
export async function applies(options: BenchOptions): Promise<ResultRow[]> {
  const objects = Math.min(OBJECTS, options.listObjects);
  return withServer(options, async (bench) => {
    await fillDeployments(bench, objects, bench.target().namespace);
    const kind = 'deployment';
    const cases: readonly Omit<Case<Deployment>, 'kind' | 'objects'>[] = [
      {
        scenario: 'apply that changes nothing',
        patch: applyDeployment(FIRST_CONTENT),
        contentOf: undefined,
      },
      {
        scenario: 'apply of a whole deployment',
        patch: applyDeployment(CONTENT_MARK),
        contentOf: appliedContent,
      },
      {
        scenario: "apply of another manager's two fields",
        patch: applyReplicas(CONTENT_MARK),
        contentOf: ({ metadata }) => metadata.annotations?.[SCALED_ANNOTATION],
      },
    ];
    const rows: ResultRow[] = [];
    for (const one of cases) {
      const scenario = `${one.scenario}, ${CONNECTIONS} connections`;
      rows.push(await patchRow(bench, { ...one, scenario, kind, objects }));
      const { items } = await collectionOf(bench, kind);
      for (const item of items) checkDeploymentOwners(item as Deployment);
    }
    return rows;
  });
}

function appliedContent({ spec }: Deployment): string | undefined {
  const [first] = spec.template.spec.containers;
  return first?.env.find(({ name }) => name === APPLIED_VARIABLE)?.value;
}

async function collectionOf(bench: Bench, kind: ObjectKind): Promise<Collection> {
  const path = OBJECT_TEXTS[kind].collection(bench.target().namespace);
  const list = (await bench.expectStatus(200, path)) as {
    readonly metadata: { readonly resourceVersion: string };
    readonly items: readonly Item[];
  };
  return { version: Number(list.metadata.resourceVersion), items: list.items };
}

async function patchRow<I extends Item>(
  bench: Bench,
  { scenario, kind, objects, patch, contentOf }: Case<I>,
): Promise<ResultRow> {
  const before = await collectionOf(bench, kind);
  const job = { verb: 'patch', connections: CONNECTIONS, kind, objects, patch } as const;
  const measured = await bench.closedLoop(job);
  const after = await collectionOf(bench, kind);
  checkChanges(scenario, before, after, measured.result, contentOf);
  const bytes = after.items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
  return {
    ...closedLoopRow(scenario, measured, bench.server),
    'patch bytes': patch.body.length,
    'object bytes': Math.round(bytes / after.items.length),
  };
}

/** Throws unless every request was a write that shows in its object; or none was, as asked. */
function checkChanges<I extends Item>(
  scenario: string,
  before: Collection,
  after: Collection,
  { requests }: ClosedLoopResult,
  contentOf: Case<I>['contentOf'],
): void {
  expectEqual(after.items.length, before.items.length, `${scenario}: objects`);
  let changed = 0;
  for (const [at, item] of after.items.entries()) {
    const former = before.items[at];
    const isWritten = item.metadata.resourceVersion !== former?.metadata.resourceVersion;
    const isChanged = contentOf !== undefined && contentOf(item as I) !== contentOf(former as I);
    if (isWritten !== isChanged) {
      throw new Error(`${scenario}: ${item.metadata.name} is not what was asked for`);
    }
    if (isChanged) changed += 1;
  }
  if (contentOf === undefined) return;
  const versions = after.version - before.version;
  if (changed === 0 || versions < requests) {
    throw new Error(`${scenario}: ${requests} requests made ${versions} versions`);
  }
}
