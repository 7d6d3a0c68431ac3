/** What a backup of this server says beside the objects. */
import { join } from 'node:path';
import { readOwn } from './auth/own-files.ts';
import type { BackupFacts } from './backup/write-backup.ts';
import { SHARED_FILES } from './data-folder.ts';
import { MOVED_SETTINGS } from './journal/move.ts';
import type { Settings } from './storage/store.ts';
import { programVersion } from './version.ts';

/** Throws OwnFileError where a key or token of the data folder cannot be read. */
export function backupFacts(dataDir: string, shared: Settings): BackupFacts {
  const settings = MOVED_SETTINGS.map((name) => [name, shared.get(name)]);
  const files = SHARED_FILES.map((name) => [name, readOwn(join(dataDir, name))]);
  const known = (entries: (string | undefined)[][]): Record<string, string> =>
    Object.fromEntries(entries.filter(([, text]) => text !== undefined)) as Record<string, string>;
  return {
    program: programVersion(),
    madeMs: Date.now(),
    settings: known(settings),
    files: known(files),
  };
}
