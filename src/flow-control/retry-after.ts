/**
 * After how many seconds who was refused is to ask again: longer while many are refused, and
 * shorter again by and by.
 */

const SECONDS_MAX = 32;
const REFUSED_PER_SECOND_MIN = 3;

export class RetryAfter {
  /** By second, the last ones that matter. */
  #history: { readonly second: number; readonly refused: number }[] = [];
  #second = 0;
  #refused = 0;
  #seconds = 1;
  #raisedIn = 0;

  get seconds(): number {
    return this.#seconds;
  }

  /** One more is refused; `nowMs` of the wall clock. */
  refused(nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    if (second === this.#second) {
      this.#refused++;
      return;
    }
    const oldest = second - Math.min(SECONDS_MAX, 2 * this.#seconds);
    this.#history.push({ second: this.#second, refused: this.#refused });
    this.#history = this.#history.filter((one) => one.second >= oldest);
    this.#second = second;
    this.#refused = 1;
    this.#update(second);
  }

  #update(second: number): void {
    const since = second - this.#seconds;
    const refused = this.#history.reduce((sum, one) => {
      return one.second >= since ? sum + one.refused : sum;
    }, 0);
    const mayRaise = second - this.#raisedIn >= this.#seconds;
    if (mayRaise && refused >= REFUSED_PER_SECOND_MIN * this.#seconds) {
      this.#seconds = Math.min(SECONDS_MAX, 2 * this.#seconds);
      this.#raisedIn = second;
    } else if (refused < this.#seconds && this.#seconds > 1) this.#seconds--;
  }
}
