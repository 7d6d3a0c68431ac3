/** What a client learns when a commit failed: nothing was written, and why. */
import { internalError, StatusError } from '../semantics/status.ts';

export function storageFailure(error: Error): StatusError {
  if (error instanceof StatusError) return error;
  return internalError(`the store could not commit the write: ${error.message}`);
}
