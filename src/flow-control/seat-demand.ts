/** How many seats a level could have used: over a period, and smoothed over those before. */

/** After five minutes half of a peak is forgotten. */
const SMOOTHING = 0.977;

export class SeatDemand {
  /** Of the last period that has ended. */
  highest = 0;
  average = 0;
  deviation = 0;
  smoothed = 0;
  #now = 0;
  #sinceMs: number;
  #beganMs: number;
  #sum = 0;
  #squares = 0;
  #most = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
    this.#beganMs = nowMs;
  }

  get now(): number {
    return this.#now;
  }

  set(seats: number, nowMs: number): void {
    this.#count(nowMs);
    this.#now = seats;
    if (seats > this.#most) this.#most = seats;
  }

  /** Ends a period, and begins the next one. */
  endPeriod(nowMs: number): void {
    this.#count(nowMs);
    const ms = nowMs - this.#beganMs;
    this.highest = this.#most;
    if (ms > 0) {
      this.average = this.#sum / ms;
      this.deviation = Math.sqrt(Math.max(0, this.#squares / ms - this.average ** 2));
      const envelope = this.average + this.deviation;
      this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope);
    }
    this.#beganMs = nowMs;
    this.#sum = 0;
    this.#squares = 0;
    this.#most = this.#now;
  }

  #count(nowMs: number): void {
    const ms = Math.max(0, nowMs - this.#sinceMs);
    this.#sum += this.#now * ms;
    this.#squares += this.#now ** 2 * ms;
    this.#sinceMs = nowMs;
  }
}
