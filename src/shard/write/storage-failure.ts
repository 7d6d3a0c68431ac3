import { InDoubtError } from '../../journal/in-doubt-error.ts';
import { internalError, StatusError } from '../../semantics/errors/status.ts';

/** The 500 of a failed commit, of a write or of what it rested on; a refusal stays as it is. */
export function storageFailure(error: Error): StatusError {
  if (error instanceof InDoubtError) return storageFailure(error.reason);
  if (error instanceof StatusError) return error;
  return internalError(`the store could not commit the write: ${error.message}`);
}
