/** Tells on stderr, now and then, how far a command is. */
import type { Output } from '../output.ts';

const INTERVAL_MS = 1_000;

export class Progress {
  readonly #output: Output;
  #toldMs = Date.now();

  constructor(output: Output) {
    this.#output = output;
  }

  /** `line` is made where it is time for one. */
  tell(line: () => string): void {
    const nowMs = Date.now();
    if (nowMs - this.#toldMs < INTERVAL_MS) return;
    this.#toldMs = nowMs;
    this.#output.say(line());
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
