/** Canonical time text (`time-text.ts`) to seconds and nanoseconds since 1970, and back. */
import { DecodeError } from './go-errors.ts';

const SECONDS_TEXT_LENGTH = '0001-01-01T00:00:00'.length;
/** The first second of the year 1, which is the zero time, and the last one that text can show. */
const ZERO_SECONDS = -62_135_596_800;
const SECONDS_MIN = -62_167_219_200;
const SECONDS_MAX = 253_402_300_799;
const MICROS_PER_SECOND = 1_000_000;

/** The whole seconds of a canonical time, negative before 1970. */
export function secondsOf(text: string): number {
  return Date.parse(`${text.slice(0, SECONDS_TEXT_LENGTH)}Z`) / 1_000;
}

/** 0 for text without a fraction; a fraction has six digits. */
export function nanosOf(text: string): number {
  if (text[SECONDS_TEXT_LENGTH] !== '.') return 0;
  return Number(text.slice(SECONDS_TEXT_LENGTH + 1, -1)) * 1_000;
}

/** '' for the zero time. Fractions are dropped. Throws a `DecodeError` beyond the year 9999. */
export function timeText(seconds: number): string {
  return seconds === ZERO_SECONDS ? '' : `${secondsText(seconds)}Z`;
}

/** The same with six fraction digits: nanoseconds are cut to microseconds, as in JSON. */
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
