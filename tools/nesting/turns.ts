/** How long this thread does nothing else, in its own CPU time: others do not count. */
const MICROSECONDS_OF_MS = 1_000;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS_OF_MS;
}

/** The longest turn of this thread from now on. */
export class LongestTurn {
  #startedMs = cpuMs();
  #longestMs = 0;
  #next = setImmediate(() => this.#turned());

  /** That in milliseconds, the present turn included. */
  async end(): Promise<number> {
    await nextTurn();
    clearImmediate(this.#next);
    return this.#longestMs;
  }

  #turned(): void {
    const now = cpuMs();
    this.#longestMs = Math.max(this.#longestMs, now - this.#startedMs);
    this.#startedMs = now;
    this.#next = setImmediate(() => this.#turned());
  }
}

/** Code after it runs in a turn of its own. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
