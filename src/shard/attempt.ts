/**
 * A request that is handled without waiting, again if it has to be: where it comes upon something
 * that is not known yet (how an object looks in another version, who holds which role), and where
 * the object has changed while somebody was waited for.
 */
import type { Answer } from '../actors/link.ts';
import { GrantUndecided } from '../auth/rbac/grant-check.ts';
import { WAITING_REQUEST_MS_MAX } from '../limits.ts';
import { notDoneInTime, serviceUnavailable } from '../semantics/status.ts';
import { ConversionNeeded, type Held } from '../types/conversion.ts';
import { replyWithError } from './errors-as-replies.ts';
import { ObjectMoved } from './object-moved.ts';
import type { Shard } from './shard.ts';

type Handle<Reply> = (answer: Answer<Reply>) => void;

export class Attempt<Reply> implements Answer<Reply> {
  readonly #shard: Shard;
  readonly #answer: Answer<Reply>;
  readonly #handle: Handle<Reply>;
  readonly #beganMs = performance.now();
  #held: Held[] | undefined;

  constructor(shard: Shard, answer: Answer<Reply>, handle: Handle<Reply>) {
    this.#shard = shard;
    this.#answer = answer;
    this.#handle = handle;
  }

  /** Handles the request now. Throws what the first handling throws. */
  begin(): void {
    try {
      this.#handle(this);
    } catch (error) {
      if (!isUnsettled(error)) throw error;
      this.fail(error);
    }
  }

  reply(header: Reply, ...body: Uint8Array[]): void {
    this.#release();
    this.#answer.reply(header, ...body);
  }

  fail(error: unknown): void {
    if (error instanceof ConversionNeeded) this.#prepare(error);
    else if (error instanceof GrantUndecided) this.#after(error.known);
    else if (error instanceof ObjectMoved) this.#again();
    else {
      this.#release();
      this.#answer.fail(error);
    }
  }

  #prepare(needed: ConversionNeeded): void {
    this.#after(needed.prepare().then((held) => void (this.#held ??= []).push(held)));
  }

  #after(known: Promise<void>): void {
    known.then(
      () => this.#again(),
      (error: unknown) => this.fail(error),
    );
  }

  #again(): void {
    const waitedMs = performance.now() - this.#beganMs;
    if (waitedMs > WAITING_REQUEST_MS_MAX) this.fail(notDoneInTime());
    else later(this.#shard, this, () => this.#handle(this));
  }

  #release(): void {
    for (const one of this.#held ?? []) one.release();
    this.#held = undefined;
  }
}

/** Whether the request is to be handled again. */
export function isUnsettled(error: unknown): boolean {
  return (
    error instanceof ConversionNeeded ||
    error instanceof GrantUndecided ||
    error instanceof ObjectMoved
  );
}

/** Does work in a turn of its own, as if a message had asked for it. */
export function later(shard: Shard, answer: Answer<never>, work: () => void): void {
  setImmediate(() => {
    if (shard.stopping) {
      answer.fail(serviceUnavailable('the server is stopping'));
      return;
    }
    try {
      work();
    } catch (error) {
      replyWithError(error as Error, answer, shard.logError);
    }
    shard.pipeline.kick();
  });
}
