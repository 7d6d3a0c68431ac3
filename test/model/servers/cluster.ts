/** Three servers on three members of a real etcd, and what happens to them. */
import type { RealEtcd } from '../../support/etcd/real-etcd.ts';
import { startRealEtcd } from '../../support/etcd/real-etcd.ts';
import type { Random } from '../../support/random.ts';
import { startServer, type Server } from '../../support/server.ts';

const SERVERS = 3;
const ROLE_MS_MAX = 3_000;

export const FAULTS = [
  'killOwner',
  'killFollower',
  'stopOwner',
  'stopFollower',
  'resign',
  'terminateOwner',
  'killMember',
  'stopMember',
] as const;
export type Fault = (typeof FAULTS)[number];

export class Cluster {
  readonly etcd: RealEtcd;
  readonly servers: readonly Server[];

  private constructor(etcd: RealEtcd, servers: readonly Server[]) {
    this.etcd = etcd;
    this.servers = servers;
  }

  static async start(program: string): Promise<Cluster> {
    const etcd = await startRealEtcd(program, { members: 3 });
    const args = ['--store', 'etcd', '--etcd-servers', etcd.servers.join(',')];
    const servers = [];
    for (let at = 0; at < SERVERS; at++) servers.push(await startServer({ args }));
    return new Cluster(etcd, servers);
  }

  /** Any of them, whatever state it is in. */
  any(random: Random): Server {
    return this.servers[random.below(SERVERS)] as Server;
  }

  /** Does it, and undoes it after a while. */
  async suffer(fault: Fault, random: Random): Promise<void> {
    const { owner, followers } = await this.#roles();
    const follower = followers[random.below(followers.length)] ?? owner;
    const member = this.etcd.members[random.below(this.etcd.members.length)];
    const shortMs = 500 + random.below(2_500);
    const longMs = 2_000 + random.below(9_000);
    if (fault === 'killOwner') await restarted(owner, () => owner.kill(), shortMs);
    if (fault === 'killFollower') await restarted(follower, () => follower.kill(), shortMs);
    if (fault === 'terminateOwner') await restarted(owner, () => owner.stop(), shortMs);
    if (fault === 'stopOwner') await paused(owner, longMs);
    if (fault === 'stopFollower') await paused(follower, longMs);
    if (fault === 'resign') await owner.post('/shardplane/resign', '').catch(() => undefined);
    if (fault === 'killMember') {
      await member?.kill();
      await pause(shortMs);
      member?.start();
    }
    if (fault === 'stopMember') {
      member?.pause();
      await pause(longMs);
      member?.resume();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.process.dispose()));
    await this.etcd.close();
  }

  async #roles(): Promise<{ readonly owner: Server; readonly followers: readonly Server[] }> {
    const roles = await Promise.all(
      this.servers.map(async (server) => {
        const asked = server.get('/shardplane/servers').catch(() => undefined);
        const answer = await Promise.race([asked, pause(ROLE_MS_MAX)]);
        const items = (answer?.json?.items ?? []) as { self: boolean; role: string }[];
        return items.find(({ self }) => self)?.role;
      }),
    );
    const owner = this.servers.find((_, at) => roles[at] === 'owner') ?? this.servers[0];
    if (owner === undefined) throw new Error('there is no server');
    return { owner, followers: this.servers.filter((server) => server !== owner) };
  }
}

export function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

async function restarted(server: Server, end: () => Promise<unknown>, ms: number): Promise<void> {
  await end();
  await pause(ms);
  await server.restart();
}

async function paused(server: Server, ms: number): Promise<void> {
  process.kill(server.process.pid, 'SIGSTOP');
  await pause(ms);
  process.kill(server.process.pid, 'SIGCONT');
}
