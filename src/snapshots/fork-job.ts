/** The job of a thread that makes the data folder of a fork from the store of a running server. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError } from '../backup/backup-error.ts';
import { nextVersions } from '../backup/new-folder.ts';
import type { BackupFacts } from '../backup/write-backup.ts';
import { copyStore, joinStore, type StorePlace } from '../storage/open-store.ts';
import { HIGH_WATER_SETTING, type Store, type TypeLog } from '../storage/store.ts';

/** Certificates are made for the addresses of this machine. */
const OWN_FILES = ['tls.crt', 'tls.key', 'laboratory-clock.json'];
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface ForkJob {
  readonly place: StorePlace;
  /** Up to which all types have all changes. */
  readonly version: number;
  /** The state that the fork begins with, which a snapshot holds. */
  readonly at: number;
  readonly facts: BackupFacts;
  /** Settings in which the fork is not like its server. */
  readonly settings: Readonly<Record<string, string>>;
  /** The folder, which is not there yet. */
  readonly dataDir: string;
}

/**
 * Makes the folder whole, though not on the disk: a fork does not outlive its server. Rejects with
 * BackupError and StoreError.
 */
export async function makeFork(job: ForkJob): Promise<void> {
  const { place, version, at, facts, dataDir } = job;
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  for (const [name, text] of Object.entries(facts.files)) {
    writeFileSync(join(dataDir, name), text, { mode: FILE_MODE });
  }
  for (const name of OWN_FILES) {
    const file = join(place.dataDir, name);
    if (existsSync(file)) copyFileSync(file, join(dataDir, name));
  }
  await copyStore(place, dataDir);
  const used = Number(facts.settings[HIGH_WATER_SETTING] ?? version);
  const highWater = nextVersions(used, facts.madeMs, Date.now());
  const settings = { ...job.settings, [HIGH_WATER_SETTING]: String(highWater) };
  const store = joinStore({ dataDir, durability: 'relaxed' });
  try {
    await Promise.all(logsOf(store).map(([name, log]) => goBack(name, log, { at, highWater })));
    for (const [name, value] of Object.entries(settings)) store.shared.swap(name, () => value);
  } finally {
    await store.close();
  }
}

function logsOf(store: Store): (readonly [string, TypeLog])[] {
  return [
    ...store.notedLogs().map((name) => [name, store.openLog(name)] as const),
    ...store.customLogs().map((name) => [name, store.openCustomLog(name)] as const),
  ];
}

/**
 * What was written since goes: the snapshot has kept all that it replaced. Watches, exact lists
 * and tokens of before are told that they are too old.
 */
async function goBack(
  name: string,
  log: TypeLog,
  { at, highWater }: { readonly at: number; readonly highWater: number },
): Promise<void> {
  if (log.horizon() > at) throw new BackupError(`version ${at} of ${name} is no longer known`);
  const rvs: number[] = [];
  log.scan(at, (rv) => rvs.push(rv) > 0);
  await log.append([], { rvs, horizon: highWater });
}
