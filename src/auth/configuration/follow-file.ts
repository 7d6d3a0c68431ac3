/** Looks at a file when it may have changed. */
import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { CONFIGURATION_LOOK_MS, CONFIGURATION_SETTLE_MS } from './limits.ts';

/**
 * Looks when the folder of the file changes, and every now and then, one look after the other;
 * until the process ends. `look` does not reject.
 */
export function followFile(file: string, look: () => Promise<void>): void {
  let last = Promise.resolve();
  let pending: NodeJS.Timeout | undefined;
  const later = (): void => {
    // A writer may take several steps.
    pending ??= setTimeout(() => {
      pending = undefined;
      last = last.then(look);
    }, CONFIGURATION_SETTLE_MS).unref();
  };
  setInterval(later, CONFIGURATION_LOOK_MS).unref();
  try {
    watch(dirname(file), { persistent: false }, later).on('error', () => undefined);
  } catch {
    // The folder cannot be watched: it is looked at every now and then.
  }
}
