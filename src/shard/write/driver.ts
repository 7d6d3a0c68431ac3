/**
 * The driver of writes: gives verbs what they need, and is the only one that stages. A write for
 * which nobody is waited for is one synchronous run in the turn of its message; one that has to
 * wait goes on in a later turn, if what it rests on is still what it was, and begins again if not.
 */
import type { Answer } from '../../actors/link.ts';
import { assert, AssertionError } from '../../base/assert.ts';
import { InDoubtError } from '../../journal/in-doubt-error.ts';
import { WAITING_REQUEST_MS_MAX } from '../../limits.ts';
import {
  internalError,
  notDoneInTime,
  serviceUnavailable,
  StatusError,
} from '../../semantics/errors/status.ts';
import { ConversionNeeded, type Held } from '../../types/conversion.ts';
import type { Shard } from '../state/shard.ts';
import type { ObjectReply, Target } from '../../protocol/shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';
import { RestartWrite, Turn, type Need, type Steps } from '../../proposals/steps.ts';
import { Write } from './write.ts';
import type { AnswerBody, Outcome } from './write.ts';

export type Verb = (write: Write) => Steps<Outcome>;

/** The facts of a write that are known before it begins. */
export interface WriteFacts {
  /** The length of its body. */
  readonly bytes?: number;
  /** The key of the object that it names. */
  readonly key?: string | undefined;
  /** Told when it is staged, or nothing is to be written: only a failed commit undoes it then. */
  readonly decided?: (() => void) | undefined;
}

/**
 * Makes a write, and answers when it is committed, or with what it is refused for. Throws
 * AssertionError alone, here or in a later turn.
 */
export function runWrite(
  shard: Shard,
  verb: Verb,
  answer: Answer<ObjectReply>,
  { bytes = 0, key, decided }: WriteFacts = {},
): void {
  new Run(shard, verb, answer, decided).start(shard.largeWrites.isLarge(bytes, key));
}

/** A verb as a handler of requests. An object has no name yet when it is created. */
export function writing<Request extends Target>(
  shard: Shard,
  verb: (write: Write, request: Request, body: Uint8Array) => Steps<Outcome>,
) {
  return (request: Request, body: Uint8Array, answer: Answer<ObjectReply>): void => {
    const { length: bytes } = body;
    const key = request.name === '' ? undefined : shard.keyOf(request.namespace, request.name);
    runWrite(shard, (write) => verb(write, request, body), answer, { bytes, key });
  };
}

class Run {
  readonly #shard: Shard;
  readonly #answer: Answer<ObjectReply>;
  readonly #decided: (() => void) | undefined;
  readonly #beganMs = performance.now();
  /** Neither is kept once the write is decided: they hold its objects, and its body. */
  #verb: Verb | undefined;
  #steps: Steps<Outcome> | undefined;
  #write: Write;
  #held: Held[] | undefined;
  #takesTurns = false;

  constructor(
    shard: Shard,
    verb: Verb,
    answer: Answer<ObjectReply>,
    decided: (() => void) | undefined,
  ) {
    this.#shard = shard;
    this.#verb = verb;
    this.#answer = answer;
    this.#decided = decided;
    this.#write = new Write(shard);
  }

  start(isLarge: boolean): void {
    this.#takesTurns = isLarge;
    if (isLarge) this.#later(() => this.#begin());
    else this.#begin();
  }

  #begin(): void {
    this.#write = new Write(this.#shard);
    this.#steps = this.#verb?.(this.#write);
    this.#goOn();
  }

  /** Runs the verb up to what has to be waited for, or to its end. */
  #goOn(): void {
    assert(this.#steps !== undefined, 'a write goes on that is decided');
    let outcome: Outcome;
    try {
      let step = this.#steps.next();
      while (step.done !== true) {
        if (this.#waitsFor(step.value)) return;
        step = this.#steps.next();
      }
      outcome = step.value;
    } catch (error) {
      this.#refuse(error as Error);
      return;
    }
    this.#carryOut(outcome);
  }

  #waitsFor(need: Need): boolean {
    if (need instanceof Turn) {
      if (!this.#takesTurns) return false;
      this.#shard.largeWrites.keepPlace();
      this.#whenDone(need.ahead?.(), () => this.#resume());
    } else if (need instanceof RestartWrite) {
      this.#whenDone(this.#prepared(need.needed), () => this.#again());
    } else {
      const known = need instanceof ConversionNeeded ? this.#prepared(need) : need;
      this.#whenDone(known, () => this.#resume());
    }
    return true;
  }

  /** Holds a prepared conversion until the answer. */
  async #prepared(needed: ConversionNeeded): Promise<void> {
    const held = await needed.prepare();
    (this.#held ??= []).push(held);
  }

  #whenDone(known: Promise<unknown> | undefined, then: () => void): void {
    if (known === undefined) this.#later(then);
    else {
      known.then(
        () => this.#later(then),
        (error: Error) => this.#later(() => this.#refuse(error)),
      );
    }
  }

  #later(work: () => void): void {
    const turn = (): void => {
      if (this.#shard.stopping) this.#fail(serviceUnavailable('the server is stopping'));
      else work();
      this.#shard.pipeline.kick();
    };
    if (this.#takesTurns) this.#shard.largeWrites.takeTurn(this, turn);
    else setImmediate(turn);
  }

  #resume(): void {
    if (this.#write.isAsBefore) this.#goOn();
    else {
      // Others change a large object between its turns: now it is made in one.
      this.#takesTurns = false;
      this.#again();
    }
  }

  #again(): void {
    if (performance.now() - this.#beganMs > WAITING_REQUEST_MS_MAX) this.#fail(notDoneInTime());
    else {
      this.#write.admission?.settle(false);
      this.#begin();
    }
  }

  #carryOut({ changes, isPending, reply, body }: Outcome): void {
    this.#verb = undefined;
    this.#steps = undefined;
    this.#decided?.();
    const last = changes.at(-1);
    if (last !== undefined) {
      assert(this.#write.isAdmitted, 'a write is staged about which nobody was asked');
      // Its closures must not refer to the changes: they would keep them until the commit.
      const committed = (record: Buffer): void => this.#reply(reply, body, record);
      const { rv } = last;
      const failed = (error: Error): void => this.#failed(error, rv);
      for (const change of changes) {
        if (change === last) this.#shard.stage(change, committed, failed);
        else this.#shard.stage(change);
      }
    } else if (isPending === true) this.#afterPending(() => this.#reply(reply, body));
    else this.#reply(reply, body);
  }

  /** An answer may rest on writes of the object that no reader can see yet: it waits for those. */
  #afterPending(answer: () => void): void {
    const { key } = this.#write;
    if (key === undefined) answer();
    else {
      this.#shard.pipeline.afterPending(key, (error) => {
        if (error === undefined) answer();
        else this.#fail(storageFailure(error));
      });
    }
  }

  #reply(reply: ObjectReply, body: AnswerBody, record?: Buffer): void {
    // Whatever becomes of the answer.
    this.#write.admission?.settle(true);
    let documents: Uint8Array[];
    try {
      documents = body(record);
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      this.#prepared(error).then(
        () => setImmediate(() => this.#reply(reply, body, record)),
        (failure: Error) => this.#fail(failure),
      );
      return;
    }
    const told = this.#write.saidWith(reply);
    this.#release();
    this.#answer.reply(told, ...documents);
  }

  #refuse(error: Error): void {
    if (error instanceof AssertionError) throw error;
    if (error instanceof StatusError) this.#afterPending(() => this.#fail(error));
    else {
      this.#shard.logError(error.stack ?? error.message);
      this.#fail(internalError(error.message));
    }
  }

  /** What is kept for it stays so until it is known whether its last version is there. */
  #failed(error: Error, rv: number): void {
    const { admission } = this.#write;
    if (error instanceof InDoubtError) {
      void error.madeUpTo.then((newest) => admission?.settle(rv <= newest));
    } else admission?.settle(false);
    this.#tellFailure(storageFailure(error));
  }

  #fail(error: Error): void {
    this.#write.admission?.settle(false);
    this.#tellFailure(error);
  }

  #tellFailure(error: Error): void {
    if (error instanceof StatusError) error.said = this.#write.saidWith(error.said);
    this.#release();
    this.#answer.fail(error);
  }

  #release(): void {
    for (const held of this.#held ?? []) held.release();
    this.#held = undefined;
  }
}
