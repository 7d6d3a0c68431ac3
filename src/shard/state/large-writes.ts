/**
 * Turns of the writes of large objects: to read a body, to prepare and check the object, and to
 * write that down takes some tens of milliseconds each, and others are served in between. One of
 * them is under way at a time, since each holds an object that others would only change below it;
 * and small requests for a large object are such writes too, as many as there may be
 * (../README.md#large-writes).
 */
import type { BoundedTurns } from '../../base/turns/bounded-turns.ts';
import { LARGE_BODY_BYTES, PAGE_TURN_BYTES } from '../../limits.ts';

type Work = () => void;

export class LargeWrites {
  readonly #turns: Pick<BoundedTurns, 'add'>;
  readonly #largeKeys = new Set<string>();
  readonly #waiting: { readonly write: object; readonly work: Work }[] = [];
  #underWay: object | undefined;
  #keepsPlace = false;

  /** Pages of lists have their turns in the same way. */
  constructor(turns: Pick<BoundedTurns, 'add'>) {
    this.#turns = turns;
  }

  /** An object has, or will have, so many bytes; 0 when it goes. */
  note(key: string, bytes: number): void {
    if (bytes > LARGE_BODY_BYTES) this.#largeKeys.add(key);
    else if (this.#largeKeys.size > 0) this.#largeKeys.delete(key);
  }

  /** Whether a write takes turns: with a body of so many bytes, of that object if it names one. */
  isLarge(bytes: number, key: string | undefined): boolean {
    return bytes > LARGE_BODY_BYTES || (key !== undefined && this.#largeKeys.has(key));
  }

  /** Does a part of a write in a turn of its own, once no other large write is under way. */
  takeTurn(write: object, work: Work): void {
    if (write === this.#underWay) this.#inTurn(work);
    else {
      this.#waiting.push({ write, work });
      if (this.#underWay === undefined) this.#next();
    }
  }

  /** The write whose turn it is stays under way after it. */
  keepPlace(): void {
    this.#keepsPlace = true;
  }

  /**
   * Messages are handled before immediates, and again between two rounds of them; so a turn has a
   * page of a list or a part of a write, and not both.
   */
  #inTurn(work: Work): void {
    setImmediate(() => {
      this.#turns.add(() => {
        this.#keepsPlace = false;
        work();
        if (!this.#keepsPlace) this.#next();
        return PAGE_TURN_BYTES;
      });
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#underWay = next?.write;
    if (next !== undefined) this.#inTurn(next.work);
  }
}
