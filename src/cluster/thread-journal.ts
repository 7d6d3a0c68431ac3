/** The journal in etcd of a worker thread, which its actors share. */
import { ETCD_MESSAGES_FILE, readBuilt } from '../base/built-files.ts';
import type { EtcdStoreConfig } from '../config/store.ts';
import type { EtcdClient } from '../etcd/etcd.ts';
import type { EtcdMessages } from '../etcd/messages.ts';
import { Journal } from '../journal/journal.ts';
import { JournalKeys } from '../journal/keys.ts';
import { journalMetrics } from './journal-metrics.ts';
import { Ownership } from '../journal/ownership.ts';
import { ThreadVersions } from '../journal/thread-versions.ts';
import { VersionClock } from '../sequencer/version-clock.ts';

/** What all threads of a server that shares an etcd are given. */
export interface JournalInit {
  readonly etcd: EtcdStoreConfig;
  /** See `Ownership`. */
  readonly ownership: SharedArrayBuffer;
  /** See `ThreadVersions`. */
  readonly versions: SharedArrayBuffer;
}

export interface ThreadJournal {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly journal: Journal;
  /** Rejects when the server has to begin anew. */
  readonly broken: Promise<never>;
}

/** The view of this server has come to an end: the server begins anew. */
export class RejoinError extends Error {
  override readonly name = 'RejoinError';
}

/** The library is loaded by who needs it. */
export async function etcdClient(etcd: EtcdStoreConfig, buildDir: string): Promise<EtcdClient> {
  const { connectEtcd } = await import('../etcd/connect.ts');
  const { servers, tls } = etcd;
  const messages = readBuilt<EtcdMessages>(buildDir, ETCD_MESSAGES_FILE);
  return connectEtcd({ servers, messages, ...(tls && { tls }) });
}

let open: Promise<ThreadJournal> | undefined;

/** That of this thread, opened by the first who asks. */
export function threadJournal(
  init: JournalInit,
  clock: SharedArrayBuffer,
  buildDir: string,
): Promise<ThreadJournal> {
  return (open ??= openJournal(init, clock, buildDir));
}

async function openJournal(
  { etcd, ownership: owned, versions }: JournalInit,
  sharedClock: SharedArrayBuffer,
  buildDir: string,
): Promise<ThreadJournal> {
  const client = await etcdClient(etcd, buildDir);
  const keys = new JournalKeys(etcd.prefix);
  const ownership = new Ownership(owned);
  const clock = new VersionClock(sharedClock);
  let onBroken: (error: Error) => void = () => undefined;
  const broken = new Promise<never>((_resolve, reject) => {
    onBroken = ({ message }) => reject(new RejoinError(message));
  });
  broken.catch(() => undefined);
  const journal = new Journal({
    client,
    keys,
    ownership,
    clock,
    versions: new ThreadVersions(versions, clock),
    onBroken,
    metrics: journalMetrics(),
  });
  return { client, keys, ownership, journal, broken };
}
