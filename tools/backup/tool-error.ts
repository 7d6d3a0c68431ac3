/** What a user is told in a line. */
import { OwnFileError } from '../../src/auth/own-files.ts';
import { BackupError } from '../../src/backup/backup-error.ts';
import { StoreError } from '../../src/storage/store.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { TargetError } from '../soak/target.ts';

export class ToolError extends Error {
  override readonly name = 'ToolError';
}

const USER_ERRORS = [ToolError, OptionsError, BackupError, StoreError, OwnFileError, TargetError];

/** Errors of the system that a user can mend: a full disk, a file without the right to it. */
const SYSTEM_ERRORS = new Set([
  'ENOSPC',
  'EFBIG',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'EISDIR',
  'EDQUOT',
]);

/** The exit code of a command; what goes wrong is said in one line. */
export async function exitCodeOf(output: Output, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    const isOfUser = USER_ERRORS.some((kind) => error instanceof kind);
    if (!isOfUser && !SYSTEM_ERRORS.has(code)) throw error;
    output.say(message);
    return 1;
  }
}
