/**
 * The last few messages of a type that were read or written: the objects that a controller makes of
 * one template have the same containers, and mostly the same spec.
 */

/** Messages with fewer members are mostly short, and done as fast as they are found. */
export const KNOWN_MEMBERS_MIN = 16;

/** Most pods have no more containers, and their statuses no more shapes. */
const KNOWN_MAX = 6;
/** After so many more that were not known than were, only some are looked for. */
const MISSES_MAX = 8;
/** How many are passed over then, and after each miss twice as many, so often. */
const PASSED_OVER = 16;
const DOUBLED_MAX = 3;

/** `K` is what is known of a message, `P` the place where one is looked for. */
export abstract class KnownMessages<K, P> {
  /** The latest first. */
  readonly #known: K[] = [];
  readonly #bytesMin: number;
  readonly #bytesMax: number;
  #misses = 0;
  #toPassOver = 0;

  /** Shorter and longer ones are not kept. */
  constructor(bytesMin: number, bytesMax: number) {
    this.#bytesMin = bytesMin;
    this.#bytesMax = bytesMax;
  }

  /** Itself when the message that is next, so long at most, is worth looking for. */
  next(bytesMax: number): this | undefined {
    if (bytesMax < this.#bytesMin) return undefined;
    if (this.#toPassOver === 0) return this;
    this.#toPassOver -= 1;
    return undefined;
  }

  /** The one that is at this place. */
  protected find(place: P): K | undefined {
    const known = this.#known;
    for (let index = 0; index < known.length; index += 1) {
      const message = known[index] as K;
      if (!this.isAt(place, message)) continue;
      if (index > 0) known.unshift(...known.splice(index, 1));
      this.#misses = Math.max(0, this.#misses - 1);
      return message;
    }
    this.#missed();
    return undefined;
  }

  #missed(): void {
    this.#misses = Math.min(this.#misses + 1, MISSES_MAX + 1 + DOUBLED_MAX);
    const doubled = this.#misses - MISSES_MAX - 1;
    if (doubled >= 0) this.#toPassOver = PASSED_OVER << doubled;
  }

  protected abstract isAt(place: P, message: K): boolean;

  /** A message of so many bytes was not known; `make` is called when it is to be from now on. */
  protected keep(length: number, make: () => K): void {
    if (length < this.#bytesMin || length > this.#bytesMax) return;
    this.#known.unshift(make());
    if (this.#known.length > KNOWN_MAX) this.#known.pop();
  }
}
