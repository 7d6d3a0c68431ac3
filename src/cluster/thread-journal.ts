/** The journal in etcd of a worker thread, which its actors share. */
import { ETCD_MESSAGES_FILE, readBuilt } from '../base/built-files.ts';
import type { EtcdStoreConfig } from '../config/store.ts';
import type { EtcdClient } from '../etcd/etcd.ts';
import type { EtcdMessages } from '../etcd/messages.ts';
import { Journal } from '../journal/journal.ts';
import { JournalKeys } from '../journal/keys.ts';
import { journalMetrics } from './journal-metrics.ts';
import { Ownership } from '../journal/ownership.ts';
import { RejoinError } from '../journal/rejoin-error.ts';
import { ThreadVersions } from '../journal/thread-versions.ts';
import { ViewProgress } from '../journal/view-progress.ts';
import { VersionClock } from '../sequencer/version-clock.ts';

/** What all threads of a server that shares an etcd are given. */
export interface JournalInit {
  readonly etcd: EtcdStoreConfig;
  /** See `Ownership`. */
  readonly ownership: SharedArrayBuffer;
  /** See `ThreadVersions`. */
  readonly versions: SharedArrayBuffer;
  /** See `ViewProgress`. */
  readonly progress: SharedArrayBuffer;
  /** The revision from which the view goes on; 0 where it is made anew. */
  readonly viewRevision: number;
}

export interface ThreadJournal {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly journal: Journal;
  /** Rejects when the server has to begin anew. */
  readonly broken: Promise<never>;
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
  { etcd, ownership: owned, versions, progress, viewRevision }: JournalInit,
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
    viewRevision,
    progress: new ViewProgress(progress).join(),
    onBroken,
    metrics: journalMetrics(),
  });
  return { client, keys, ownership, journal, broken };
}
