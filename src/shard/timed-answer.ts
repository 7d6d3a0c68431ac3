/** Answers that say what took how long (src/observability/README.md#the-log). */
import type { GivingAnswer } from '../actors/link.ts';
import { wallClockMs } from '../base/wall-clock.ts';
import { StatusError, type Said } from '../semantics/status.ts';
import type { Shard } from './shard.ts';
import type { View } from './shard-protocol.ts';

export type TimedReply = Pick<Said, 'times' | 'webhookMs'>;

export type Verb<Request, Reply> = (
  request: Request,
  body: Uint8Array,
  answer: GivingAnswer<Reply>,
) => void;

/** The same verb, with times in the answers to requests that say when they were sent. */
export function timed<Request extends View, Reply extends TimedReply>(
  shard: Shard,
  verb: Verb<Request, Reply>,
): Verb<Request, Reply> {
  return (request, body, answer) => {
    const { sentMs } = request;
    verb(request, body, sentMs === undefined ? answer : new TimedAnswer(shard, sentMs, answer));
  };
}

class TimedAnswer<Reply extends TimedReply> implements GivingAnswer<Reply> {
  readonly #shard: Shard;
  readonly #answer: GivingAnswer<Reply>;
  readonly #mailboxMs: number;

  constructor(shard: Shard, sentMs: number, answer: GivingAnswer<Reply>) {
    this.#shard = shard;
    this.#answer = answer;
    // The clocks of two threads may differ by less than a message takes.
    this.#mailboxMs = Math.max(0, wallClockMs() - sentMs);
  }

  reply(header: Reply, ...body: Uint8Array[]): void {
    this.#answer.reply({ ...header, times: this.#times(header) }, ...body);
  }

  replyGiven(header: Reply, body: Uint8Array): void {
    this.#answer.replyGiven({ ...header, times: this.#times(header) }, body);
  }

  fail(error: unknown): void {
    if (error instanceof StatusError) {
      error.said = { ...error.said, times: this.#times(error.said) };
    }
    this.#answer.fail(error);
  }

  /** Until the shard looked at it (mailbox), of the webhooks (admission) and of the commit. */
  #times({ webhookMs: admission }: TimedReply): NonNullable<Said['times']> {
    const commit = this.#shard.pipeline.answeredCommitMs;
    return {
      mailbox: this.#mailboxMs,
      ...(admission !== undefined && { admission }),
      ...(commit !== undefined && { commit }),
    };
  }
}
