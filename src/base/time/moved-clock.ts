/**
 * A clock that one thread moves and all threads read: it runs at a factor of the machine's time, or
 * stands. It never goes back.
 */
import type { Timers } from './timers.ts';

/** How often timers look: what a move makes due happens that soon. */
export const MOVED_LOOK_MS = 20;

/** What it is set to; its time is `serverMs + (machine's time - machineMs) * factor`. */
export interface ClockSetting {
  readonly serverMs: number;
  readonly machineMs: number;
  readonly factor: number;
}

const SETTING_AT = 8;
const BYTES = SETTING_AT + 3 * 8;

interface Due {
  readonly everyMs: number | undefined;
  readonly call: () => void;
  dueMs: number;
}

export class MovedClock {
  readonly shared: SharedArrayBuffer;
  readonly timers: Timers = {
    after: (ms, then) => this.#add({ dueMs: this.nowMs() + ms, everyMs: undefined, call: then }),
    every: (ms, then) => this.#add({ dueMs: this.nowMs() + ms, everyMs: ms, call: then }),
  };
  /** Odd while the setting is being written. */
  readonly #sequence: Int32Array;
  readonly #setting: Float64Array;
  readonly #machineNowMs: () => number;
  readonly #due = new Set<Due>();
  #looking: NodeJS.Timeout | undefined;

  constructor(shared = new SharedArrayBuffer(BYTES), machineNowMs = Date.now) {
    this.shared = shared;
    this.#sequence = new Int32Array(shared, 0, 1);
    this.#setting = new Float64Array(shared, SETTING_AT, 3);
    this.#machineNowMs = machineNowMs;
  }

  get setting(): ClockSetting {
    for (;;) {
      const before = Atomics.load(this.#sequence, 0);
      const [serverMs = 0, machineMs = 0, factor = 0] = this.#setting;
      if (before % 2 === 0 && Atomics.load(this.#sequence, 0) === before) {
        return { serverMs, machineMs, factor };
      }
    }
  }

  /** For one thread alone. */
  set({ serverMs, machineMs, factor }: ClockSetting): void {
    Atomics.add(this.#sequence, 0, 1);
    this.#setting.set([serverMs, machineMs, factor]);
    Atomics.add(this.#sequence, 0, 1);
  }

  /** Milliseconds since 1970, with fractions. */
  nowMs(): number {
    const { serverMs, machineMs, factor } = this.setting;
    // The machine's clock may be set back: this one waits then.
    return serverMs + Math.max(0, this.#machineNowMs() - machineMs) * factor;
  }

  /** Calls what is due by now, in the order of time; what comes every so often once. */
  look(): void {
    const nowMs = this.nowMs();
    const due = [...this.#due].filter(({ dueMs }) => dueMs <= nowMs);
    due.sort((one, other) => one.dueMs - other.dueMs);
    for (const one of due) {
      // One that is called before may have cancelled it.
      if (!this.#due.has(one)) continue;
      if (one.everyMs === undefined) this.#remove(one);
      else one.dueMs = nowMs + one.everyMs;
      one.call();
    }
  }

  #add(due: Due): () => void {
    this.#due.add(due);
    this.#looking ??= setInterval(() => this.look(), MOVED_LOOK_MS).unref();
    return () => this.#remove(due);
  }

  #remove(due: Due): void {
    this.#due.delete(due);
    if (this.#due.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
