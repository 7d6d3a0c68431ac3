/** Compiles what is loaded into a process before its C library (LD_PRELOAD). */
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';

/** A machine on which it cannot be done; `message` says why in a line. */
export class PreloadError extends Error {
  override readonly name = 'PreloadError';
}

/** Compiles a file of C into `folder`, and gives the library. Throws PreloadError. */
export function compilePreload(source: string, folder: string): string {
  const name = basename(source, '.c');
  if (process.platform !== 'linux') {
    throw new PreloadError(`the ${name} works on Linux only: it is loaded before the C library`);
  }
  const library = join(folder, `${name}.so`);
  const args = ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'];
  const { error, status, stderr } = spawnSync('gcc', args, { encoding: 'utf8' });
  if (error !== undefined) {
    throw new PreloadError(`there is no gcc on the PATH: the ${name} is compiled with it`);
  }
  if (status !== 0) throw new PreloadError(`gcc cannot compile the ${name}: ${stderr.trim()}`);
  return library;
}
