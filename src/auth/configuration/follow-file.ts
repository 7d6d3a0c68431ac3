/** Looks at files when they may have changed. */
import { watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { CONFIGURATION_LOOK_MS, CONFIGURATION_SETTLE_MS } from './limits.ts';

/**
 * Looks when the folder of the file changes, and every now and then, one look after the other;
 * until the process ends. `look` does not reject.
 */
export function followFile(file: string, look: () => Promise<void>): void {
  followFolder(dirname(file), look);
}

/** The same of a folder, and at once: it may have changed since it was read. */
export function followFolder(folder: string, look: () => Promise<void>): void {
  let last = Promise.resolve();
  let pending: NodeJS.Timeout | undefined;
  const later = (): void => {
    // A writer may take several steps.
    pending ??= setTimeout(() => {
      pending = undefined;
      last = last.then(look);
    }, CONFIGURATION_SETTLE_MS).unref();
  };
  let watcher: FSWatcher | undefined;
  const watchAndLook = (): void => {
    watcher?.close();
    watcher = watched(folder, later);
    later();
  };
  // The folder may be another one by then: a watch stays with the one that was there.
  setInterval(watchAndLook, CONFIGURATION_LOOK_MS).unref();
  watchAndLook();
}

/** Undefined where the folder cannot be watched: it is looked at every now and then. */
function watched(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onChange).on('error', () => undefined);
  } catch {
    return undefined;
  }
}
