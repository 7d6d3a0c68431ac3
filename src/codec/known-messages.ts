/**
 * The last few messages of a type that were read or written: the objects that a controller makes of
 * one template have the same containers, and mostly the same spec.
 */

/** Messages with fewer members are mostly short, and done as fast as they are found. */
export const KNOWN_MEMBERS_MIN = 16;
/** So are shorter ones; much longer ones are rare. */
const BYTES_MIN = 192;
const BYTES_MAX = 4 * 1024;

/** Most pods have no more containers. */
const KNOWN_MAX = 4;
/** After so many that were not known only some are looked for: each may be the only one. */
const MISSES_MAX = 8;
const LOOKED_FOR_EVERY = 16;

/** `K` is what is known of a message, `P` the place where one is looked for. */
export abstract class KnownMessages<K, P> {
  /** The latest first. */
  readonly #known: K[] = [];
  #misses = 0;

  /** Itself when the message that is next is worth looking for. */
  next(): this | undefined {
    if (this.#misses <= MISSES_MAX) return this;
    this.#misses += 1;
    return this.#misses % LOOKED_FOR_EVERY === 0 ? this : undefined;
  }

  /** The one that is at this place. */
  protected find(place: P): K | undefined {
    const known = this.#known;
    for (let index = 0; index < known.length; index += 1) {
      const message = known[index] as K;
      if (!this.isAt(place, message)) continue;
      if (index > 0) known.unshift(...known.splice(index, 1));
      this.#misses = 0;
      return message;
    }
    return undefined;
  }

  protected abstract isAt(place: P, message: K): boolean;

  /** A message of so many bytes was not known; `make` is called when it is to be from now on. */
  protected keep(length: number, make: () => K): void {
    if (length < BYTES_MIN || length > BYTES_MAX) return;
    this.#misses += 1;
    this.#known.unshift(make());
    if (this.#known.length > KNOWN_MAX) this.#known.pop();
  }
}
