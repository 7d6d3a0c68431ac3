/** Objects of a write in the versions that webhooks and policies ask for. */
import { internalError, StatusError } from '../semantics/errors/status.ts';
import { ConversionNeeded, type Held } from '../types/conversion.ts';
import type { Proposal } from './proposal.ts';

/** The objects of a write in a version: their documents, or `null`. */
export interface ShownObjects {
  readonly object: string;
  readonly oldObject: string;
}

/** Conversions that were prepared for a proposal, until it has been looked at. */
export class Conversions {
  readonly #held: Held[] = [];

  /**
   * Does work that may come upon an object whose looks in another version are not known yet, again
   * once they are. Rejects with what the work throws, and StatusError 500.
   */
  async done<T>(work: () => T): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof ConversionNeeded)) throw error;
        await this.#prepare(error);
      }
    }
  }

  async #prepare(needed: ConversionNeeded): Promise<void> {
    try {
      this.#held.push(await needed.prepare());
    } catch (error) {
      if (error instanceof StatusError) throw internalError(error.message);
      throw error;
    }
  }

  release(): void {
    for (const one of this.#held) one.release();
    this.#held.length = 0;
  }
}

/** The parts of a proposal that are shown. */
export type Shown = Pick<Proposal, 'object' | 'oldObject' | 'forms'>;

/** Throws ConversionNeeded. */
export function shownIn({ object, oldObject, forms }: Shown, groupVersion: string): ShownObjects {
  return {
    object: object === undefined ? 'null' : forms.text(object, groupVersion),
    oldObject: oldObject === undefined ? 'null' : forms.text(oldObject, groupVersion),
  };
}
