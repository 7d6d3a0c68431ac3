/** What happens to servers, to members of etcd, and between them. */
import type { FaultyWire } from '../../support/etcd/faulty-wire.ts';
import type { Random } from '../../support/random.ts';
import { pause, restarted, type Cluster, type ClusterServer } from './cluster.ts';

const HOUR_MS = 3_600_000;

interface Scene {
  readonly cluster: Cluster;
  readonly random: Random;
  readonly owner: ClusterServer;
  /** One of the others. */
  readonly follower: ClusterServer;
  /** Shorter than a lease. */
  readonly shortMs: number;
  /** Shorter or longer than a lease. */
  readonly longMs: number;
}

type Happens = (scene: Scene) => Promise<void>;

const FAULTS_OF_SERVERS = {
  killOwner: ({ owner, shortMs }) => ended(owner, () => owner.server.kill(), shortMs),
  killFollower: ({ follower, shortMs }) => ended(follower, () => follower.server.kill(), shortMs),
  terminateOwner: ({ owner, shortMs }) => ended(owner, () => owner.server.stop(), shortMs),
  stopOwner: ({ owner, longMs }) => stopped(owner, longMs),
  stopFollower: ({ follower, longMs }) => stopped(follower, longMs),
  async resign({ owner }) {
    await owner.server.post('/shardplane/resign', '').catch(() => undefined);
  },
  /** Its clock stays wrong, until it jumps again. */
  async jumpClock({ cluster, random }) {
    const { process } = random.pick(cluster.all as [ClusterServer, ...ClusterServer[]]);
    const size = random.pick([1_000, 60_000, HOUR_MS]);
    process.setClock((random.fraction() * 2 - 1) * size);
  },
} satisfies Record<string, Happens>;

const FAULTS_OF_NETWORKS = {
  cutOwner: ({ owner, longMs }) => held(owner.wires.toMembers, 'both', longMs),
  cutFollower: ({ follower, longMs }) => held(follower.wires.toMembers, 'both', longMs),
  refuseOwner: ({ owner, longMs }) => refused(owner.wires.toMembers, longMs),
  /** What it writes arrives, and no answer comes. */
  deafenOwner: ({ owner, longMs }) => held(owner.wires.toMembers, 'to-client', longMs),
  muteOwner: ({ owner, longMs }) => held(owner.wires.toMembers, 'to-server', longMs),
  cutOwnerFromMember: ({ owner, random, longMs }) =>
    held([random.pick(owner.wires.toMembers as [FaultyWire, ...FaultyWire[]])], 'both', longMs),
  async loseAnswersOfOwner({ owner, longMs }) {
    for (let passedMs = 0; passedMs < longMs; passedMs += 200) {
      for (const wire of owner.wires.toMembers) wire.loseAnswer();
      await pause(200);
    }
  },
  async delayAll({ cluster, random, longMs }) {
    const wires = cluster.all.flatMap((one) => [...wiresOf(one)]);
    for (const wire of wires) wire.delay(random.below(300));
    await pause(longMs);
    for (const wire of wires) wire.delay(0);
  },
  cutServers: ({ owner, follower, longMs }) =>
    held([...between(owner, follower), ...between(follower, owner)], 'both', longMs),
  cutAllServers: ({ cluster, longMs }) =>
    held(
      cluster.all.flatMap(({ wires }) => [...wires.toPeers.values()]),
      'both',
      longMs,
    ),
  breakServers: async ({ cluster }) => {
    for (const { wires } of cluster.all) for (const wire of wires.toPeers.values()) wire.cut();
  },
} satisfies Record<string, Happens>;

const FAULTS_OF_MEMBERS = {
  async killMember({ cluster, random, shortMs }) {
    const member = cluster.anyMember(random);
    await member.kill();
    await pause(shortMs);
    member.start();
  },
  async stopMember({ cluster, random, longMs }) {
    const member = cluster.anyMember(random);
    member.pause();
    await pause(longMs);
    member.resume();
  },
  /** No quorum. */
  async stopTwoMembers({ cluster, random, longMs }) {
    const spared = cluster.anyMember(random);
    const members = cluster.etcd.members.filter((member) => member !== spared);
    for (const member of members) member.pause();
    await pause(longMs);
    for (const member of members) member.resume();
  },
  async cutMembers({ cluster, random, longMs }) {
    const [one, other] = twoOf(cluster, random);
    cluster.memberWires.cut(one, other);
    await pause(longMs);
    cluster.memberWires.heal();
  },
  async isolateMember({ cluster, random, longMs }) {
    const [one, other] = twoOf(cluster, random);
    const last = cluster.etcd.members.findIndex((_, at) => at !== one && at !== other);
    cluster.memberWires.cut(one, other);
    cluster.memberWires.cut(one, last);
    await pause(longMs);
    cluster.memberWires.heal();
  },
} satisfies Record<string, Happens>;

const GROUPS = [FAULTS_OF_SERVERS, FAULTS_OF_NETWORKS, FAULTS_OF_MEMBERS] as const;
const ALL: Readonly<Record<string, Happens>> = Object.assign({}, ...GROUPS);

export const FAULTS: readonly string[] = Object.keys(ALL);

/** One of these faults, or two of unlike kinds at the same time. */
export function pickFaults(faults: readonly string[], random: Random): readonly string[] {
  const groups = GROUPS.map((group) => Object.keys(group).filter((name) => faults.includes(name)));
  const picked = groups.flatMap((names) => {
    const [first, ...rest] = names;
    return first === undefined ? [] : [random.pick([first, ...rest])];
  });
  const count = random.below(3) === 0 ? 2 : 1;
  while (picked.length > count) picked.splice(random.below(picked.length), 1);
  return picked;
}

/** Does them at the same time, and undoes them after a while. */
export async function suffer(
  faults: readonly string[],
  cluster: Cluster,
  random: Random,
): Promise<void> {
  const { owner, followers } = await cluster.roles();
  const scene = {
    cluster,
    random,
    owner,
    follower: followers[random.below(followers.length)] ?? owner,
    shortMs: 500 + random.below(2_500),
    longMs: 2_000 + random.below(9_000),
  };
  await Promise.all(faults.map(async (fault) => ALL[fault]?.(scene)));
}

async function ended({ server }: ClusterServer, end: () => Promise<unknown>, ms: number) {
  await end();
  await pause(ms);
  await restarted(server);
}

async function stopped({ server }: ClusterServer, ms: number): Promise<void> {
  const { pid } = server.process;
  process.kill(pid, 'SIGSTOP');
  await pause(ms);
  process.kill(pid, 'SIGCONT');
}

type Way = Parameters<FaultyWire['hold']>[0];

async function held(wires: readonly FaultyWire[], way: Way, ms: number): Promise<void> {
  for (const wire of wires) wire.hold(way);
  await pause(ms);
  for (const wire of wires) wire.release();
}

async function refused(wires: readonly FaultyWire[], ms: number): Promise<void> {
  for (const wire of wires) wire.refuse();
  await pause(ms);
  for (const wire of wires) wire.accept();
}

function wiresOf({ wires }: ClusterServer): readonly FaultyWire[] {
  return [...wires.toMembers, ...wires.toPeers.values()];
}

/** What the one reaches the other on. */
function between(from: ClusterServer, to: ClusterServer): readonly FaultyWire[] {
  const wire = from.wires.toPeers.get(to.wires.peerPort);
  return wire === undefined ? [] : [wire];
}

function twoOf({ etcd }: Cluster, random: Random): readonly [number, number] {
  const { length } = etcd.members;
  const one = random.below(length);
  return [one, (one + 1 + random.below(length - 1)) % length];
}
