/** `npm run verify`: says what is damaged in a data folder or a backup, and where. */
import { statSync } from 'node:fs';
import { readBackup } from '../../src/backup/read-backup.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { damageLines, withFolder } from './damaged-folder.ts';
import { megabytes, Progress } from './progress.ts';
import { parseWithFirst } from './target.ts';
import { exitCodeOf } from './tool-error.ts';

const HELP = [
  'Usage: npm run verify -- FOLDER|FILE',
  '',
  'Reads all of a data folder, whose server is stopped, or of a backup, and says what is damaged.',
  'Nothing is changed. The exit code is 1 where there is damage.',
  '',
].join('\n');

/** Runs with arguments; returns the exit code. */
export async function runVerify(args: readonly string[], output: Output): Promise<number> {
  return exitCodeOf(output, async () => {
    const { first, given } = parseWithFirst({}, args);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    if (first === '')
      throw new OptionsError('give the FOLDER of a server, or the FILE of a backup');
    if (!statSync(first).isDirectory()) {
      output.write(verifyFile(first, output));
      return 0;
    }
    return verifyFolder(first, output);
  });
}

/** Throws BackupError where it is damaged. */
function verifyFile(file: string, output: Output): string {
  const progress = new Progress(output);
  const backup = readBackup(file, {
    onProgress: (bytes, of) =>
      progress.tell(() => `checked ${megabytes(bytes)} of ${megabytes(of)}`),
  });
  const objects = backup.logs.reduce((sum, log) => sum + log.objects, 0);
  const oldest = Math.max(...backup.logs.map(({ horizon }) => horizon));
  return (
    `${file} is whole: ${objects} objects of ${backup.logs.length} types as of version ` +
    `${backup.version}, made ${new Date(backup.madeMs).toISOString()}; it goes back to version ` +
    `${oldest}\n`
  );
}

async function verifyFolder(folder: string, output: Output): Promise<number> {
  return withFolder(folder, (read) => {
    const lines = damageLines(read);
    const records = read.store.logs.reduce((sum, log) => sum + log.records, 0);
    if (lines.length === 0) {
      output.write(`${folder} is whole: ${records} records of ${read.store.logs.length} types\n`);
      return 0;
    }
    for (const line of lines) output.write(`${line}\n`);
    output.write(
      `${folder} is damaged: ${records} records can be read. Restore a backup (npm run restore), ` +
        'or take what can be read into a new folder (npm run repair)\n',
    );
    return 1;
  });
}
