/** How requests move the laboratory's clock. */
import type { ClockSetting } from '../base/time/moved-clock.ts';
import { parseDuration } from '../codec/leaves/duration-text.ts';
import { badRequest } from '../semantics/errors/status.ts';
import { Members } from './members.ts';

const FACTOR_MAX = 1_000_000;
/** The year 9999: later times have no text. */
const TIME_MS_MAX = Date.UTC(9999, 11, 31);
const MEMBERS = ['advance', 'set', 'factor'];
const NANOS_PER_MS = 1e6;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * What the clock is to be set to by `{ advance, set, factor }`, of which the first two exclude each
 * other, where it shows `serverMs` at `machineMs`. Throws StatusError.
 */
export function movedBy(body: unknown, now: ClockSetting): ClockSetting {
  const members = new Members(body, '', MEMBERS);
  if (members.among(MEMBERS).length === 0) throw badRequest('give one of advance, set, factor');
  const [advance, set, factor] = MEMBERS.map((name) => members.value(name));
  if (advance !== undefined && set !== undefined) {
    throw badRequest('set: give either advance or set');
  }
  const serverMs =
    advance === undefined ? timeOf(set, now.serverMs) : now.serverMs + durationMs(advance);
  if (serverMs > TIME_MS_MAX) throw badRequest('the clock goes up to the year 9999');
  return { serverMs, machineMs: now.machineMs, factor: factorOf(factor, now.factor) };
}

function durationMs(text: unknown): number {
  let ms = Number.NaN;
  try {
    if (typeof text === 'string') ms = Number(parseDuration(text)) / NANOS_PER_MS;
  } catch (error) {
    throw badRequest(`advance: ${(error as Error).message}`);
  }
  if (!(ms >= 0)) throw badRequest('advance: give a duration that is not negative, such as "1h"');
  return ms;
}

function timeOf(text: unknown, nowMs: number): number {
  if (text === undefined) return nowMs;
  const ms = typeof text === 'string' && TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw badRequest('set: give a time as RFC 3339 has it');
  if (ms < nowMs) {
    throw badRequest(`set: the clock is at ${new Date(nowMs).toISOString()}, and never goes back`);
  }
  return ms;
}

function factorOf(value: unknown, before: number): number {
  if (value === undefined) return before;
  if (typeof value === 'number' && value >= 0 && value <= FACTOR_MAX) return value;
  throw badRequest(`factor: give a number from 0, at which the clock stands, to ${FACTOR_MAX}`);
}
