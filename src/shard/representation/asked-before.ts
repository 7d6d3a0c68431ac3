/**
 * When something that is not kept was asked for, for a while. It is a table of fixed size. One that
 * comes later overwrites every other one that came before: of a list that is much longer than the
 * table some objects are then known to have been asked for, whatever their order, and the next time
 * some others.
 */
const SLOTS = 2 ** 17;

export class AskedBefore {
  /** Which of those that share a slot it was. */
  #keys: Uint32Array | undefined;
  #timesMs = new Float64Array(0);

  /** When it was asked for; undefined when that is not known. */
  at(key: number): number | undefined {
    const slot = slotOf(key);
    return this.#keys?.[slot] === key >>> 0 ? this.#timesMs[slot] : undefined;
  }

  set(key: number, timeMs: number): void {
    if (this.#keys === undefined) {
      this.#keys = new Uint32Array(SLOTS);
      this.#timesMs = new Float64Array(SLOTS);
    }
    const slot = slotOf(key);
    const isFree = this.#keys[slot] === key >>> 0 || this.#timesMs[slot] === 0;
    if (!isFree && Math.random() < 0.5) return;
    this.#keys[slot] = key;
    this.#timesMs[slot] = timeMs;
  }
}

/** Keys that follow each other are spread over all slots. */
function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 15;
}
