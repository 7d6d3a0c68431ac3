/**
 * Writes of large objects, in steps: to read a body, to prepare and check the object, and to write
 * that down takes some tens of milliseconds each, and others are served in between. One of them is
 * under way at a time, since each holds an object that others would only change below it; and small
 * requests for a large object are such writes too, as many as there may be
 * (README.md#large-writes).
 */
import type { Answer } from '../actors/link.ts';
import { assert } from '../base/assert.ts';
import type { BoundedTurns } from '../base/bounded-turns.ts';
import { LARGE_BODY_BYTES, PAGE_TURN_BYTES } from '../limits.ts';
import { replyWithError } from './errors-as-replies.ts';
import { refusedWhenSettled } from './storage-failure.ts';
import type { WritePipeline } from './write-pipeline.ts';

type Answering = Pick<Answer<never>, 'fail'>;

/** The object that a step is about, and the version of it that it was made from: 0 for none. */
export interface Basis {
  readonly key: string;
  /** Absent where it has not been looked at yet. */
  readonly rv?: number;
}

/** The shard that the writes are of. */
interface Shard {
  /** Another one as soon as the type is served otherwise. */
  readonly kind: object;
  readonly pageTurns: BoundedTurns;
  readonly pipeline: Pick<WritePipeline, 'afterPending' | 'kick'>;
  newestRv(key: string): number | undefined;
}

interface Step {
  readonly answer: Answering;
  readonly run: () => void;
  readonly basis: Basis | undefined;
  /** What is waited for before it has its turn. */
  readonly ahead?: (() => Promise<void>) | undefined;
}

export class WriteSteps {
  readonly #shard: Shard;
  readonly #logError: (text: string) => void;
  readonly #largeKeys = new Set<string>();
  readonly #waiting: Step[] = [];
  /** Of the write that is under way. */
  #first: Step | undefined;
  #kind: object | undefined;
  #following: Step | undefined;
  #isInStep = false;

  constructor(shard: Shard, logError: (text: string) => void) {
    this.#shard = shard;
    this.#logError = logError;
  }

  /** An object has, or will have, so many bytes; 0 when it goes. */
  note(key: string, bytes: number): void {
    if (bytes > LARGE_BODY_BYTES) this.#largeKeys.add(key);
    else if (this.#largeKeys.size > 0) this.#largeKeys.delete(key);
  }

  /**
   * Begins a write with a body of so many bytes, of the object with that key if it names one. A
   * small one is done now, and throws what it throws; a large one is done in its turns, and answers
   * with that.
   */
  begin(bytes: number, key: string | undefined, answer: Answering, run: () => void): void {
    const isLarge = bytes > LARGE_BODY_BYTES || (key !== undefined && this.#largeKeys.has(key));
    if (!isLarge) return run();
    this.#waiting.push({ answer, run, basis: undefined });
    if (this.#first === undefined) this.#beginNext();
  }

  /** Whether what is done now is a part of a large write. */
  get isInStep(): boolean {
    return this.#isInStep;
  }

  /**
   * Goes on with a write: now, or with a large one in a later turn. If its basis has changed by
   * then, or how the type is served, the write is done again instead, as a whole. Of a large one,
   * `ahead` is done first, elsewhere.
   */
  next(answer: Answering, run: () => void, basis?: Basis, ahead?: () => Promise<void>): void {
    if (!this.#isInStep) return run();
    assert(this.#following === undefined, 'a step has one that follows');
    this.#following = { answer, run, basis, ahead };
  }

  #beginNext(): void {
    this.#first = this.#waiting.shift();
    this.#kind = undefined;
    if (this.#first !== undefined) this.#takeTurn(this.#first);
  }

  /**
   * Messages are handled before immediates, and again between two rounds of them. Lists have their
   * turns in the same way, so that one turn has a page or a step, and not both.
   */
  #takeTurn(step: Step): void {
    setImmediate(() => {
      this.#shard.pageTurns.add(() => {
        this.#do(step);
        return PAGE_TURN_BYTES;
      });
    });
  }

  #do(step: Step): void {
    const { answer } = step;
    try {
      this.#isInStep = true;
      this.#run(step);
    } catch (error) {
      this.#following = undefined;
      replyWithError(error as Error, answer, this.#logError);
    } finally {
      this.#isInStep = false;
    }
    this.#shard.pipeline.kick();
    const following = this.#following;
    this.#following = undefined;
    if (following === undefined) this.#beginNext();
    else if (following.ahead === undefined) this.#takeTurn(following);
    else this.#waitFor(following, following.ahead);
  }

  #waitFor(step: Step, ahead: () => Promise<void>): void {
    ahead().then(
      () => this.#takeTurn(step),
      (error: unknown) => {
        replyWithError(error as Error, step.answer, this.#logError);
        this.#beginNext();
      },
    );
  }

  #run({ answer, run, basis }: Step): void {
    const { kind } = this.#shard;
    this.#kind ??= kind;
    if (this.#kind !== kind || !isNewest(this.#shard, basis)) {
      this.#isInStep = false;
      this.#first?.run();
    } else if (basis === undefined) {
      run();
    } else {
      refusedWhenSettled(this.#shard, basis.key, answer, run);
    }
  }
}

function isNewest(shard: Shard, basis: Basis | undefined): boolean {
  return basis?.rv === undefined || basis.rv === (shard.newestRv(basis.key) ?? 0);
}
