/** Real servers of etcd on free ports, with their files in a temporary folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectEtcd } from '../../../src/etcd/connect.ts';
import { PATIENCE_MS } from '../patience.ts';
import { Child, freePort, temporaryFolder } from '../server-process.ts';
import { ETCD_MESSAGES } from './messages.ts';

export interface RealEtcdOptions {
  /** One, unless it is said; three outlive one of them. */
  readonly members?: number;
  /** Flags of each of them. */
  readonly flags?: readonly string[];
  /** Where the other members reach a member that listens there; there, unless it is said. */
  readonly reachedAt?: (peerUrl: string, member: number) => Promise<string>;
}

/** Ends with this process, if not before. */
export class RealEtcd {
  readonly members: readonly RealMember[];

  constructor(members: readonly RealMember[]) {
    this.members = members;
  }

  get servers(): readonly string[] {
    return this.members.map(({ url }) => url);
  }

  /** Ends all members at once. */
  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
  }
}

export class RealMember {
  readonly url: string;
  readonly #program: string;
  readonly #args: readonly string[];
  #child: Child | undefined;

  constructor(program: string, url: string, args: readonly string[]) {
    this.#program = program;
    this.url = url;
    this.#args = args;
  }

  start(): void {
    this.#child = new Child(this.#program, this.#args);
  }

  /** Undefined where it does not run. */
  get pid(): number | undefined {
    return this.#child?.process.pid;
  }

  /** Stops it where it is, until `resume`. */
  pause(): void {
    this.#child?.process.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.process.kill('SIGCONT');
  }

  /** Ends it, with what it has on the disk. `start` starts it again. */
  async kill(): Promise<void> {
    this.#child?.process.kill('SIGKILL');
    await this.#child?.exited;
    this.#child = undefined;
  }

  /** What it has said, where it has not become ready. */
  get output(): string {
    return `${this.#child?.stdout ?? ''}${this.#child?.stderr ?? ''}`;
  }
}

/** Resolves when the members have a leader. */
export async function startRealEtcd(
  program: string,
  { members: count = 1, flags = [], reachedAt = async (url) => url }: RealEtcdOptions = {},
): Promise<RealEtcd> {
  const folder = temporaryFolder();
  const places = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const peerUrl = `http://127.0.0.1:${await freePort()}`;
      return { name: `etcd-${index}`, url, peerUrl, reached: await reachedAt(peerUrl, index) };
    }),
  );
  const cluster = places.map(({ name, reached }) => `${name}=${reached}`).join(',');
  const members = places.map(({ name, url, peerUrl, reached }) => {
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { mode: 0o700 });
    const args = Object.entries({
      name,
      'data-dir': dataDir,
      'log-level': 'error',
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': reached,
      'initial-cluster': cluster,
    }).map(([flag, value]) => `--${flag}=${value}`);
    return new RealMember(program, url, [...args, ...flags]);
  });
  for (const member of members) member.start();
  const etcd = new RealEtcd(members);
  await Promise.all(members.map(hasLeader));
  return etcd;
}

/** Throws with what the member has said where it finds no leader. */
async function hasLeader(member: RealMember): Promise<void> {
  const client = connectEtcd({ servers: [member.url], messages: ETCD_MESSAGES });
  try {
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const status = await client.status({ deadlineMs: PATIENCE_MS });
      if (status.leaderId !== 0n) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('it has found no leader');
  } catch (error) {
    throw new Error(`etcd has not become ready: ${(error as Error).message}\n${member.output}`, {
      cause: error,
    });
  } finally {
    client.close();
  }
}
