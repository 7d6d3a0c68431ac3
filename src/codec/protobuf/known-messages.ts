/**
 * The last few messages of a type that were read or written: the objects that a controller makes of
 * one template have the same containers, and mostly the same spec.
 */

/**
 * Messages with fewer members are mostly short: coding them takes no longer than finding them here.
 */
export const KNOWN_MEMBERS_MIN = 16;

/** Most pods have no more containers than this, and their statuses no more shapes. */
const KNOWN_MAX = 6;
/** After this many more misses than hits, only some messages are looked for. */
const MISSES_MAX = 8;
/**
 * After too many misses so many messages are not looked for, and twice as many after each further
 * miss. The second number is how often that doubles at most.
 */
const PASSED_OVER = 16;
const DOUBLED_MAX = 3;

/** `K` is a known message, `P` the place where one is looked for. */
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

  /**
   * Returns this object if a look for the next message, of at most `bytesMax` bytes, is worth its
   * time.
   */
  next(bytesMax: number): this | undefined {
    if (bytesMax < this.#bytesMin) return undefined;
    if (this.#toPassOver === 0) return this;
    this.#toPassOver -= 1;
    return undefined;
  }

  /** Finds the known message that stands at this place. */
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

  /** Keeps a message of `length` bytes that was not known; `make` is called if it is kept. */
  protected keep(length: number, make: () => K): void {
    if (length < this.#bytesMin || length > this.#bytesMax) return;
    this.#known.unshift(make());
    if (this.#known.length > KNOWN_MAX) this.#known.pop();
  }
}
