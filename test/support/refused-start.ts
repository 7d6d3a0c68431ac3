/** Checks a start that has to fail. */
import type { Test } from 'tap';
import type { Exit } from './server-process.ts';

/** It says in one line what is wrong, and ends by itself. */
export function expectRefusedStart(t: Test, exit: Exit, names: RegExp): void {
  t.equal(exit.signal, null, 'it ends by itself');
  t.ok(exit.code !== null && exit.code > 0, `exit code ${exit.code}`);
  const lines = exit.stderr.trim().split('\n');
  t.equal(lines.length, 1, `one line on stderr: ${exit.stderr}`);
  t.match(lines[0], names, 'that says what is wrong');
  t.notMatch(exit.stdout, /shardplane ready/);
}
