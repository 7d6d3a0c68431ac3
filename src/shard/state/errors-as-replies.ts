/**
 * Answers a request with what its verb throws: a Status as it is, an unforeseen error as 500 with
 * its stack in the log. A broken invariant ends the actor.
 */
import type { Answer, GivingAnswer } from '../../actors/link.ts';
import { AssertionError } from '../../base/assert.ts';
import { internalError, StatusError } from '../../semantics/errors/status.ts';

export type ErrorsAsReplies = ReturnType<typeof errorsAsReplies>;

/** A wrapper for verbs; `logError` gets the unforeseen errors. */
export function errorsAsReplies(logError: (text: string) => void) {
  return <Request, Reply>(
      verb: (request: Request, body: Uint8Array, answer: GivingAnswer<Reply>) => void,
    ) =>
    (request: Request, body: Uint8Array, answer: GivingAnswer<Reply>): void => {
      try {
        verb(request, body, answer);
      } catch (error) {
        replyWithError(error as Error, answer, logError);
      }
    };
}

/** Answers with what was thrown; throws a broken invariant on. */
export function replyWithError(
  error: Error,
  answer: Pick<Answer<never>, 'fail'>,
  logError: (text: string) => void,
): void {
  if (error instanceof StatusError) {
    answer.fail(error);
  } else if (error instanceof AssertionError) {
    throw error;
  } else {
    logError(error.stack ?? error.message);
    answer.fail(internalError(error.message));
  }
}
