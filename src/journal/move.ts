/** Moves all objects between a store on one machine and an etcd; no server may use either. */
import type { EtcdClient } from '../etcd/etcd.ts';
import { decodeRecordHeader, OPERATION } from '../storage/record.ts';
import { StoreError } from '../storage/store.ts';
import type { LogEntry, Store, TypeLog } from '../storage/store.ts';
import { emptyGroup } from './group.ts';
import { Journal } from './journal.ts';
import { JournaledLog } from './journaled-log.ts';
import { definitionUidOf, typesIn } from './keys.ts';
import type { JournalKeys } from './keys.ts';
import { GROUP_BYTES_MAX, GROUP_WRITES_MAX, OBJECT_BYTES_MAX } from './limits.ts';
import { NotOwnerError } from './not-owner-error.ts';
import type { Ownership } from './ownership.ts';
import { ThreadVersions } from './thread-versions.ts';
import { ViewProgress } from './view-progress.ts';
import { VersionClock } from '../sequencer/version-clock.ts';

/** Settings of a store that go along. */
export const MOVED_SETTINGS = ['dialect', 'release', 'continueTokenKey', 'highWater'] as const;

/** An etcd, which this process owns. */
export interface OwnedEtcd {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
}

/** What was moved. */
export interface Moved {
  readonly objects: number;
  /** The newest version that was used. */
  readonly version: number;
}

/**
 * Moves the objects of a store, by the names of types in etcd; their versions stay, and history
 * begins anew. Throws StoreError for an object that etcd does not take, and NotOwnerError.
 */
export async function moveToEtcd(
  logs: ReadonlyMap<string, TypeLog>,
  version: number,
  etcd: OwnedEtcd,
): Promise<Moved> {
  const { client, keys, ownership } = etcd;
  let objects = 0;
  for (const [type, log] of logs) {
    const { live, lastRv } = liveVersions(log);
    const journaled = new JournaledLog(NOWHERE, {
      type,
      keys,
      client,
      ownership,
      safeRv: () => 0,
      onFound: async () => undefined,
      onBroken: () => undefined,
    });
    for (const group of groupsOf(type, log, live)) await journaled.append(group);
    objects += live.length;
    if (lastRv === 0) continue;
    // A deletion may be newer than all objects that there are.
    await putFenced(etcd, keys.group(type), emptyGroup(0, lastRv));
  }
  const revision = await putFenced(etcd, keys.version, Buffer.from(String(version)));
  await putFenced(etcd, keys.history, Buffer.from(String(revision)));
  return { objects, version };
}

/** Gives the revision. Rejects with NotOwnerError where another server has become the owner. */
async function putFenced(
  { client, keys, ownership }: OwnedEtcd,
  key: Uint8Array,
  value: Uint8Array,
): Promise<number> {
  const { succeeded, revision } = await client.txn({
    compare: [keys.ownedSince(ownership.fence)],
    success: [{ put: { key, value } }],
  });
  if (!succeeded) throw new NotOwnerError();
  return revision;
}

/**
 * Moves all that etcd has into an empty store, with the history that etcd has. The logs of built-in
 * types are there.
 */
export async function moveToStore(
  store: Store,
  { client, keys, ownership }: OwnedEtcd,
): Promise<Moved> {
  const clock = new VersionClock();
  const journal = new Journal({
    progress: new ViewProgress(ViewProgress.shared(1)).join(),
    client,
    keys,
    ownership,
    clock,
    versions: new ThreadVersions(ThreadVersions.shared(1), clock),
    viewRevision: 0,
    onBroken: (error) => {
      throw error;
    },
  });
  let objects = 0;
  for (const type of await typesIn(client, keys)) {
    const uid = definitionUidOf(type);
    const log = uid === undefined ? store.openLog(type) : store.openCustomLog(uid);
    const opened = await journal.open(type, log);
    opened.close();
    objects += liveVersions(log).live.length;
  }
  const [kv] = (await client.range({ key: keys.version })).kvs;
  return { objects, version: Number(Buffer.from(kv?.value ?? '0').toString()) };
}

/** The versions of objects that there are, in order, and the newest of the log. */
function liveVersions(log: TypeLog): { readonly live: readonly number[]; readonly lastRv: number } {
  const newest = new Map<string, number>();
  let lastRv = 0;
  log.scan(0, (rv, value) => {
    const { key, operation } = decodeRecordHeader(value);
    if (operation === OPERATION.deleted) newest.delete(key);
    else newest.set(key, rv);
    lastRv = rv;
    return true;
  });
  return { live: [...newest.values()].sort((a, b) => a - b), lastRv };
}

function* groupsOf(type: string, log: TypeLog, rvs: readonly number[]): Generator<LogEntry[]> {
  let group: LogEntry[] = [];
  let bytes = 0;
  for (const rv of rvs) {
    const record = log.read(rv);
    if (record === undefined) throw new StoreError(`version ${rv} of ${type} is missing`);
    if (record.length > OBJECT_BYTES_MAX) {
      const { key } = decodeRecordHeader(record);
      throw new StoreError(`${type} ${key} is too large for etcd: ${record.length} bytes`);
    }
    const isFull = group.length === GROUP_WRITES_MAX || bytes + record.length > GROUP_BYTES_MAX;
    if (group.length > 0 && isFull) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push({ rv, value: Uint8Array.from(record) });
    bytes += record.length;
  }
  if (group.length > 0) yield group;
}

/** Etcd has it: nothing else is to. */
const NOWHERE: TypeLog = {
  append: async () => undefined,
  checkRoom: () => undefined,
  fill: async () => undefined,
  rewrite: async () => undefined,
  read: () => undefined,
  scan: () => undefined,
  count: () => 0,
  horizon: () => 0,
};
