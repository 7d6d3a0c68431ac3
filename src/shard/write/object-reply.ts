import type { Answer } from '../../actors/link.ts';
import { StatusError, warnedOf } from '../../semantics/status.ts';
import type { ObjectReply } from '../../protocol/shard-protocol.ts';

/** The header of an answer. Without warnings, as nearly always, it has no such member. */
export function objectReply(code: number, warnings: readonly string[] = []): ObjectReply {
  return warnings.length === 0 ? { code } : { code, warnings };
}

/**
 * Does `work` with an answer that carries the warnings, before those that the work adds itself: a
 * refusal carries them too. Throws what it throws.
 */
export function warned(
  warnings: readonly string[] | undefined,
  answer: Answer<ObjectReply>,
  work: (answer: Answer<ObjectReply>) => void,
): void {
  if (warnings === undefined || warnings.length === 0) {
    work(answer);
    return;
  }
  const add = (error: unknown): unknown => {
    if (error instanceof StatusError) error.said = warnedOf(warnings, error.said);
    return error;
  };
  try {
    work({
      reply: (reply, ...documents) => answer.reply(warnedOf(warnings, reply), ...documents),
      fail: (error) => answer.fail(add(error)),
    });
  } catch (error) {
    throw add(error);
  }
}
