/** Writes beside a peer: creates, updates, patches and applies. */
import type { BenchTarget } from './bench-target.ts';
import type { Cost } from './comparison.ts';
import { checkDeploymentOwners, fillDeployments, type Deployment } from './deployments.ts';
import type { ClosedLoopJob } from './load-protocol.ts';
import { CONTENT_MARK, OBJECT_TEXTS } from './object-texts.ts';
import { applyDeployment, CONFIG_MAP_MERGE_PATCH, POD_STATUS } from './patch-texts.ts';
import {
  CONNECTIONS,
  makeNamespace,
  measureRequests,
  measureSides,
  newFilledNamespace,
  newNamespace,
  sideRow,
  type Sides,
} from './peer-sides.ts';
import type { ResultRow } from './report.ts';
import { protobufBody } from './representation-bodies.ts';
import type { FormName } from './representation-forms.ts';

const OBJECT_FORMS = ['JSON', 'protobuf'] as const satisfies readonly FormName[];
const CHANGED_OBJECTS = 500;
const APPLIED_OBJECTS = 300;

type Job = Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb'>;

/** Measures requests round by round; what is created is numbered on. */
class Writes {
  readonly #sides: Sides;
  readonly #namespace: string;
  readonly #nextObjects = new Map<BenchTarget, number>();

  constructor(sides: Sides, namespace: string) {
    this.#sides = sides;
    this.#namespace = namespace;
  }

  /** With `onlyOne` the time is what one request takes, and not the part of it that is its own. */
  async row(scenario: string, job: Job, { onlyOne = false } = {}): Promise<ResultRow> {
    const costs = await measureSides(this.#sides, async (side, round): Promise<Cost> => {
      const firstObject = this.#nextObjects.get(side) ?? CHANGED_OBJECTS;
      const bounds = { namespace: this.#namespace, firstObject, objects: CHANGED_OBJECTS };
      let p50Ms = 0;
      const whole = { ...bounds, ...job };
      const cost = await measureRequests(side, this.#sides, round, whole, (result) => {
        if (job.verb === 'create') this.#nextObjects.set(side, result.nextObject);
        p50Ms = result.p50;
      });
      return onlyOne ? { ...cost, seconds: p50Ms / 1_000 } : cost;
    });
    const of = onlyOne ? 'p50 at 1 connection' : `${CONNECTIONS} connections`;
    return sideRow(`${scenario}, ${of}: ${job.form ?? 'JSON'}`, this.#sides, costs);
  }
}

/** Pods, created, updated, and given a status as a node does it; Deployments, created. */
export async function writes(sides: Sides): Promise<ResultRow[]> {
  const namespace = await newFilledNamespace(sides, 'written', CHANGED_OBJECTS);
  const measured = new Writes(sides, namespace);
  const rows: ResultRow[] = [];
  for (const verb of ['create', 'update'] as const) {
    for (const form of OBJECT_FORMS) {
      const body =
        form === 'protobuf'
          ? { body: protobufBody('newPod', namespace, sides.options.objectBytes) }
          : {};
      rows.push(await measured.row(`${verb} of a Pod`, { verb, form, ...body }));
    }
  }
  const status = { verb: 'patch', patch: POD_STATUS } as const;
  rows.push(await measured.row("merge patch of a Pod's status", status));
  const deployment = { verb: 'create', kind: 'deployment' } as const;
  rows.push(await new Writes(sides, namespace).row('create of a Deployment', deployment));
  return rows;
}

/** One manager of three applies the whole of a Deployment, with a change. */
export async function applies(sides: Sides): Promise<ResultRow[]> {
  const { own, peer, options } = sides;
  const objects = Math.min(APPLIED_OBJECTS, options.listObjects);
  const namespace = newNamespace('applied');
  for (const side of [own, peer]) {
    await makeNamespace(side, namespace);
    await fillDeployments(side, objects, namespace);
  }
  const patch = applyDeployment(CONTENT_MARK);
  const job = { verb: 'patch', kind: 'deployment', objects, patch } as const;
  const row = await new Writes(sides, namespace).row('apply of a whole Deployment', job);
  for (const side of [own, peer]) {
    const path = OBJECT_TEXTS.deployment.collection(namespace);
    const { items } = (await side.expectStatus(200, path)) as { readonly items: Deployment[] };
    for (const item of items) checkDeploymentOwners(item);
  }
  return [row];
}

/** ConfigMaps of 1 KB: how long the create of one takes, and how many of each verb go at a time. */
export async function configMaps(sides: Sides): Promise<ResultRow[]> {
  const kind = 'configmap';
  const namespace = await newFilledNamespace(sides, 'configmaps', CHANGED_OBJECTS, kind);
  const measured = new Writes(sides, namespace);
  const create = { verb: 'create', kind } as const;
  return [
    await measured.row('create of a ConfigMap', { ...create, connections: 1 }, { onlyOne: true }),
    await measured.row('create of a ConfigMap', create),
    await measured.row('update of a ConfigMap', { verb: 'update', kind }),
    await measured.row('merge patch of a ConfigMap', {
      verb: 'patch',
      kind,
      patch: CONFIG_MAP_MERGE_PATCH,
    }),
    await measured.row('get of a ConfigMap', { verb: 'get', kind }),
  ];
}
