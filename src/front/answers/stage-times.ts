/** Measures what a request waits for, and how long (src/observability/README.md#the-log). */
export class StageTimes {
  readonly #startMs: number;
  #sinceMs = 0;
  readonly #stages: (readonly [stage: string, ms: number])[] = [];
  #isReplied = false;

  /** `startMs` is when it came, of the clock of `performance`. */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** Something that it has waited for since what was before is over. */
  passed(stage: string): void {
    this.#stages.push([stage, this.#sinceLast()]);
  }

  /** A shard has replied, and said what took how long there. */
  replied(times: Readonly<Record<string, number>> = {}): void {
    let shardMs = this.#sinceLast();
    for (const [stage, ms] of Object.entries(times)) {
      this.#stages.push([stage, ms]);
      shardMs -= ms;
    }
    this.#stages.push(['shard', Math.max(0, shardMs)]);
    this.#isReplied = true;
  }

  /** All of them in their order, in whole milliseconds; it has ended after so many. */
  until(endMs: number): readonly (readonly [stage: string, ms: number])[] {
    const last = [this.#isReplied ? 'sending' : 'answer', endMs - this.#sinceMs] as const;
    return [...this.#stages, last].map(([stage, ms]) => [stage, Math.round(ms)] as const);
  }

  #sinceLast(): number {
    const beforeMs = this.#sinceMs;
    this.#sinceMs = performance.now() - this.#startMs;
    return this.#sinceMs - beforeMs;
  }
}
