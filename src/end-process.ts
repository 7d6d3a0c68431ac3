/** How the program ends before its threads have. */

/**
 * Ends the process at once, with this code. `process.exit` ends the threads first, and one that is
 * in the library of the store just then has it abort the process, with a stack of its own. Another
 * program in this process needs none of them to end.
 */
export function endNow(code: number): never {
  const { execPath } = process;
  process.execve?.(execPath, [execPath, '--eval', `process.exit(${code})`], {});
  process.exit(code);
}

const BEGAN_ANEW = 'SHARDPLANE_BEGAN_ANEW';

/** Whether this process has been a server before. */
export function hasBegunAnew(): boolean {
  return process.env[BEGAN_ANEW] !== undefined;
}

let isStopping = false;

/** From now on the program ends where it would begin anew. */
export function endNextTime(): void {
  isStopping = true;
}

/** Runs the program anew in this process: of what it was nothing is left but its number. */
export function beginAnew(): never {
  if (isStopping) return endNow(1);
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    [BEGAN_ANEW]: '1',
  });
  return endNow(1);
}
