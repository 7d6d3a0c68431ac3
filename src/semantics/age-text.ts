/** Ages in a few characters, for people (README.md#ages). */

const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_HOURS = 24;
const YEAR_DAYS = 365;
const YEAR_HOURS = YEAR_DAYS * DAY_HOURS;
/** The reference keeps durations in 64 bits of nanoseconds: a longer one shows as this. */
const SECONDS_MAX = 9_223_372_036;

/** A text that says how long ago something was: it changes as time goes on. */
export class Age {
  readonly thenMs: number;
  readonly before: string;
  readonly after: string;
  /** Whether the time may be yet to come, and the text says so. */
  readonly isEitherWay: boolean;

  /** `before` and `after` are the texts around it. */
  constructor(thenMs: number, before: string, after: string, isEitherWay = false) {
    this.thenMs = thenMs;
    this.before = before;
    this.after = after;
    this.isEitherWay = isEitherWay;
  }

  textAt(nowMs: number): string {
    const passedMs = nowMs - this.thenMs;
    const age = this.isEitherWay ? eitherWayText(passedMs) : durationText(passedMs);
    return `${this.before}${age}${this.after}`;
  }
}

/** How long ago an RFC 3339 time was, or how long it takes until it comes. */
export function expectedAt(timestamp: string): Age {
  return new Age(Date.parse(timestamp), '', '', true);
}

/** Such a text: `5m ago`, `in 5m`. */
export function eitherWayText(passedMs: number): string {
  return passedMs < 0 ? `in ${durationText(-passedMs)}` : `${durationText(passedMs)} ago`;
}

/**
 * The age of an RFC 3339 time, between two texts: `<unknown>` for no time, `<invalid>` for as long
 * as it is yet to come.
 */
export function ageSince(timestamp: string | undefined, before = '', after = ''): Age | string {
  const thenMs = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(thenMs) ? `${before}<unknown>${after}` : new Age(thenMs, before, after);
}

/**
 * Writes the largest unit, and the next one too where the first has a small number. A time less
 * than two seconds ahead counts as now, because clocks differ.
 */
export function durationText(durationMs: number): string {
  const seconds = Math.min(Math.trunc(durationMs / SECOND_MS), SECONDS_MAX);
  if (seconds < -1) return '<invalid>';
  if (seconds < 2 * MINUTE_SECONDS) return `${Math.max(seconds, 0)}s`;
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  if (minutes < 10) return units(minutes, 'm', seconds % MINUTE_SECONDS, 's');
  if (minutes < 3 * 60) return `${minutes}m`;
  const hours = Math.floor(seconds / HOUR_SECONDS);
  if (hours < 8) return units(hours, 'h', minutes % 60, 'm');
  if (hours < 2 * DAY_HOURS) return `${hours}h`;
  const days = Math.floor(hours / DAY_HOURS);
  if (hours < 8 * DAY_HOURS) return units(days, 'd', hours % DAY_HOURS, 'h');
  if (hours < 2 * YEAR_HOURS) return `${days}d`;
  const years = Math.floor(days / YEAR_DAYS);
  if (hours < 8 * YEAR_HOURS) return units(years, 'y', days % YEAR_DAYS, 'd');
  return `${years}y`;
}

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
