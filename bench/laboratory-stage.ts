/**
 * What a laboratory without rules does to each request, in a loop: the turns of whole servers
 * differ by more than this is.
 */
import { laboratoryOf } from '../src/front/laboratory/parts.ts';
import type { RequestContext } from '../src/front/request-context.ts';
import type { RequestHead } from '../src/front/http.ts';
import type { ReadsBodies } from '../src/front/laboratory/lab-api.ts';
import { RestoreCells } from '../src/replicas/restore-cells.ts';
import { RestoreState } from '../src/shard/state/restore-state.ts';
import { median } from './statistics.ts';

const BATCHES = 21;
const NAMES = 512;
const MICROSECONDS_IN_NS = 1_000;

export interface StageCost {
  /** Nanoseconds of processor time in the front, for each request. */
  readonly frontNs: number;
  /** In the shard, for each write. */
  readonly shardNs: number;
}

/** Medians over batches of so many requests. */
export function laboratoryStage(requests: number): StageCost {
  const laboratory = laboratoryOf({
    shards: new Map(),
    dataDir: '',
    snapshots: () => Promise.reject(new Error('nobody asks for snapshots')),
    nowMs: Date.now,
    logError: (text) => process.stderr.write(`${text}\n`),
  });
  const contexts = Array.from({ length: NAMES }, (_, index) => contextOf(index));
  const restores = new RestoreState(new RestoreCells(), 0);
  const front = (at: number): void => {
    const context = contexts[at % NAMES];
    if (context === undefined) return;
    laboratory.headOf(context.exchange.head);
    const waits = laboratory.enter(context, NO_BODIES);
    if (waits !== undefined) throw new Error('a request waits for a rule');
  };
  return {
    frontNs: nanoseconds(requests, front),
    shardNs: nanoseconds(requests, (at) => restores.staged(at)),
  };
}

/** As much of a request as a laboratory without rules looks at. */
function contextOf(index: number): RequestContext {
  const path = `/api/v1/namespaces/default/configmaps/cm-${index}`;
  const head: Partial<RequestHead> = { path, query: undefined };
  const verb = index % 2 === 0 ? 'get' : 'update';
  return {
    route: { verb, shard: 'configmaps' },
    attributes: { verb },
    exchange: { head },
  } as unknown as RequestContext;
}

const NO_BODIES = {} as ReadsBodies;

function nanoseconds(requests: number, work: (at: number) => void): number {
  const batches = Array.from({ length: BATCHES }, () => {
    const before = process.cpuUsage();
    for (let at = 0; at < requests; at += 1) work(at);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * MICROSECONDS_IN_NS) / requests;
  });
  return Math.round(median(batches));
}
