/** Numbers that look like chance, and are the same for the same seed (a linear congruence). */
const FACTOR = 1_664_525;
const ADDEND = 1_013_904_223;
const MODULUS = 2 ** 32;
/** The first numbers of seeds that are neighbours are alike. */
const WARM_UP = 8;

export class Seeded {
  #state: number;

  /** A whole number. */
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e37_79b9) >>> 0;
    for (let turn = 0; turn < WARM_UP; turn++) this.next();
  }

  /** The next one, from 0 up to 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, FACTOR) + ADDEND) >>> 0;
    return this.#state / MODULUS;
  }
}
