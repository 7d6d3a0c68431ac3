/**
 * Ports that several fronts share must be shared with nobody else: the kernel would give some
 * connections to each server that listens there with the same option. So each port is tried
 * alone first, which fails while anybody listens there. Between that and the fronts' listening
 * another server may do the same: a name that only one process can have keeps it out.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ListenOptions } from 'node:net';
import { portTaken } from '../front/listen-error.ts';

/** The time between two tries while another server starts on the same port, and their number. */
const RETRY_MS = 20;
const RETRIES_MAX = 250;

type Release = () => Promise<void>;

export interface Ports {
  /** 0 for none. */
  readonly port: number;
  readonly securePort: number;
}

/**
 * Runs `listen`, which listens on the ports in a way that lets others do so too, when nobody else
 * has them. Rejects as it does, and with ListenError where somebody has one of the ports.
 */
export async function claimPorts(
  address: string,
  { port, securePort }: Ports,
  listen: () => Promise<void>,
): Promise<void> {
  const releases: Release[] = [];
  try {
    for (const one of [port, securePort].filter((each) => each !== 0).toSorted((a, b) => a - b)) {
      const taken = portTaken(address, one, one === securePort);
      const named = await soleListener({ path: `\0shardplane-port-${one}` }, RETRIES_MAX);
      if (named === undefined) throw taken;
      releases.push(named);
      const tried = await soleListener({ host: address, port: one }, 0);
      if (tried === undefined) throw taken;
      await tried();
    }
    await listen();
  } finally {
    await Promise.all(releases.map((release) => release()));
  }
}

/** Listens alone; gives what ends that, or undefined where it cannot. */
async function soleListener(where: ListenOptions, retries: number): Promise<Release | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(where), 'listening');
    return async () => {
      server.close();
      await once(server, 'close');
    };
  } catch {
    if (retries === 0) return undefined;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return soleListener(where, retries - 1);
  }
}
