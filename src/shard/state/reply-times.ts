/** Adds to answers how long each step of the request took (src/observability/README.md#the-log). */
import type { ReplyMark } from '../../actors/link.ts';
import { wallClockMs } from '../../base/time/wall-clock.ts';
import { StatusError, type Said } from '../../semantics/errors/status.ts';
import type { Shard } from './shard.ts';

/** The time at which a request was sent, if its answer is to have times. */
interface TimedRequest {
  readonly sentMs?: number;
}

/** Marks the answer to a request that asks for times; undefined for one that does not. */
export function replyTimes(shard: Shard, request: unknown): ReplyMark | undefined {
  const { sentMs } = (request ?? {}) as TimedRequest;
  if (sentMs === undefined) return undefined;
  // The clocks of two threads may differ by less than a message takes.
  const mailbox = Math.max(0, wallClockMs() - sentMs);
  /** Until the shard looked at it (mailbox), of the webhooks (admission) and of the commit. */
  const withTimes = <T extends Said>(said: T): T => {
    const { webhookMs: admission } = said;
    const commit = shard.pipeline.answeredCommitMs;
    const times = {
      mailbox,
      ...(admission !== undefined && { admission }),
      ...(commit !== undefined && { commit }),
    };
    return { ...said, times };
  };
  return {
    header: (header) => withTimes(header as Said),
    error: (error) => {
      if (error instanceof StatusError) error.said = withTimes(error.said);
    },
  };
}
