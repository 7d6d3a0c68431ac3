/** What a client learns when a commit failed, its own or one that its request was judged by. */
import type { Answer } from '../actors/link.ts';
import { internalError, StatusError } from '../semantics/status.ts';
import type { Shard } from './shard.ts';

/** The 500 of a failed commit; a refusal stays what it is. */
export function storageFailure(error: Error): StatusError {
  if (error instanceof StatusError) return error;
  return internalError(`the store could not commit the write: ${error.message}`);
}

/**
 * Runs a verb on one object; what it is refused with is answered once the write that it may have
 * been refused for is committed, since until then no reader can see why.
 */
export function refusedWhenSettled(
  shard: Shard,
  key: string,
  answer: Answer<never>,
  verb: () => void,
): void {
  try {
    verb();
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    shard.pipeline.afterPending(key, (failure) => {
      answer.fail(failure === undefined ? refusal : storageFailure(failure));
    });
  }
}
