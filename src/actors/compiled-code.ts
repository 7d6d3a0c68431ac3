/**
 * What the runtime compiles of the program for a start is kept beside it, so that the next starts
 * need not do it again: by kind of thread, since each needs other functions of the same modules.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The build removes it (tools/build.ts). */
const FOLDER = 'compiled';
/** Under which all threads find a cell that tells whether the server has started. */
const STARTED = 'shardplane-started';

/**
 * The program begins: its main thread loads what is kept for it, and threads can learn when the
 * server has started. Where nothing can be kept all goes on without.
 */
export function useCompiledCode(buildDir: string): void {
  setEnvironmentData(STARTED, new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)));
  enableCompileCache(join(buildDir, FOLDER, 'main'));
}

/** The environment of a thread that is to load what is kept for its kind. */
export function withCompiledCode(buildDir: string, kind: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(buildDir, FOLDER, kind) };
}

/** In a thread that was started so: keeps what is not kept yet, once the server has started. */
export async function keepWhenStarted(): Promise<void> {
  await Atomics.waitAsync(startedCell(), 0, 0).value;
  flushCompileCache();
}

/** In the main thread: the server has started. */
export function keepCompiledCode(): void {
  const cell = startedCell();
  Atomics.store(cell, 0, 1);
  Atomics.notify(cell, 0);
  flushCompileCache();
}

function startedCell(): Int32Array {
  return getEnvironmentData(STARTED) as unknown as Int32Array;
}
