/**
 * Large writes, in steps: to read a body, to prepare and check its object, and to write that down
 * takes some tens of milliseconds each, and others are served in between. No step but the last one
 * may rely on what is stored, since that changes meanwhile.
 */
import type { Answer } from '../actors/link.ts';
import type { PageTurns } from '../base/page-turns.ts';
import { LARGE_BODY_BYTES, PAGE_TURN_BYTES } from '../limits.ts';
import { replyWithError } from './errors-as-replies.ts';

export interface WriteStepsOptions {
  /** Shared with lists, so that a turn has a page or a step, and not both. */
  readonly turns: PageTurns;
  /** Begins to commit what a step has staged. */
  readonly kick: () => void;
  readonly logError: (text: string) => void;
}

export class WriteSteps {
  readonly #options: WriteStepsOptions;

  constructor(options: WriteStepsOptions) {
    this.#options = options;
  }

  /**
   * Does the next step of a write whose body has so many bytes: a small one now, and throws what it
   * throws; a large one when it is its turn, and answers with that.
   */
  next(bytes: number, answer: Pick<Answer<never>, 'fail'>, step: () => void): void {
    if (bytes <= LARGE_BODY_BYTES) {
      step();
      return;
    }
    const { turns, kick, logError } = this.#options;
    const takeStep = (): number => {
      step();
      kick();
      return PAGE_TURN_BYTES;
    };
    // Messages are handled before immediates, and again between two rounds of them.
    setImmediate(() => turns.add(takeStep, (error) => replyWithError(error, answer, logError)));
  }
}
