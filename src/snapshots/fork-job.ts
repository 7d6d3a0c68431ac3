/** The job of a thread that makes the data folder of a fork from the store of a running server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError } from '../backup/backup-error.ts';
import type { LogName } from '../backup/frames.ts';
import { LiveVersions } from '../backup/live-versions.ts';
import { nextVersions, writeNewFolder } from '../backup/new-folder.ts';
import type { BackupFacts } from '../backup/write-backup.ts';
import { joinStore, type StorePlace } from '../storage/open-store.ts';
import { HIGH_WATER_SETTING, type LogEntry, type Moment, type TypeLog } from '../storage/store.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const ENTRIES_AT_ONCE = 1_000;

export interface ForkJob {
  readonly place: StorePlace;
  /** Up to which all types have all changes. */
  readonly version: number;
  /** The state that the fork begins with, which a snapshot holds. */
  readonly at: number;
  readonly facts: BackupFacts;
  /** The folder, which is not there yet. */
  readonly dataDir: string;
}

/** The records of the objects of one type that there were. */
interface LogAt {
  readonly name: LogName;
  readonly log: TypeLog;
  readonly rvs: readonly number[];
}

/**
 * Makes the folder whole, though not on the disk: a fork does not outlive its server. Rejects with
 * BackupError and StoreError.
 */
export async function makeFork({ place, version, at, facts, dataDir }: ForkJob): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const store = joinStore(place);
  try {
    const logs = logsAt(store.moment(), at);
    const used = Number(facts.settings[HIGH_WATER_SETTING] ?? version);
    await writeNewFolder({
      dataDir,
      logs: logs.map(({ name }) => name),
      entries: entriesOf(logs),
      highWater: nextVersions(used, facts.madeMs, Date.now()),
      secrets: facts,
      durability: 'relaxed',
      writeFile: (name, text) => writeFileSync(join(dataDir, name), text, { mode: FILE_MODE }),
    });
  } finally {
    await store.close();
  }
}

function logsAt({ logs, customLogs }: Moment, at: number): LogAt[] {
  const of = (isCustom: boolean, [log, stored]: [string, TypeLog]): LogAt => ({
    name: { log, isCustom },
    log: stored,
    rvs: liveAt(log, stored, at),
  });
  return [
    ...Array.from(logs, (one) => of(false, one)),
    ...Array.from(customLogs, (one) => of(true, one)),
  ];
}

function liveAt(name: string, log: TypeLog, at: number): readonly number[] {
  if (log.horizon() > at) throw lost(name, at);
  const live = new LiveVersions();
  log.scan(0, (rv, record) => {
    if (rv > at) return false;
    live.add(rv, record);
    return true;
  });
  return live.inOrder();
}

/** Read step by step while they are written: the snapshot keeps them. */
function* entriesOf(logs: readonly LogAt[]): Generator<readonly [LogName, readonly LogEntry[]]> {
  for (const { name, log, rvs } of logs) {
    for (let from = 0; from < rvs.length; from += ENTRIES_AT_ONCE) {
      const entries = rvs.slice(from, from + ENTRIES_AT_ONCE).map((rv) => {
        const record = log.read(rv);
        if (record === undefined) throw lost(name.log, rv);
        return { rv, value: Buffer.from(record) };
      });
      yield [name, entries];
    }
  }
}

function lost(log: string, version: number): BackupError {
  return new BackupError(`version ${version} of ${log} is no longer known`);
}
