/** The scenarios that compare a peer. */
import { costOf, warmUpOf } from './comparison.ts';
import { pagedLists, wholeLists } from './peer-lists.ts';
import { policyCosts } from './peer-policies.ts';
import {
  CONNECTIONS,
  filledNamespace,
  measureRequests,
  measureSides,
  sideRow,
  type Sides,
} from './peer-sides.ts';
import { watchLags, watchSpeed } from './peer-watches.ts';
import { applies, configMaps, writes } from './peer-writes.ts';
import type { ResultRow } from './report.ts';
import type { FormName } from './representation-forms.ts';

const OBJECT_FORMS = ['JSON', 'protobuf'] as const satisfies readonly FormName[];
/** In which one client lists while others get. */
const LISTED_FORMS = ['JSON', 'JSON with gzip'] as const satisfies readonly FormName[];
const GETS_AT_ONCE = 4;

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

/** In this order: the first ones fill what the others find. */
export const PEER_SCENARIOS = {
  lists: wholeLists,
  get: gets,
  writes,
  applies,
  configmaps: configMaps,
  watches: watchLags,
  'watch-speed': watchSpeed,
  pages: pagedLists,
  policies: policyCosts,
} as const satisfies Record<string, (sides: Sides) => Promise<ResultRow[]>>;
export type PeerScenario = keyof typeof PEER_SCENARIOS;
