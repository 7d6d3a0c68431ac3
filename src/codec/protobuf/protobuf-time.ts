/** Seconds and nanoseconds since 1970 to canonical time text (`time-text.ts`). */
import { DecodeError } from '../json/go-errors.ts';

const SECONDS_TEXT_LENGTH = '0001-01-01T00:00:00'.length;
/** The first second of the year 1, which is the zero time, and the last one that text can show. */
const ZERO_SECONDS = -62_135_596_800;
const SECONDS_MIN = -62_167_219_200;
const SECONDS_MAX = 253_402_300_799;
const MICROS_PER_SECOND = 1_000_000;

/** '' for the zero time. Fractions are dropped. Throws a `DecodeError` beyond the year 9999. */
export function timeText(seconds: number): string {
  return seconds === ZERO_SECONDS ? '' : `${secondsText(seconds)}Z`;
}

/** Time text with six fraction digits: nanoseconds are cut to microseconds, as in JSON. */
export function microTimeText(seconds: number, nanos: number): string {
  const micros = Math.trunc(nanos / 1_000);
  const carried = Math.floor(micros / MICROS_PER_SECOND);
  const fraction = micros - carried * MICROS_PER_SECOND;
  const whole = seconds + carried;
  if (whole === ZERO_SECONDS && fraction === 0) return '';
  return `${secondsText(whole)}.${String(fraction).padStart(6, '0')}Z`;
}

function secondsText(seconds: number): string {
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
    throw new DecodeError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  return new Date(seconds * 1_000).toISOString().slice(0, SECONDS_TEXT_LENGTH);
}
