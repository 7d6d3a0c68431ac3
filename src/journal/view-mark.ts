/**
 * How far the view in the data folder is: what the next start goes on from. It stands in a file
 * beside the view, which may be behind it, and is compared with etcd before it counts.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../base/durable-file.ts';
import type { EtcdClient } from '../etcd/etcd.ts';
import { EtcdError } from '../etcd/etcd-error.ts';
import type { JournalKeys } from './keys.ts';

const FILE = 'mark.json';

interface Mark {
  /** Names what all servers share. */
  readonly cluster: string;
  /** All groups up to this revision are in the view. */
  readonly revision: number;
  /** What the key `version` was then: an etcd that went back to a backup has another one. */
  readonly version: string;
}

export interface ViewMarkOptions {
  readonly folder: string;
  readonly cluster: string;
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
}

/** From now on the view in the folder counts for nothing. */
export function dropViewMark(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Rejects with EtcdError. */
export async function writeViewMark(options: ViewMarkOptions, revision: number): Promise<void> {
  const { folder, cluster } = options;
  const mark: Mark = { cluster, revision, version: await versionAt(options, revision) };
  writeDurably(join(folder, FILE), JSON.stringify(mark), 0o600);
}

/**
 * The revision from which the view in the folder goes on; 0 where there is none, or where etcd
 * does not know what follows it. Rejects with EtcdError.
 */
export async function viewRevision(options: ViewMarkOptions): Promise<number> {
  const { cluster, revision, version } = readMark(options.folder);
  if (cluster !== options.cluster || revision === undefined) return 0;
  try {
    return version === (await versionAt(options, revision)) ? revision : 0;
  } catch (error) {
    if (error instanceof EtcdError && error.sort === 'refused') return 0;
    throw error;
  }
}

function readMark(folder: string): Partial<Mark> {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Partial<Mark>;
  } catch {
    // There is none, or it is damaged: the view is made anew.
    return {};
  }
}

async function versionAt({ client, keys }: ViewMarkOptions, revision: number): Promise<string> {
  const { kvs } = await client.range({ key: keys.version, revision });
  const [kv] = kvs;
  return kv === undefined ? '' : `${Buffer.from(kv.value).toString()} at ${kv.modRevision}`;
}
