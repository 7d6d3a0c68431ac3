/** `npm run restore`: a data folder from a backup (src/backup/README.md#restore). */
import { join } from 'node:path';
import { writePrivate } from '../../src/auth/own-files.ts';
import { liveEntries, objectsAt } from '../../src/backup/read-backup.ts';
import { checkNewFolder, nextVersions, writeNewFolder } from '../../src/backup/new-folder.ts';
import { openDataFolder, SHARED_FILES } from '../../src/data-folder.ts';
import { HIGH_WATER_SETTING } from '../../src/storage/store.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { megabytes, Progress } from './progress.ts';
import { parseWithFirst, textOf } from './target.ts';
import { exitCodeOf } from './tool-error.ts';

const HELP = [
  'Usage: npm run restore -- FILE --data-dir FOLDER [--at-version N]',
  '',
  'Writes a new data folder from a backup: objects keep their uids and versions, and clients their',
  'tokens and what they trust. Versions go on far above those that were used; watches and lists of',
  'before are told to begin anew.',
  '',
  '  --data-dir FOLDER   what is written; it is empty or not there',
  '  --at-version N      as it was at that resourceVersion, of those whose history is in the file',
  '',
].join('\n');

const FLAGS = { 'data-dir': { value: 'FOLDER' }, 'at-version': { value: 'N' } };

/** Runs with arguments; returns the exit code. */
export async function runRestore(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const { first: file, given } = parseWithFirst(FLAGS, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const dataDir = textOf(given, 'data-dir');
    if (file === '' || dataDir === '') throw new OptionsError('give FILE and --data-dir FOLDER');
    await restoreFolder(file, dataDir, versionIn(textOf(given, 'at-version')), output);
    return 0;
  });
}

function versionIn(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new OptionsError(`--at-version is "${text}": give a resourceVersion`);
}

async function restoreFolder(
  file: string,
  dataDir: string,
  asked: number | undefined,
  output: Output,
): Promise<void> {
  checkNewFolder(dataDir, SHARED_FILES);
  const progress = new Progress(output);
  const found = objectsAt(file, asked, (bytes, of) =>
    progress.tell(() => `checked ${megabytes(bytes)} of ${megabytes(of)}`),
  );
  const { backup, version, live } = found;
  const used = Number(backup.settings[HIGH_WATER_SETTING] ?? backup.version);
  const highWater = nextVersions(used, backup.madeMs, Date.now());
  const lock = openDataFolder(dataDir, false);
  try {
    await writeNewFolder({
      dataDir,
      logs: backup.logs,
      entries: liveEntries(file, live),
      highWater,
      secrets: backup,
      writeFile: (name, text) => writePrivate(join(dataDir, name), text),
      onRecords: (records) => progress.tell(() => `${records} objects written`),
    });
  } finally {
    lock.release();
  }
  const objects = [...live.values()].reduce((sum, { size }) => sum + size, 0);
  output.write(
    `restored ${objects} objects as of version ${version} into ${dataDir}: versions go on after ` +
      `${highWater}\n`,
  );
}
