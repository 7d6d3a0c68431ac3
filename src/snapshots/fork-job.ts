/** The job of a thread that makes the data folder of a fork from the store of a running server. */
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextVersions, writeNewFolder } from '../backup/new-folder.ts';
import { liveEntries, objectsAt } from '../backup/read-backup.ts';
import { backupFrames, type BackupFacts } from '../backup/write-backup.ts';
import { joinStore, type StorePlace } from '../storage/open-store.ts';
import { HIGH_WATER_SETTING } from '../storage/store.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface ForkJob {
  readonly place: StorePlace;
  /** Up to which all types have all changes. */
  readonly version: number;
  /** The state that the fork begins with. */
  readonly at: number;
  readonly facts: BackupFacts;
  /** The folder, which is not there yet. */
  readonly dataDir: string;
}

/** Makes the folder whole. Rejects with BackupError and StoreError. */
export async function makeFork({ place, version, at, facts, dataDir }: ForkJob): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const file = join(dataDir, 'fork.backup');
  const descriptor = openSync(file, 'w', FILE_MODE);
  const store = joinStore(place);
  try {
    for (const frame of backupFrames(store.moment(), version, facts)) {
      writeFileSync(descriptor, frame);
    }
  } finally {
    await store.close();
    closeSync(descriptor);
  }
  const { backup, live } = objectsAt(file, at);
  const used = Number(backup.settings[HIGH_WATER_SETTING] ?? backup.version);
  await writeNewFolder({
    dataDir,
    logs: backup.logs,
    entries: liveEntries(file, live),
    highWater: nextVersions(used, backup.madeMs, Date.now()),
    secrets: backup,
    writeFile: (name, text) => writeFileSync(join(dataDir, name), text, { mode: FILE_MODE }),
  });
  rmSync(file);
}
