/** The scenarios that compare a peer. */
import type { BenchTarget } from './bench-target.ts';
import { costOf, requestCost, warmUpOf, type Cost } from './comparison.ts';
import type { ClosedLoopJob, ClosedLoopResult } from './load-protocol.ts';
import { pagedLists, wholeLists } from './peer-lists.ts';
import { policyCosts } from './peer-policies.ts';
import {
  filledNamespace,
  makeNamespace,
  measureSides,
  newNamespace,
  sideRow,
  type Sides,
} from './peer-sides.ts';
import type { ResultRow } from './report.ts';
import { protobufBody } from './representation-bodies.ts';
import type { FormName } from './representation-forms.ts';
import { measureLag, WatchRig } from './watch-rig.ts';

const CONNECTIONS = 64;
const OBJECT_FORMS = ['JSON', 'protobuf'] as const satisfies readonly FormName[];
const WATCHED_FORMS = ['JSON', 'Table', 'protobuf'] as const satisfies readonly FormName[];
/** In which one client lists while others get. */
const LISTED_FORMS = ['JSON', 'JSON with gzip'] as const satisfies readonly FormName[];
const GETS_AT_ONCE = 4;
const UPDATED_PODS = 500;
const WATCHED_PODS = 100;
const GROUP = 'watches';

async function writes(sides: Sides): Promise<ResultRow[]> {
  const { options, own, peer } = sides;
  const namespace = newNamespace('written');
  for (const side of [own, peer]) {
    await makeNamespace(side, namespace);
    await side.fill(UPDATED_PODS, { namespace, kind: 'newPod' });
  }
  const rows: ResultRow[] = [];
  const nextObjects = new Map<BenchTarget, number>();
  for (const verb of ['create', 'update'] as const) {
    for (const form of OBJECT_FORMS) {
      const body =
        form === 'protobuf' ? { body: protobufBody('newPod', namespace, options.objectBytes) } : {};
      const costs = await measureSides(sides, async (side, round) => {
        const firstObject = nextObjects.get(side) ?? UPDATED_PODS;
        const bounds = { firstObject, objects: UPDATED_PODS };
        const job = { verb, form, namespace, ...body, ...bounds } as const;
        return measureRequests(side, sides, round, job, ({ nextObject }) => {
          nextObjects.set(side, nextObject);
        });
      });
      rows.push(sideRow(`${verb} of a Pod, ${CONNECTIONS} connections: ${form}`, sides, costs));
    }
  }
  return rows;
}

async function gets(sides: Sides): Promise<ResultRow[]> {
  const { own, peer } = sides;
  const { listObjects: objects } = sides.options;
  let namespace = '';
  for (const side of [own, peer]) namespace = await filledNamespace(side, objects);
  const rows: ResultRow[] = [];
  for (const form of OBJECT_FORMS) {
    const job = { verb: 'get', form, namespace, objects } as const;
    const costs = await measureSides(sides, (side, round) =>
      measureRequests(side, sides, round, job),
    );
    rows.push(sideRow(`get of a Pod, ${CONNECTIONS} connections: ${form}`, sides, costs));
  }
  return [...rows, ...(await getsBesideLists(sides, namespace))];
}

/** Measures how long gets of others wait while one client lists all Pods, again and again. */
async function getsBesideLists(sides: Sides, namespace: string): Promise<ResultRow[]> {
  const { options, own, peer } = sides;
  const { roundSeconds: seconds, listObjects: objects } = options;
  const listers = new Map([own, peer].map((side) => [side, side.newLoad()]));
  const rows: ResultRow[] = [];
  for (const form of LISTED_FORMS) {
    const costs = await measureSides(sides, async (side, round) => {
      const warmUpSeconds = warmUpOf(options, round);
      const job = { ...side.target(), kind: 'newPod', namespace, form } as const;
      const bounds = { connections: 1, secondsMin: warmUpSeconds + seconds, bytesPerSecond: 0 };
      const listing = listers.get(side)?.run('readLists', { ...job, ...bounds });
      const gets = { verb: 'get', connections: GETS_AT_ONCE, warmUpSeconds, seconds } as const;
      const { result, serverCpuMs } = await side.closedLoop({
        ...job,
        ...gets,
        form: 'JSON',
        objects,
      });
      await listing;
      return { ...costOf(result.requests, 0, serverCpuMs), seconds: result.p99 / 1_000 };
    });
    const scenario = `get of a Pod, ${GETS_AT_ONCE} connections, p99 beside lists of ${objects}`;
    rows.push(sideRow(`${scenario}: ${form}`, sides, costs));
  }
  return rows;
}

/** Requests, for Pods where nothing else is said, for the time of a round. */
async function measureRequests(
  side: BenchTarget,
  { options }: Sides,
  round: number,
  job: Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb'>,
  onMeasured: (result: ClosedLoopResult) => void = () => undefined,
): Promise<Cost> {
  const measured = await side.closedLoop({
    kind: 'newPod',
    connections: CONNECTIONS,
    warmUpSeconds: warmUpOf(options, round),
    seconds: options.roundSeconds,
    ...job,
  });
  onMeasured(measured.result);
  return requestCost(measured);
}

/** Creates of ConfigMaps: how long one takes on its own, and how many go at a time. */
async function configMaps(sides: Sides): Promise<ResultRow[]> {
  const { own, peer } = sides;
  const namespace = newNamespace('configmaps');
  for (const side of [own, peer]) await makeNamespace(side, namespace);
  const create = { verb: 'create', kind: 'configmap', namespace } as const;
  const nextObjects = new Map<BenchTarget, number>();
  const rows: ResultRow[] = [];
  for (const connections of [1, CONNECTIONS]) {
    const costs = await measureSides(sides, async (side, round) => {
      let p50Ms = 0;
      const job = { ...create, connections, firstObject: nextObjects.get(side) ?? 0 };
      const cost = await measureRequests(side, sides, round, job, ({ nextObject, p50 }) => {
        nextObjects.set(side, nextObject);
        p50Ms = p50;
      });
      return connections === 1 ? { ...cost, seconds: p50Ms / 1_000 } : cost;
    });
    const of = connections === 1 ? 'p50 at 1 connection' : `${connections} connections`;
    rows.push(sideRow(`create of a ConfigMap, ${of}`, sides, costs));
  }
  return rows;
}

/** Updates at a pace that both can keep, and how long after its sending each is at each watch. */
async function watches(sides: Sides): Promise<ResultRow[]> {
  const { options, own, peer } = sides;
  const { peerWatches: count, roundSeconds: seconds } = options;
  const namespace = newNamespace('watched');
  const writesPerSecond = options.watchWritesPerSecond / 2;
  const rigs = new Map<BenchTarget, WatchRig>();
  for (const side of [own, peer]) {
    await makeNamespace(side, namespace);
    await side.fill(WATCHED_PODS, { namespace, kind: 'newPod' });
    rigs.set(side, new WatchRig(side, options.watchProcesses));
  }
  const rows: ResultRow[] = [];
  const of = { namespace, kind: 'newPod' } as const;
  for (const form of WATCHED_FORMS) {
    const costs = await measureSides(sides, async (side, round) => {
      const rig = rigs.get(side) ?? new WatchRig(side, options.watchProcesses);
      const timedEventsMax = Math.ceil(seconds * writesPerSecond);
      await rig.open({ group: GROUP, count, form, timedEventsMax, ...of });
      const pace = { writesPerSecond, ...of };
      await measureLag(side, rig, GROUP, { ...pace, seconds: warmUpOf(options, round) });
      const lag = await measureLag(side, rig, GROUP, { ...pace, seconds });
      await rig.close(GROUP);
      const cpu = costOf(lag.writes * count, 0, lag.serverCpuMs);
      return { ...cpu, seconds: lag.sentP99 / 1_000 };
    });
    const scenario = `${count} watches of Pods, ${writesPerSecond} writes/s, p99 from the write`;
    rows.push(sideRow(`${scenario}, CPU per event: ${form}`, sides, costs));
  }
  return rows;
}

/** In this order: the first ones fill what the others find. */
export const PEER_SCENARIOS = {
  lists: wholeLists,
  get: gets,
  writes,
  configmaps: configMaps,
  watches,
  pages: pagedLists,
  policies: policyCosts,
} as const satisfies Record<string, (sides: Sides) => Promise<ResultRow[]>>;
export type PeerScenario = keyof typeof PEER_SCENARIOS;
