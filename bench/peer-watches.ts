/** Watches of Pods beside a peer: how soon they get what is written, and how much. */
import type { BenchTarget } from './bench-target.ts';
import { costOf, warmUpOf } from './comparison.ts';
import { measureSides, newFilledNamespace, sideRow, type Sides } from './peer-sides.ts';
import { cpuMilliseconds } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import type { FormName } from './representation-forms.ts';
import { measureLag, WatchRig } from './watch-rig.ts';

const WATCHED_FORMS = ['JSON', 'Table', 'protobuf'] as const satisfies readonly FormName[];
const WATCHED_PODS = 100;
const GROUP = 'watches';
const BURST_CONNECTIONS = 4;
/** Fewer than the reference keeps for a watch that is behind before it ends it. */
const BURST_WRITES = 50;
const AT_ONCE_PER_SECOND = 1_000_000;

/** Gives each of the two the processes that watch it. */
function riggedSides({ options, own, peer }: Sides): (side: BenchTarget) => WatchRig {
  const ownRig = new WatchRig(own, options.watchProcesses);
  const peerRig = new WatchRig(peer, options.watchProcesses);
  return (side) => (side === own ? ownRig : peerRig);
}

/** Updates at a pace that both can keep, and how long after its sending each is at each watch. */
export async function watchLags(sides: Sides): Promise<ResultRow[]> {
  const { options } = sides;
  const { peerWatches: count, roundSeconds: seconds } = options;
  const namespace = await newFilledNamespace(sides, 'watched', WATCHED_PODS);
  const writesPerSecond = options.watchWritesPerSecond / 2;
  const rigOf = riggedSides(sides);
  const rows: ResultRow[] = [];
  const of = { namespace, kind: 'newPod' } as const;
  for (const form of WATCHED_FORMS) {
    const costs = await measureSides(sides, async (side, round) => {
      const rig = rigOf(side);
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

/**
 * As many events as go: a burst of updates, and the next one when every watch has had all of it.
 * Servers end watches that are too far behind writers that wait for nothing.
 */
export async function watchSpeed(sides: Sides): Promise<ResultRow[]> {
  const { options } = sides;
  const { watches: count, roundSeconds } = options;
  const namespace = await newFilledNamespace(sides, 'flooded', WATCHED_PODS);
  const of = { namespace, kind: 'newPod' } as const;
  const rigOf = riggedSides(sides);
  const burst = async (side: BenchTarget, rig: WatchRig): Promise<number> => {
    const load = { connections: BURST_CONNECTIONS, objects: WATCHED_PODS, seed: side.nextSeed() };
    const pace = {
      writesPerSecond: AT_ONCE_PER_SECOND,
      seconds: BURST_WRITES / AT_ONCE_PER_SECOND,
    };
    const job = { ...side.target(), ...of, ...load, ...pace };
    const { sentAt } = await side.load.run('pacedWrites', job);
    const parts = await rig.takeAll(GROUP, BURST_WRITES);
    return (Math.max(...parts.map(({ lastEventAt }) => lastEventAt)) - Math.min(...sentAt)) / 1_000;
  };
  const costs = await measureSides(sides, async (side, round) => {
    const rig = rigOf(side);
    await rig.open({ group: GROUP, count, ...of });
    let warmUp = warmUpOf(options, round);
    while (warmUp > 0) warmUp -= await burst(side, rig);
    let seconds = 0;
    let bursts = 0;
    const before = cpuMilliseconds(side.pids);
    for (; seconds < roundSeconds; bursts += 1) seconds += await burst(side, rig);
    const serverMs = cpuMilliseconds(side.pids) - before;
    await rig.close(GROUP);
    return costOf(bursts * BURST_WRITES * count, seconds, serverMs);
  });
  return [sideRow(`event of ${count} watches of Pods, full speed`, sides, costs)];
}
