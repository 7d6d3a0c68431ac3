/**
 * Stands in the place of a database (README.md#etcd): it says that it is healthy, and tells the API
 * server where its folder is.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { ConfigError } from '../base/options/config-error.ts';
import { DATA_DIR_PATH } from './data-dir.ts';
import type { GivenFlags } from './given-flags.ts';

/** The flags of the reference's database that count here. */
export interface EtcdOptions {
  readonly dataDir: string;
  /** Where it listens. */
  readonly clientUrls: readonly URL[];
}

/** Throws ConfigError. */
export function etcdOptions(given: GivenFlags): EtcdOptions {
  const urls = given.get('listen-client-urls')?.at(-1) ?? 'http://127.0.0.1:2379';
  return {
    dataDir: resolve(given.get('data-dir')?.at(-1) ?? 'default.etcd'),
    clientUrls: urls.split(',').map(clientUrlOf),
  };
}

function clientUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new ConfigError(`--listen-client-urls has "${text}": give URLs like http://127.0.0.1:2379`);
}

/** Listens at every address. Rejects with a ConfigError when one cannot be had. */
export async function startEtcd({ dataDir, clientUrls }: EtcdOptions): Promise<readonly Server[]> {
  const answers = new Map([
    ['/health', '{"health":"true","reason":""}'],
    [DATA_DIR_PATH, dataDir],
  ]);
  const listening = clientUrls.map(async ({ hostname, port, origin }) => {
    const server = createServer(({ url = '' }, response) => {
      const text = answers.get(url);
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    server.listen(Number(port), hostname.replaceAll(/[[\]]/g, ''));
    await once(server, 'listening').catch(({ message }: Error) => {
      throw new ConfigError(`cannot listen at ${origin}: ${message}`);
    });
    return server;
  });
  return Promise.all(listening);
}
