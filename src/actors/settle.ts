/** Answers with what a promise settles with. */
import type { Answer } from './link.ts';

export function settle<T>(answer: Answer<T>, work: Promise<T>): void {
  work.then(
    (reply) => answer.reply(reply),
    (error: unknown) => answer.fail(error),
  );
}
