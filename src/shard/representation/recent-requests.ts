/**
 * Remembers for a while when an encoding that is not cached was requested, in a table of fixed
 * size. A new key replaces an older one in its slot only half of the time. So after a list that is
 * much longer than the table, the table knows some of its objects, whatever their order, and others
 * the next time.
 */
const SLOTS = 2 ** 17;

export class RecentRequests {
  /** The key in each slot, of all keys that share it. */
  #keys: Uint32Array | undefined;
  #timesMs = new Float64Array(0);

  /** The time of the last request; undefined when it is not known. */
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

/** Spreads consecutive keys over all slots. */
function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 15;
}
