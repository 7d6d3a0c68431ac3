/** Moves a cluster between a data folder and an etcd (src/journal/README.md#in-and-out). */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOwn, writePrivate } from '../../src/auth/own-files.ts';
import { ConfigError } from '../../src/base/options/config-error.ts';
import { etcdClient } from '../../src/cluster/thread-journal.ts';
import { openDataFolder, SHARED_FILES } from '../../src/data-folder.ts';
import { EtcdError } from '../../src/etcd/etcd-error.ts';
import { Campaign } from '../../src/journal/campaign.ts';
import { checkBuild, CLUSTER_FORMAT, FORMAT_SETTING } from '../../src/journal/cluster-format.ts';
import { JournalSettings } from '../../src/journal/journal-settings.ts';
import { customTypeName, definitionUidOf, JournalKeys, typesIn } from '../../src/journal/keys.ts';
import { MOVED_SETTINGS, moveToEtcd, moveToStore } from '../../src/journal/move.ts';
import type { Moved, OwnedEtcd } from '../../src/journal/move.ts';
import { Ownership } from '../../src/journal/ownership.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { OPERATION, recordOperation, wireBytes } from '../../src/storage/record.ts';
import { StoreError, type Store, type TypeLog } from '../../src/storage/store.ts';
import { programVersion } from '../../src/version.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { helpText, readOptions, type MoveOptions } from './options.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.cluster.io';
const BUILD_DIR = join(import.meta.dirname, '../../.build');
const LEASE_SECONDS = 30;

/** Runs with arguments; returns the exit code. */
export async function runMove(args: readonly string[], output: Output): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === undefined) output.write(helpText());
    else {
      const { objects, version } = await move(options);
      output.write(
        `moved ${objects} objects to ${options.isToEtcd ? 'etcd' : options.folder}: the newest ` +
          `version is ${version}, and watches can start ` +
          `${options.isToEtcd ? 'from there on' : 'where they could before'}\n`,
      );
    }
    return 0;
  } catch (error) {
    if (!USER_ERRORS.some((kind) => error instanceof kind)) throw error;
    output.say((error as Error).message);
    return 1;
  }
}

const USER_ERRORS = [OptionsError, ConfigError, StoreError, EtcdError];

async function move({ folder, isToEtcd, etcd: place }: MoveOptions): Promise<Moved> {
  if (!isToEtcd && existsSync(join(folder, 'store'))) {
    throw new StoreError(`${folder} has a store already: give a folder that is new`);
  }
  if (isToEtcd && !existsSync(join(folder, 'store'))) {
    throw new StoreError(`there is no store in ${folder}`);
  }
  const lock = openDataFolder(folder, isToEtcd);
  const client = await etcdClient(place, BUILD_DIR);
  try {
    const keys = new JournalKeys(place.prefix);
    const ownership = new Ownership();
    const campaign = await own({ client, keys, ownership });
    const owned = { client, keys, ownership };
    if (!isToEtcd) await makeLogs(folder, await typesIn(client, keys));
    const store = openStore({ dataDir: folder, durability: 'fsync' });
    try {
      return await (isToEtcd ? toEtcd(folder, store, owned) : toFolder(folder, store, owned));
    } finally {
      await store.close();
      await campaign.resign();
    }
  } finally {
    client.close();
    lock.release();
  }
}

/** Nobody else may write meanwhile. */
async function own({ client, keys, ownership }: OwnedEtcd): Promise<Campaign> {
  const build = { version: programVersion(), format: CLUSTER_FORMAT };
  const settings = await JournalSettings.read(client, keys, ownership);
  checkBuild(build, [], settings.get(FORMAT_SETTING));
  const campaign = new Campaign({
    client,
    keys,
    ownership,
    ttlSeconds: LEASE_SECONDS,
    self: { id: randomUUID(), address: '', ...build },
    mayStand: [settings.unchanged(FORMAT_SETTING)],
    onOwner: () => undefined,
    onOwned: (fence) => ownership.take(fence),
    onLost: () => undefined,
    logError: () => undefined,
  });
  if (await campaign.stand()) return campaign;
  await campaign.resign();
  throw new StoreError('a server uses this etcd: stop all of them first');
}

/** A store knows the logs that were there when it was opened. */
async function makeLogs(folder: string, types: readonly string[]): Promise<void> {
  const store = openStore({ dataDir: folder, durability: 'fsync' });
  store.makeLogs(types.filter((type) => definitionUidOf(type) === undefined));
  await store.close();
}

async function toEtcd(folder: string, store: Store, owned: OwnedEtcd): Promise<Moved> {
  const { client, keys } = owned;
  const { count } = await client.range({ ...keys.groups, countOnly: true });
  if (count > 0) throw new StoreError('there are objects in etcd already: give another prefix');
  const dialect = JSON.parse(store.shared.get('dialect') ?? '{}') as { untranslated?: string[] };
  if ((dialect.untranslated ?? []).length > 0) {
    throw new StoreError('the folder is being translated: start its server until that is done');
  }
  const version = Number(store.shared.get('highWater') ?? '0');
  const moved = await moveToEtcd(logsOf(store), version, owned);
  const puts = MOVED_SETTINGS.flatMap((name) => {
    const value = store.shared.get(name);
    return value === undefined ? [] : [{ key: keys.setting(name), value: Buffer.from(value) }];
  });
  puts.push({ key: keys.setting(FORMAT_SETTING), value: Buffer.from(String(CLUSTER_FORMAT)) });
  for (const name of SHARED_FILES) {
    const text = readOwn(join(folder, name));
    if (text !== undefined) puts.push({ key: keys.file(name), value: Buffer.from(text) });
  }
  await client.txn({ success: puts.map((put) => ({ put })) });
  return moved;
}

async function toFolder(folder: string, store: Store, owned: OwnedEtcd): Promise<Moved> {
  const { client, keys } = owned;
  const moved = await moveToStore(store, owned);
  if (moved.version === 0) throw new StoreError('there is nothing below this prefix in etcd');
  const { kvs: files } = await client.range(keys.files);
  for (const { key, value } of files) {
    writePrivate(join(folder, JournalKeys.nameOf(key)), Buffer.from(value).toString());
  }
  const { kvs: settings } = await client.range(keys.settings);
  for (const { key, value } of settings) {
    const name = JournalKeys.nameOf(key);
    if ((MOVED_SETTINGS as readonly string[]).includes(name)) {
      await store.shared.put(name, Buffer.from(value).toString());
    }
  }
  return moved;
}

/** All of them, by the names of their types in etcd. */
function logsOf(store: Store): ReadonlyMap<string, TypeLog> {
  const logs = new Map(store.notedLogs().map((type) => [type, store.openLog(type)]));
  const definitions = logs.get(DEFINITIONS);
  const names = definitions === undefined ? new Map<string, string>() : namesOf(definitions);
  for (const uid of store.customLogs()) {
    const name = names.get(uid);
    // What is left of a definition that has gone stays behind.
    if (name !== undefined) logs.set(customTypeName(name, uid), store.openCustomLog(uid));
  }
  return logs;
}

/** The names of definitions by their uids. */
function namesOf(definitions: TypeLog): Map<string, string> {
  const names = new Map<string, string>();
  definitions.scan(0, (_rv, record) => {
    const { metadata } = JSON.parse(`{${Buffer.from(wireBytes(record)).toString()}`) as {
      metadata: { name: string; uid: string };
    };
    if (recordOperation(record) === OPERATION.deleted) names.delete(metadata.uid);
    else names.set(metadata.uid, metadata.name);
    return true;
  });
  return names;
}
