/** Turns failures of LMDB into the errors that the contract of the store names. */
import { decodeRecordHeader } from './record.ts';
import { StoreError } from './store.ts';

/** What a user can do about damage. */
export const REMEDY =
  'restore the data folder from a backup (npm run restore), or take what can be read into a new ' +
  'one (npm run repair; npm run verify lists what is damaged), and check the disk';

export function damaged(what: string): StoreError {
  return new StoreError(`${what} is damaged on the disk: ${REMEDY}`);
}

/** A record without the right checksum. Says which object it is of, where it still does itself. */
export function damagedRecord(rv: number, log: string, record: Buffer): StoreError {
  return damaged(`version ${rv} of ${log}${keyIn(record)}`);
}

function keyIn(record: Buffer): string {
  try {
    return ` (${decodeRecordHeader(record.subarray(0)).key})`;
  } catch {
    return '';
  }
}

/** The result of `read`. Damage that the library finds in a log or the settings is a StoreError. */
export function onDisk<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw damaged(`the log ${name} (${(error as Error).message})`);
  }
}

/**
 * Waits for writes, and throws the cause where their commit failed. Each write has a promise, and a
 * failed commit a further one with the cause: all must be waited for.
 */
export async function committed(...writes: Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(writes)) {
    if (outcome.status === 'rejected') throw await causeOf(outcome.reason);
  }
}

async function causeOf(reason: unknown): Promise<unknown> {
  const { commitError } = reason as { commitError?: Promise<never> };
  return commitError === undefined ? reason : commitError.catch((cause: unknown) => cause);
}
