/**
 * Keeps the code that the runtime compiles during a start beside the program, so that the next
 * starts need not compile it again. There is one store for each kind of thread, since each kind
 * needs other functions of the same modules.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The build removes it (tools/build.ts). */
const FOLDER = 'compiled';
/** The name under which all threads find a cell that tells whether the server has started. */
const STARTED = 'shardplane-started';

/**
 * Called when the program begins: its main thread loads the code that is kept for it, and other
 * threads can learn when the server has started. Where no code can be kept, all goes on without.
 */
export function useCompiledCode(buildDir: string): void {
  setEnvironmentData(STARTED, new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)));
  enableCompileCache(join(buildDir, FOLDER, 'main'));
}

/** The environment of a thread that loads the code kept for its kind. */
export function withCompiledCode(buildDir: string, kind: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(buildDir, FOLDER, kind) };
}

/** Called in such a thread: keeps its compiled code once the server has started. */
export async function keepWhenStarted(): Promise<void> {
  await Atomics.waitAsync(startedCell(), 0, 0).value;
  flushCompileCache();
}

/** Called in the main thread when the server has started. */
export function keepCompiledCode(): void {
  const cell = startedCell();
  Atomics.store(cell, 0, 1);
  Atomics.notify(cell, 0);
  flushCompileCache();
}

function startedCell(): Int32Array {
  return getEnvironmentData(STARTED) as unknown as Int32Array;
}
