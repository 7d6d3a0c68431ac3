/** Deletes many objects in bounded steps, between which others are served. */
import type { Shard } from './shard.ts';

/** Objects deleted per turn: their requests share the mailbox with everybody else's. */
const STEP_OBJECTS = 100;

/**
 * Calls `deleteOne` for each key until it returns false; it stages what it does, and calls
 * `failed` if that could not be committed, or if there is another reason to go no further.
 * Resolves once all is committed. Rejects with the first failure, once what was staged before is
 * committed; what follows is left alone.
 */
export async function deleteMany(
  shard: Shard,
  keys: readonly string[],
  deleteOne: (key: string, failed: (error: unknown) => void) => boolean,
): Promise<void> {
  let failure: Error | undefined;
  const failed = (error: unknown): void => void (failure ??= error as Error);
  for (let from = 0; from < keys.length; from += STEP_OBJECTS) {
    if (shard.stopping) throw new Error('the server stops');
    const goesOn = keys.slice(from, from + STEP_OBJECTS).every((key) => deleteOne(key, failed));
    // Waits for what is staged now, not until the pipeline is idle: others may write without a
    // pause.
    await shard.pipeline.settled();
    if (failure !== undefined) throw failure;
    if (!goesOn) return;
    // A step that wrote nothing has not waited: give others a turn.
    await new Promise(setImmediate);
  }
}
