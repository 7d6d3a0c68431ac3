/** `npm run restore`: a data folder from a backup (src/backup/README.md#restore). */
import { join } from 'node:path';
import { writePrivate } from '../../src/auth/own-files.ts';
import { liveEntries, objectsAt } from '../../src/backup/read-backup.ts';
import { checkNewFolder, nextVersions, writeNewFolder } from '../../src/backup/new-folder.ts';
import { openDataFolder, SHARED_FILES } from '../../src/data-folder.ts';
import type { GivenFlags } from '../../src/base/options/parse-flags.ts';
import { HIGH_WATER_SETTING } from '../../src/storage/store.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { megabytes, Progress } from './progress.ts';
import { restorePart } from './restore-part.ts';
import { findRunning, parseWithFirst, TARGET_FLAGS, textOf } from './target.ts';
import { exitCodeOf } from './tool-error.ts';

const HELP = [
  'Usage: npm run restore -- FILE --data-dir FOLDER [--at-version N]',
  '       npm run restore -- FILE [--namespace NAME] [--type RESOURCE] [--replace]',
  '                          [--at-version N] [--data-dir FOLDER | --kubeconfig FILE]',
  '',
  'Writes a new data folder from a backup: objects keep their uids and versions, and clients their',
  'tokens and what they trust. Versions go on far above those that were used; watches and lists of',
  'before are told to begin anew.',
  '',
  'With --namespace or --type that part comes into a running server, by ordinary writes: with new',
  'uids, and with what is there left as it is. What cannot be made is listed, and the exit code',
  'is 1.',
  '',
  '  --data-dir FOLDER   what is written; it is empty or not there. Of a part: of the server',
  '  --at-version N      as it was at that resourceVersion, of those whose history is in the file',
  '  --namespace NAME    only what is in that namespace, and the namespace',
  '  --type RESOURCE     only that type: configmaps, deployments.apps',
  '  --replace           objects that are there become as they are in the file',
  '  --kubeconfig FILE   of the administrator of a server anywhere',
  '  --context NAME      of that file, where it is not the current one',
  '',
].join('\n');

const PART_FLAGS = { namespace: { value: 'NAME' }, type: { value: 'RESOURCE' } };
const FLAGS = {
  ...TARGET_FLAGS,
  ...PART_FLAGS,
  replace: { value: '' },
  'at-version': { value: 'N' },
};

/** Runs with arguments; returns the exit code. */
export async function runRestore(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const { first: file, given } = parseWithFirst(FLAGS, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const version = versionIn(textOf(given, 'at-version'));
    const only = argumentsOf(given, Object.keys(PART_FLAGS));
    if (only.length > 0 && file !== '') return restoreInto(file, { version, only, given }, output);
    const dataDir = textOf(given, 'data-dir');
    if (file === '' || dataDir === '') throw new OptionsError('give FILE and --data-dir FOLDER');
    if (given['replace'] === true || textOf(given, 'kubeconfig') !== '') {
      throw new OptionsError('a running server gets a part: give --namespace or --type');
    }
    await restoreFolder(file, dataDir, version, output);
    return 0;
  });
}

interface PartOfFile {
  readonly version: number | undefined;
  readonly only: readonly string[];
  readonly given: GivenFlags;
}

async function restoreInto(
  file: string,
  { version, only, given }: PartOfFile,
  output: Output,
): Promise<number> {
  const target = findRunning(given);
  try {
    const to = argumentsOf(given, Object.keys(TARGET_FLAGS));
    const part = { only, to: given['replace'] === true ? [...to, '--replace'] : to };
    const writeFolder = (folder: string): Promise<void> =>
      restoreFolder(file, folder, version, output);
    return await restorePart(target, part, writeFolder, output);
  } finally {
    target.close();
  }
}

/** These flags as they were given. */
function argumentsOf(given: GivenFlags, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const text = textOf(given, name);
    return text === '' ? [] : [`--${name}`, text];
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
