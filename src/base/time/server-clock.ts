/**
 * The time of the server: what objects, tokens and certificates are measured by. It is that of the
 * machine, unless the laboratory moves it (src/laboratory/README.md#the-clock). What measures how
 * long something took stays with the machine.
 */
import { SYSTEM_TIMERS, type Timers } from './timers.ts';
import type { MovedClock } from './moved-clock.ts';
import { wallClockMs } from './wall-clock.ts';

let moved: MovedClock | undefined;

/** Has this thread go by the laboratory's clock. */
export function chooseClock(clock: MovedClock | undefined): void {
  moved = clock;
}

/** The clock of the laboratory, by which this thread goes; undefined where the machine's counts. */
export function chosenClock(): MovedClock | undefined {
  return moved;
}

/** Whole milliseconds since 1970. */
export function serverNowMs(): number {
  return moved === undefined ? Date.now() : Math.floor(moved.nowMs());
}

/** Milliseconds since 1970, to the microsecond. */
export function serverClockMs(): number {
  return moved === undefined ? wallClockMs() : moved.nowMs();
}

/** Timers that come due by the server's time. */
export const SERVER_TIMERS: Timers = {
  after: (ms, then) => (moved?.timers ?? SYSTEM_TIMERS).after(ms, then),
  every: (ms, then) => (moved?.timers ?? SYSTEM_TIMERS).every(ms, then),
};
