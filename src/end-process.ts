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
