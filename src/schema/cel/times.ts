/** Points in time and durations in expressions, in nanoseconds. */
import { trimEndOf } from '../../base/text/trim-end.ts';
import { parseDuration } from '../../codec/leaves/duration-text.ts';
import { ownRelease } from '../../release/release.ts';
import { Duration, Failure, INT_MAX, INT_MIN, Timestamp } from './values.ts';

const SECOND = 1_000_000_000n;
const TIME_MIN = -62_135_596_800n * SECOND;
const TIME_MAX = 253_402_300_800n * SECOND - 1n;
const DAY_MS = 86_400_000;

export const INT_OVERFLOW = new Failure('integer overflow');
const TIME_OVERFLOW = new Failure('timestamp overflow');

/** A failure for a number beyond int. */
export function boundedInt(value: bigint): bigint | Failure {
  return value < INT_MIN || value > INT_MAX ? INT_OVERFLOW : value;
}

export function boundedDuration(nanos: bigint): Duration | Failure {
  const isIn = nanos >= INT_MIN && nanos <= INT_MAX;
  return isIn ? new Duration(nanos) : new Failure('duration overflow');
}

export function boundedTime(nanos: bigint, offsetSeconds: number): Timestamp | Failure {
  const isIn = nanos >= TIME_MIN && nanos <= TIME_MAX;
  return isIn ? new Timestamp(nanos, offsetSeconds) : TIME_OVERFLOW;
}

export function timeBetween(one: Timestamp, other: Timestamp): Duration | Failure {
  const nanos = boundedInt(one.nanos - other.nanos);
  return nanos instanceof Failure ? nanos : new Duration(nanos);
}

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))?$/;

/** A time as RFC 3339 has it, with a zone if `needsZone`; undefined when it is none. */
export function parseTime(text: string, needsZone = true): Timestamp | undefined {
  const found = TIME.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour, zoneMinute] =
    found;
  if (needsZone && sign === undefined && !text.endsWith('Z')) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = dayOf(Number(year), Number(month), Number(day));
  if (date === undefined || Number(zoneHour ?? 0) > 24 || Number(zoneMinute ?? 0) > 60) {
    return undefined;
  }
  const zone = Number(zoneHour ?? 0) * 3600 + Number(zoneMinute ?? 0) * 60;
  const offset = sign === '-' ? -zone : zone;
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  const time = boundedTime((BigInt(date / 1000) + BigInt(clock)) * SECOND + nanos, offset);
  return time instanceof Failure ? undefined : time;
}

/** Milliseconds since 1970; undefined when there is no such day. */
export function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Writes RFC 3339 in the time's own zone, with as many digits of the second as it needs. */
export function timeText({ nanos, offsetSeconds }: Timestamp): string {
  const date = ownClock(nanos, offsetSeconds).toISOString().slice(0, -5).replace('+00', '');
  const part = nanosOfSecond(nanos);
  const fraction = part === 0n ? '' : `.${trimEndOf(String(part).padStart(9, '0'), '0')}`;
  return `${date}${fraction}${zoneText(offsetSeconds)}`;
}

function zoneText(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'Z';
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60);
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function nanosOfSecond(nanos: bigint): bigint {
  return ((nanos % SECOND) + SECOND) % SECOND;
}

/** Seconds since 1970, rounded down. */
export function unixSeconds(nanos: bigint): bigint {
  return (nanos - nanosOfSecond(nanos)) / SECOND;
}

/** The time that a clock in the zone shows, as a date in UTC. */
function ownClock(nanos: bigint, offsetSeconds: number): Date {
  return new Date((Number(unixSeconds(nanos)) + offsetSeconds) * 1000);
}

/** Seconds with the digits that they need. */
export function durationSecondsText({ nanos }: Duration): string {
  const seconds = Number(nanos / SECOND) + Number(nanos % SECOND) / 1e9;
  const text = String(seconds);
  return `${text.includes('e') ? trimEndOf(seconds.toFixed(9), '0') : text}s`;
}

/** The duration that a text says as Go has it; undefined when it says none. */
export function durationOf(text: string): Duration | undefined {
  try {
    return new Duration(parseDuration(text));
  } catch {
    // The reference gives no reason either.
    return undefined;
  }
}

const TIME_PARTS: Readonly<Record<string, (clock: Date) => number>> = {
  getFullYear: (clock) => clock.getUTCFullYear(),
  getMonth: (clock) => clock.getUTCMonth(),
  getDayOfYear: (clock) =>
    Math.floor((clock.getTime() - (dayOf(clock.getUTCFullYear(), 1, 1) ?? 0)) / DAY_MS),
  getDayOfMonth: (clock) => clock.getUTCDate() - 1,
  getDate: (clock) => clock.getUTCDate(),
  getDayOfWeek: (clock) => clock.getUTCDay(),
  getHours: (clock) => clock.getUTCHours(),
  getMinutes: (clock) => clock.getUTCMinutes(),
  getSeconds: (clock) => clock.getUTCSeconds(),
};

/** A part of a time such as `getHours`, in a zone or in its own; undefined for other names. */
export function timePart(
  name: string,
  { nanos, offsetSeconds }: Timestamp,
  zone?: string,
): bigint | Failure | undefined {
  const offset = zone === undefined ? offsetSeconds : zoneOffset(zone, nanos);
  if (offset instanceof Failure) return offset;
  if (name === 'getMilliseconds') return nanosOfSecond(nanos) / 1_000_000n;
  const part = Object.hasOwn(TIME_PARTS, name) ? TIME_PARTS[name] : undefined;
  return part && BigInt(part(ownClock(nanos, offset)));
}

const WHOLE_MINUTES = ownRelease().has('wholeMinutesOfZones');

/** Seconds that a zone is ahead of UTC at some time; zones are names, or hours and minutes. */
function zoneOffset(zone: string, nanos: bigint): number | Failure {
  const colon = zone.indexOf(':');
  if (colon === -1) return namedZoneOffset(zone, nanos);
  const hours = zone.slice(0, colon);
  // Older releases read only one digit of the minutes.
  const minutes = zone.slice(colon + 1, WHOLE_MINUTES ? undefined : colon + 2);
  for (const text of [hours, minutes]) {
    if (/^[+-]?\d+$/.test(text)) continue;
    return new Failure(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const size = Number(hours) * 60;
  return (zone.startsWith('-') ? size - Number(minutes) : size + Number(minutes)) * 60;
}

function namedZoneOffset(zone: string, nanos: bigint): number | Failure {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const seconds = Number(unixSeconds(nanos));
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Failure(`unknown time zone ${zone}`);
  }
  // Names of zones are those of files, in which letters have their case.
  const { timeZone } = format.resolvedOptions();
  if (timeZone !== zone && timeZone.toLowerCase() === zone.toLowerCase()) {
    return new Failure(`unknown time zone ${zone}`);
  }
  const parts = format.formatToParts(new Date(seconds * 1000));
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, more = '0'] =
    /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(name) ?? [];
  if (sign === undefined) return 0;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(more);
  return sign === '-' ? -size : size;
}

const DURATION_PARTS: Readonly<Record<string, bigint>> = {
  getHours: 3600n * SECOND,
  getMinutes: 60n * SECOND,
  getSeconds: SECOND,
  getMilliseconds: 1_000_000n,
};

/** All of a duration in a unit such as that of `getHours`; undefined for other names. */
export function durationPart(name: string, { nanos }: Duration): bigint | undefined {
  const unit = DURATION_PARTS[name];
  return unit === undefined ? undefined : nanos / unit;
}
