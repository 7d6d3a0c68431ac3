/** The wires between all processes of a cluster: each pair has one of its own. */
import { connectEtcd } from '../../../src/etcd/connect.ts';
import { FaultyWire } from '../../support/etcd/faulty-wire.ts';
import { ETCD_MESSAGES } from '../../support/etcd/messages.ts';
import { freePort } from '../../support/server-process.ts';
import { MemberWire } from './member-wire.ts';

/** Of one server. */
export interface ServerWires {
  /** Where it listens for the other servers. */
  readonly peerPort: number;
  /** To each member of etcd. */
  readonly toMembers: readonly FaultyWire[];
  /** To each other server, by where that listens. */
  readonly toPeers: ReadonlyMap<number, FaultyWire>;
}

/** One wire to each member for each of so many servers, and one between each two servers. */
export async function wireServers(
  count: number,
  members: readonly string[],
): Promise<readonly ServerWires[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  return Promise.all(
    ports.map(async (peerPort) => {
      const others = ports.filter((port) => port !== peerPort);
      const toPeers = others.map(async (port) => {
        const wire = await FaultyWire.to(`tcp://127.0.0.1:${port}`);
        return [port, wire] as const;
      });
      return {
        peerPort,
        toMembers: await Promise.all(members.map((url) => FaultyWire.to(url))),
        toPeers: new Map(await Promise.all(toPeers)),
      };
    }),
  );
}

/** The wires between the members of an etcd, on which the others reach each of them. */
export class MemberWires {
  readonly #wires: MemberWire[] = [];
  #ids: readonly bigint[] = [];

  /** For `startRealEtcd`. */
  readonly reachedAt = async (peerUrl: string, member: number): Promise<string> => {
    const wire = await MemberWire.to(peerUrl);
    this.#wires[member] = wire;
    return wire.url;
  };

  /** Asks the members who they are. */
  async identify(servers: readonly string[]): Promise<void> {
    this.#ids = await Promise.all(servers.map(memberId));
  }

  /** Neither of the two hears of the other. */
  cut(one: number, other: number): void {
    this.#wires[one]?.cut(this.#ids[other] ?? 0n);
    this.#wires[other]?.cut(this.#ids[one] ?? 0n);
  }

  heal(): void {
    for (const wire of this.#wires) wire.heal();
  }

  close(): void {
    for (const wire of this.#wires) wire.close();
  }
}

async function memberId(server: string): Promise<bigint> {
  const client = connectEtcd({ servers: [server], messages: ETCD_MESSAGES });
  try {
    return (await client.status()).memberId;
  } finally {
    client.close();
  }
}
