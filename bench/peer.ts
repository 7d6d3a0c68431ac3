/**
 * `npm run bench -- --peer URL`: the same requests to another server of this API and to one of our
 * own, over TLS where the peer has it, in turns of one run.
 */
import { domainIn, withOwnServer, type Bench, type BenchOptions } from './bench.ts';
import { BenchTarget, DEFAULT_NAMESPACE } from './bench-target.ts';
import { endpointOf } from './endpoint.ts';
import { firstLists } from './peer-lists.ts';
import { PEER_SCENARIOS, type PeerScenario } from './peer-scenarios.ts';
import type { ResultRow } from './report.ts';

export interface PeerOptions {
  readonly url: string;
  readonly token: string;
  /** Takes any certificate; otherwise it is checked as Node does it. */
  readonly insecure: boolean;
  /** Its processes on this machine, as far as they are known. */
  readonly pids: readonly number[];
}

/** The scenario that ends our server, and so comes after all others. */
const FIRST_LISTS = 'first-lists';
export const PEER_SCENARIO_NAMES = [...Object.keys(PEER_SCENARIOS), FIRST_LISTS];

/**
 * Runs these scenarios, and `onRows` after each. The peer keeps the Pods that it lists, so that a
 * further run finds them. Gives the peer's version; rejects for a peer that refuses something.
 */
export async function comparePeer(
  options: BenchOptions,
  { url, token, insecure, pids }: PeerOptions,
  names: readonly string[],
  onRows: (rows: readonly ResultRow[]) => void,
): Promise<string> {
  const endpoint = endpointOf(url, !insecure);
  const domain = domainIn(options.serverArgs);
  const namespace = DEFAULT_NAMESPACE;
  const peer = new BenchTarget(options, { endpoint, token, domain, namespace, pids });
  const secure = endpoint.tls !== undefined;
  try {
    const { gitVersion } = (await peer.expectStatus(200, '/version')) as { gitVersion: string };
    const compare = async (own: Bench): Promise<void> => {
      for (const name of names) {
        if (name === FIRST_LISTS) continue;
        process.stderr.write(`${name} …\n`);
        onRows(await PEER_SCENARIOS[name as PeerScenario]({ options, own, peer }));
      }
      if (!names.includes(FIRST_LISTS)) return;
      process.stderr.write(`${FIRST_LISTS} …\n`);
      onRows(await firstLists({ options, own, peer }, secure));
    };
    await withOwnServer(options, compare, { secure });
    return gitVersion;
  } finally {
    peer.stopLoad();
  }
}
