/**
 * How far the writers are with each slot, and when the last writes of each were answered. Its size
 * depends on the number of slots alone.
 */

/** Times kept per slot; an event that is later than so many writes is measured too short. */
const TIMES = 16;

export class WriteLog {
  /** The number of the last write that was sent. */
  readonly sent: Uint32Array;
  /** The number of the last write that is known to be stored. */
  readonly stored: Uint32Array;
  readonly #times: Float64Array;
  readonly #abandoned = new Set<number>();
  #writes = 0;

  constructor(slots: number) {
    this.sent = new Uint32Array(slots);
    this.stored = new Uint32Array(slots);
    this.#times = new Float64Array(slots * TIMES);
  }

  get writes(): number {
    return this.#writes;
  }

  send(slot: number, seq: number): void {
    this.sent[slot] = seq;
  }

  answer(slot: number, seq: number, now: number): void {
    this.stored[slot] = seq;
    this.#times[slot * TIMES + (seq % TIMES)] = now;
    this.#writes += 1;
  }

  /** When write `seq` was answered, or a later write if that is long ago; Infinity: not yet. */
  answeredAt(slot: number, seq: number): number {
    const stored = this.stored[slot] ?? 0;
    if (seq > stored) return Infinity;
    const known = Math.max(seq, stored - TIMES + 1);
    return this.#times[slot * TIMES + (known % TIMES)] ?? Infinity;
  }

  /** From now on nothing is expected of this slot: it is not as its writer left it. */
  abandon(slot: number): void {
    this.#abandoned.add(slot);
  }

  isAbandoned(slot: number): boolean {
    return this.#abandoned.size > 0 && this.#abandoned.has(slot);
  }
}
