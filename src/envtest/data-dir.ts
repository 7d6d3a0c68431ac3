/** The API server's data lie in the folder of its database (README.md#etcd). */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { collectBytes } from '../base/collect-bytes.ts';
import { ConfigError } from '../base/options/config-error.ts';

/** Where the one of src/envtest/etcd.ts says which folder it was given. */
export const DATA_DIR_PATH = '/shardplane/data-dir';

const PATH_BYTES_MAX = 4_096;
const RETRY_MS = 100;

/**
 * The folder of the first database that answers. Who starts both at once need not wait for one of
 * them: they are asked again until `patienceMs` are over. Throws ConfigError.
 */
export async function dataDirOf(databases: readonly string[], patienceMs: number): Promise<string> {
  if (databases.length === 0) throw new ConfigError('--etcd-servers must be given');
  const urls = databases.map(dataDirUrl);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answers = await Promise.allSettled(urls.map(ask));
    const found = answers.find((answer) => answer.status === 'fulfilled');
    if (found !== undefined) return join(found.value, 'shardplane');
    const [refused] = answers.map((answer) => answer.status === 'rejected' && answer.reason);
    if (performance.now() > deadline || refused instanceof ConfigError) {
      const why = refused instanceof Error ? refused.message : String(refused);
      throw new ConfigError(`--etcd-servers is "${databases.join(',')}": ${why}`);
    }
    await wait(RETRY_MS);
  }
}

function dataDirUrl(database: string): URL {
  const url = URL.canParse(database) ? new URL(DATA_DIR_PATH, database) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new ConfigError(`--etcd-servers has "${database}": give a URL like http://127.0.0.1:2379`);
}

/** Rejects with a ConfigError where another program answers. */
async function ask(url: URL): Promise<string> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  const body = await collectBytes(response, PATH_BYTES_MAX);
  if (response.statusCode === 200) return body.toString();
  throw new ConfigError(`at ${url.origin} is another program than the etcd beside this one`);
}
