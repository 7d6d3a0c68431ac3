/** Answers with the result or the error of a promise. */
import type { Answer } from './link.ts';

export function answerWith<T>(answer: Answer<T>, work: Promise<T>): void {
  work.then(
    (reply) => answer.reply(reply),
    (error: unknown) => answer.fail(error),
  );
}
