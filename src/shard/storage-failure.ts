/** The answer when a commit failed: the request's own, or one that the request depended on. */
import type { Answer } from '../actors/link.ts';
import { internalError, StatusError } from '../semantics/status.ts';
import type { WritePipeline } from './write-pipeline.ts';

/** The 500 of a failed commit; a refusal stays what it is. */
export function storageFailure(error: Error): StatusError {
  if (error instanceof StatusError) return error;
  return internalError(`the store could not commit the write: ${error.message}`);
}

/**
 * Runs a verb on one object. A refusal is answered once pending writes of the object are committed:
 * it may rest on one that no reader can see yet.
 */
export function refusedWhenSettled(
  { pipeline }: { readonly pipeline: Pick<WritePipeline, 'afterPending'> },
  key: string,
  answer: Pick<Answer<never>, 'fail'>,
  verb: () => void,
): void {
  try {
    verb();
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    pipeline.afterPending(key, (failure) => {
      answer.fail(failure === undefined ? refusal : storageFailure(failure));
    });
  }
}
