/**
 * Writes a data folder from nothing. Its store comes into its place last, so that a folder that is
 * half done is refused by a server, and is begun anew by who writes it the next time.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushNames, makeFolderDurably } from '../base/durable-file.ts';
import { openStore } from '../storage/open-store.ts';
import { HIGH_WATER_SETTING, StoreError } from '../storage/store.ts';
import type { LogEntry, TypeLog } from '../storage/store.ts';
import { UNFINISHED } from '../storage/unfinished.ts';
import { BackupError } from './backup-error.ts';
import type { BackupSecrets, LogName } from './frames.ts';
import { keyOf } from './read-backup.ts';

/** All of it is on the disk when the store is closed: only then is the folder whole. */
const UNTIL_IT_IS_CLOSED = 'relaxed';
const FOLDER_MODE = 0o700;
const COMMIT_BYTES_TARGET = 4 * 1024 * 1024;
/** More than a server writes. */
const VERSIONS_PER_SECOND = 100_000;
const VERSIONS_SKIPPED_MIN = 1_000_000;

/**
 * The version from which a server goes on that is a copy of one that has gone on since: so many
 * that none is used by both, and clients that saw later ones are told to list anew.
 */
export function nextVersions(highWater: number, madeMs: number, nowMs: number): number {
  const seconds = Math.max(0, Math.ceil((nowMs - madeMs) / 1_000));
  return highWater + VERSIONS_SKIPPED_MIN + seconds * VERSIONS_PER_SECOND;
}

export interface NewFolderOptions {
  /** The data folder, which this process has locked. */
  readonly dataDir: string;
  readonly logs: readonly LogName[];
  /** The records of objects, one log after the other, each in the order of versions. */
  readonly entries: Iterable<readonly [LogName, readonly LogEntry[]]>;
  /** No record is above it; versions go on after it. */
  readonly highWater: number;
  readonly secrets: BackupSecrets;
  /** Is told how many records have been written. */
  readonly onRecords?: (records: number) => void;
  /** Writes a file of the folder. */
  readonly writeFile: (name: string, text: string) => void;
}

/** Throws BackupError for a folder that has something in it, but what was left half done. */
export function checkNewFolder(dataDir: string, ownFiles: readonly string[]): void {
  const names = namesIn(dataDir);
  // A file that was being written has an ending of its own.
  const isOwn = (name: string): boolean => ownFiles.includes(name.replace(/\.new$/, ''));
  const others = names.filter((name) => name !== UNFINISHED && !isOwn(name));
  if (others.length > 0 || (names.length > 0 && !names.includes(UNFINISHED))) {
    throw new BackupError(`${dataDir} is not empty: give a folder that is new`);
  }
}

function namesIn(dataDir: string): readonly string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir).filter((name) => name !== 'lock');
}

/**
 * Fills a folder that was checked. Rejects with StoreError, also where the disk is full: then, as
 * after the end of the process, the folder is refused by a server, and can be filled again.
 */
export async function writeNewFolder(options: NewFolderOptions): Promise<void> {
  const { dataDir, secrets, writeFile } = options;
  const unfinished = join(dataDir, UNFINISHED);
  rmSync(unfinished, { recursive: true, force: true });
  makeFolderDurably(unfinished, FOLDER_MODE);
  for (const [name, text] of Object.entries(secrets.files)) writeFile(name, text);
  try {
    await makeLogs(unfinished, options);
    await fillStore(unfinished, options);
  } catch (error) {
    // The library gives the number of a failure of the system.
    if (typeof (error as { code?: unknown }).code !== 'number') throw error;
    const what = `cannot write to ${dataDir}: ${(error as Error).message}`;
    throw new StoreError(`${what}. Make room there, or give another folder`);
  }
  renameSync(join(unfinished, 'store'), join(dataDir, 'store'));
  flushNames(dataDir);
  rmSync(unfinished, { recursive: true });
}

/** A store knows the logs that were there when it was opened. */
async function makeLogs(dataDir: string, { logs }: NewFolderOptions): Promise<void> {
  const store = openStore({ dataDir, durability: UNTIL_IT_IS_CLOSED });
  try {
    store.makeLogs(logs.filter(({ isCustom }) => !isCustom).map(({ log }) => log));
  } finally {
    await store.close();
  }
}

async function fillStore(dataDir: string, options: NewFolderOptions): Promise<void> {
  const { logs, entries, highWater, secrets, onRecords } = options;
  let written = 0;
  const store = openStore({ dataDir, durability: UNTIL_IT_IS_CLOSED });
  try {
    const opened = new Map<string, TypeLog>();
    for (const name of logs) {
      const log = name.isCustom ? store.openCustomLog(name.log) : store.openLog(name.log);
      opened.set(keyOf(name), log);
      // Watches, exact lists and tokens of before are told that they are too old.
      await log.append([], { rvs: [], horizon: highWater });
    }
    for (const [name, records] of entries) {
      const log = opened.get(keyOf(name));
      if (log !== undefined) for (const commit of commitsOf(records)) await log.append(commit);
      written += records.length;
      onRecords?.(written);
    }
    for (const [name, value] of Object.entries(secrets.settings)) {
      await store.shared.put(name, value);
    }
    await store.shared.put(HIGH_WATER_SETTING, String(highWater));
  } finally {
    await store.close();
  }
}

function* commitsOf(records: readonly LogEntry[]): Generator<LogEntry[]> {
  let commit: LogEntry[] = [];
  let bytes = 0;
  for (const entry of records) {
    commit.push(entry);
    bytes += entry.value.length;
    if (bytes < COMMIT_BYTES_TARGET) continue;
    yield commit;
    commit = [];
    bytes = 0;
  }
  if (commit.length > 0) yield commit;
}
