/**
 * The data folder: private to its user, and of one server at a time. The lock is the kernel's, of
 * the open file: it ends with the process however that ends, and holds against servers that cannot
 * see this process (two containers on one volume).
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { makeFolderDurably } from './base/durable-file.ts';
import { isThere } from './auth/own-files.ts';
import { UNFINISHED } from './storage/unfinished.ts';
import { StoreError } from './storage/store.ts';
import { finishKeeping, OLD_STORE } from './storage/upgrade/keep-old.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** Only its owner may read or write what this process makes. */
const PRIVATE_UMASK = 0o077;

/** Another process has the folder. */
export class FolderInUseError extends StoreError {}

export interface DataFolder {
  /** Another server may take the folder from now on. */
  release(): void;
}

/**
 * Makes the folder if it is missing, takes it for this process, and lets nobody else read the files
 * in it, those of earlier versions too. Without `hasStore` objects are kept elsewhere. Throws
 * StoreError where the folder cannot be used or
 * another server has it.
 */
export function openDataFolder(dataDir: string, hasStore = true): DataFolder {
  process.umask(PRIVATE_UMASK);
  let descriptor: number | undefined;
  let isOurs: boolean;
  const wasOpened = existsSync(lockFile(dataDir));
  try {
    makeFolderDurably(dataDir, PRIVATE_FOLDER);
    descriptor = openSync(lockFile(dataDir), 'a+', PRIVATE_FILE);
    isOurs = tryLock(descriptor);
    if (isOurs) {
      makePrivate(dataDir);
      finishKeeping(dataDir);
    }
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw new StoreError(
      `cannot use the data folder ${dataDir}: ${(error as Error).message}. ` +
        'Give a folder that this user may write to with --data-dir',
    );
  }
  if (!isOurs) {
    closeSync(descriptor);
    throw new FolderInUseError(
      `the data folder ${dataDir} is in use by process ${ownerOf(dataDir)}: ` +
        'stop that server, or choose another --data-dir',
    );
  }
  noteOwner(descriptor);
  const locked = descriptor;
  try {
    if (hasStore) refuseLost(dataDir, wasOpened);
  } catch (error) {
    closeSync(locked);
    throw error;
  }
  return { release: () => closeSync(locked) };
}

/** Of a server whose objects are in etcd. */
const VIEW = 'view';

interface FolderFile {
  /** The servers of a cluster would have the same one, or each server has its own. */
  readonly of: 'cluster' | 'server';
  /** A start makes it after the store; people may have put that of a cluster there before it. */
  readonly isAfterStore?: true;
  /** It is there where objects are kept in etcd. */
  readonly isOfView?: true;
  /** It is there for a while where an earlier version has written the store. */
  readonly isOfUpgrade?: true;
  /** The laboratory makes it when it is asked to. */
  readonly isOfLaboratory?: true;
  /** Others could read it where an earlier version made it. */
  readonly wasReadable?: true;
}

/**
 * All that a server keeps in its folder, in the order in which a start makes it; besides that there
 * are the sockets of its fronts while it runs.
 */
export const FOLDER_FILES: Readonly<Record<string, FolderFile>> = {
  lock: { of: 'server' },
  store: { of: 'server' },
  'store/data.mdb': { of: 'server', wasReadable: true },
  'store/write-ahead': { of: 'server' },
  'store/lock.mdb': { of: 'server', wasReadable: true },
  [OLD_STORE]: { of: 'server', isOfUpgrade: true },
  'admin.token': { of: 'cluster', isAfterStore: true },
  'service-account.key': { of: 'cluster', isAfterStore: true },
  'ca.crt': { of: 'cluster', wasReadable: true },
  'ca.key': { of: 'cluster' },
  'tls.crt': { of: 'server', wasReadable: true },
  'tls.key': { of: 'server' },
  'admin.kubeconfig': { of: 'server', isAfterStore: true },
  clients: { of: 'server' },
  recordings: { of: 'server', isOfLaboratory: true },
  forks: { of: 'server', isOfLaboratory: true },
  'laboratory-clock.json': { of: 'server', isOfLaboratory: true },
  [VIEW]: { of: 'server', isOfView: true },
  'server.json': { of: 'server', isOfView: true },
};

/** Those that all servers of a cluster have the same of. */
export const SHARED_FILES = Object.entries(FOLDER_FILES)
  .filter(([, { of }]) => of === 'cluster')
  .map(([name]) => name);

/** Throws StoreError where there was a store: a new one would be taken for it. */
function refuseLost(dataDir: string, wasOpened: boolean): void {
  const file = join(dataDir, 'store', 'data.mdb');
  const bytes = bytesOf(file);
  if (bytes !== undefined && bytes > 0) return;
  if (isThere(join(dataDir, UNFINISHED))) {
    throw new StoreError(
      `${dataDir} was being restored or repaired, and is not whole: do that again, or remove the ` +
        'folder',
    );
  }
  const isMissing = bytes === undefined;
  const left = Object.entries(FOLDER_FILES).filter(
    ([name, { isAfterStore }]) => isAfterStore && isThere(join(dataDir, name)),
  );
  const wasThere = !isMissing || wasOpened || left.some(([, file]) => file.of === 'server');
  if (left.length === 0 || !wasThere) return;
  if (isMissing && isThere(join(dataDir, VIEW))) {
    throw new StoreError(
      `${dataDir} is of a server whose objects are in etcd: start it with --store etcd; a backup ` +
        'of them is taken while a server of that etcd runs',
    );
  }
  throw new StoreError(
    `${file} is ${isMissing ? 'missing' : 'empty'}, and was not: restore the data folder from a ` +
      `backup, or remove ${left.map(([name]) => name).join(', ')} as well to begin anew`,
  );
}

/** Undefined where there is no such file; who opens it says what else is wrong. */
function bytesOf(file: string): number | undefined {
  try {
    return statSync(file).size;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ELOOP'].includes(code) ? undefined : Infinity;
  }
}

/** It is never removed: who opens it anew must meet the same file as who holds it. */
function lockFile(dataDir: string): string {
  return join(dataDir, 'lock');
}

/** For people only: the number is another one in another container. */
function noteOwner(descriptor: number): void {
  ftruncateSync(descriptor);
  writeSync(descriptor, `${process.pid}\n`);
}

function ownerOf(dataDir: string): string {
  return readFileSync(lockFile(dataDir), 'utf8').trim() || 'unknown';
}

function makePrivate(dataDir: string): void {
  for (const [name, { wasReadable }] of Object.entries(FOLDER_FILES)) {
    if (!wasReadable) continue;
    const file = join(dataDir, name);
    if (!existsSync(file)) continue;
    if ((statSync(file).mode & PRIVATE_UMASK) !== 0) chmodSync(file, PRIVATE_FILE);
  }
}
