/**
 * A verb that throws answers with what it threw: a Status as it is, an unforeseen error as 500
 * with its stack in the log. A broken invariant ends the actor.
 */
import type { Answer } from '../actors/link.ts';
import { AssertionError } from '../base/assert.ts';
import { badRequest, internalError, StatusError } from '../semantics/status.ts';

export type Guard = ReturnType<typeof guard>;

/** A wrapper for verbs; `logError` is told what nobody foresaw. */
export function guard(logError: (text: string) => void) {
  return <Request, Reply>(
      verb: (request: Request, body: Uint8Array, answer: Answer<Reply>) => void,
    ) =>
    (request: Request, body: Uint8Array, answer: Answer<Reply>): void => {
      try {
        verb(request, body, answer);
      } catch (error) {
        if (error instanceof StatusError) {
          answer.fail(error);
        } else if (error instanceof AssertionError) {
          throw error;
        } else if (error instanceof RangeError && error.message.includes('call stack')) {
          // Messages that hold themselves (schemas do) are read by functions that call themselves.
          answer.fail(badRequest('the object nests too deep'));
        } else {
          const { message, stack } = error as Error;
          logError(stack ?? message);
          answer.fail(internalError(message));
        }
      }
    };
}
