/** Three servers on three members of a real etcd, each pair on a wire of its own. */
import { join } from 'node:path';
import type { RealEtcd, RealMember } from '../../support/etcd/real-etcd.ts';
import { startRealEtcd } from '../../support/etcd/real-etcd.ts';
import type { Random } from '../../support/random.ts';
import { startServer, type Server } from '../../support/server.ts';
import { RULES, temporaryFolder } from '../../support/server-process.ts';
import { compileFaultyProcess, FaultyProcess } from './faulty-process.ts';
import { MemberWires, wireServers, type ServerWires } from './wires.ts';

const SERVERS = 3;
const MEMBERS = 3;
const ROLE_MS_MAX = 3_000;
const RESTART_MS_MAX = 180_000;
/** Longer than a watch is away. */
const WATCH_HISTORY = '2m';
/** Few enough that clients take the last ones from each other. */
export const NODE_PORTS = { first: 30_000, count: 16 };

/** One server, and all that can be done to it from outside. */
export interface ClusterServer {
  readonly server: Server;
  readonly wires: ServerWires;
  readonly process: FaultyProcess;
}

export interface Roles {
  readonly owner: ClusterServer;
  readonly followers: readonly ClusterServer[];
}

export class Cluster {
  readonly etcd: RealEtcd;
  readonly memberWires: MemberWires;
  readonly all: readonly ClusterServer[];

  private constructor(etcd: RealEtcd, memberWires: MemberWires, servers: readonly ClusterServer[]) {
    this.etcd = etcd;
    this.memberWires = memberWires;
    this.all = servers;
  }

  /** Throws PreloadError. */
  static async start(program: string): Promise<Cluster> {
    const folder = temporaryFolder();
    const library = compileFaultyProcess(folder);
    const memberWires = new MemberWires();
    const { reachedAt } = memberWires;
    const etcd = await startRealEtcd(program, { members: MEMBERS, reachedAt });
    await memberWires.identify(etcd.servers);
    const servers: ClusterServer[] = [];
    for (const [at, wires] of (await wireServers(SERVERS, etcd.servers)).entries()) {
      const ports = [...wires.toPeers].map(([port, wire]) => [port, portOf(wire.url)] as const);
      const process = new FaultyProcess(library, join(folder, `server-${at}`), new Map(ports));
      const { environment } = process;
      const server = await startServer({ args: serverArgs(wires), environment });
      servers.push({ server, wires, process });
    }
    return new Cluster(etcd, memberWires, servers);
  }

  get servers(): readonly Server[] {
    return this.all.map(({ server }) => server);
  }

  /** Any of them, whatever state it is in. */
  any(random: Random): Server {
    return random.pick(this.servers as [Server, ...Server[]]);
  }

  anyMember(random: Random): RealMember {
    return random.pick(this.etcd.members as [RealMember, ...RealMember[]]);
  }

  /** Who owns, as far as somebody can tell. */
  async roles(): Promise<Roles> {
    const roles = await Promise.all(
      this.servers.map(async (server) => {
        const asked = server.get('/shardplane/servers').catch(() => undefined);
        const answer = await Promise.race([asked, pause(ROLE_MS_MAX)]);
        const items = (answer?.json?.items ?? []) as { self: boolean; role: string }[];
        return items.find(({ self }) => self)?.role;
      }),
    );
    const owner = this.all.find((_, at) => roles[at] === 'owner') ?? this.all[0];
    if (owner === undefined) throw new Error('there is no server');
    return { owner, followers: this.all.filter((server) => server !== owner) };
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.process.dispose()));
    this.memberWires.close();
    await this.etcd.close();
  }
}

/** As long as it must be tried, as whatever watches over programs would. */
export async function restarted(server: Server): Promise<void> {
  const untilMs = performance.now() + RESTART_MS_MAX;
  for (;;) {
    try {
      return await server.restart();
    } catch (error) {
      if (performance.now() > untilMs) throw error;
    }
    await pause(1_000);
  }
}

export function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

function serverArgs({ peerPort, toMembers }: ServerWires): readonly string[] {
  const { first, count } = NODE_PORTS;
  return [
    '--store',
    'etcd',
    '--etcd-servers',
    toMembers.map(({ url }) => url).join(','),
    '--watch-history',
    WATCH_HISTORY,
    '--peer-address',
    `127.0.0.1:${peerPort}`,
    '--service-node-port-range',
    `${first}-${first + count - 1}`,
    '--controllers',
    '*,-bootstrap,-serviceaccount,-serviceaccount-token',
    `--disable-admission-plugins=${RULES.filter((name) => name !== 'ResourceQuota').join(',')}`,
  ];
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
