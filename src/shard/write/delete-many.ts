/** Deletes many objects in bounded steps, between which others are served. */
import { DELETE_STEP_MS, DELETE_STEP_OBJECTS } from '../../limits.ts';
import type { Shard } from '../state/shard.ts';

/** Whether to go on with the next one. */
export type DeleteOne = (
  key: string,
  failed: (error: unknown) => void,
) => boolean | Promise<boolean>;

/**
 * Calls `deleteOne` for each key until it returns false; it stages what it does, and calls
 * `failed` if that could not be committed, or if there is another reason to go no further. Where
 * somebody has to be waited for before one is deleted, those after it wait too.
 * Resolves once all is committed. Rejects with the first failure, once what was staged before is
 * committed; what follows is left alone.
 */
export async function deleteMany(
  shard: Shard,
  keys: readonly string[],
  deleteOne: DeleteOne,
): Promise<void> {
  let failure: Error | undefined;
  const failed = (error: unknown): void => void (failure ??= error as Error);
  let next = 0;
  while (next < keys.length) {
    if (shard.stopping) throw new Error('the server stops');
    let goesOn = true;
    const endMs = shard.nowMs() + DELETE_STEP_MS;
    const end = next + DELETE_STEP_OBJECTS;
    do {
      const isDone = deleteOne(keys[next++] ?? '', failed);
      if (typeof isDone === 'boolean') goesOn = isDone;
      else {
        // The deletion may wait for the commit of earlier ones that are still staged.
        shard.pipeline.kick();
        goesOn = await isDone;
      }
    } while (goesOn && next < Math.min(end, keys.length) && shard.nowMs() < endMs);
    // Waits for what is staged now, not until the pipeline is idle: others may write without a
    // pause.
    await shard.pipeline.settled();
    if (failure !== undefined) throw failure;
    if (!goesOn) return;
    // A step that wrote nothing has not waited: give others a turn.
    await new Promise(setImmediate);
  }
}
