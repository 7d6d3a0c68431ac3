/**
 * What the runtime compiles of the program for a start is kept beside it, so that the next starts
 * need not do it again: by kind of thread, since each needs other functions of the same modules.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';

/** The build removes it (tools/build.ts). */
const FOLDER = 'compiled';
const STARTED = 'shardplane-started';

/** Loads what is kept for the main thread; where nothing can be kept all goes on without. */
export function useCompiledCode(buildDir: string): void {
  enableCompileCache(join(buildDir, FOLDER, 'main'));
}

/** The environment of a thread that is to load what is kept for its kind. */
export function withCompiledCode(buildDir: string, kind: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_COMPILE_CACHE: join(buildDir, FOLDER, kind) };
}

/** In a thread that was started so: keeps what is not kept yet, once the server has started. */
export function keepWhenStarted(): void {
  const channel = new BroadcastChannel(STARTED);
  channel.onmessage = () => {
    channel.close();
    flushCompileCache();
  };
  channel.unref();
}

/** In the main thread: the server has started. */
export function keepCompiledCode(): void {
  const channel = new BroadcastChannel(STARTED);
  channel.postMessage(undefined);
  channel.close();
  flushCompileCache();
}
