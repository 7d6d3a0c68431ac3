/** Duration as JSON text, `1h0m0s`: parsed and written as the reference does. */
import { trimEndOf } from '../../base/text/trim-end.ts';

const NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;
const INT64_MAX = 2n ** 63n - 1n;
/** A number of so many digits is too large, if it does not begin with zeros. */
const WHOLE_DIGITS_MAX = 20;
/** Further digits of a fraction change nothing, since they are below a nanosecond. */
const FRACTION_DIGITS_MAX = 18;

/** The canonical text. Throws an Error with the reference's text when it is not a duration. */
export function canonicalDuration(text: string): string {
  return durationText(parseDuration(text));
}

/** Nanoseconds. Throws as `canonicalDuration`. */
export function parseDuration(text: string): bigint {
  const invalid = new Error(`time: invalid duration ${JSON.stringify(text)}`);
  const sign = text[0] === '-' ? -1n : 1n;
  PART.lastIndex = text[0] === '-' || text[0] === '+' ? 1 : 0;
  if (text.slice(PART.lastIndex) === '0') return 0n;
  if (PART.lastIndex === text.length) throw invalid;
  let total = 0n;
  while (PART.lastIndex < text.length) {
    const [, whole = '', fraction = '', unit = ''] = PART.exec(text) ?? [];
    if (whole === '' && fraction === '') throw invalid;
    if (BigInt(whole.slice(0, WHOLE_DIGITS_MAX)) > INT64_MAX) throw invalid;
    if (unit === '') throw new Error(`time: missing unit in duration ${JSON.stringify(text)}`);
    const nanos = Object.hasOwn(NANOS, unit) ? NANOS[unit] : undefined;
    if (nanos === undefined) {
      const where = `${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`;
      throw new Error(`time: unknown unit ${where}`);
    }
    const kept = fraction.slice(0, FRACTION_DIGITS_MAX);
    total += BigInt(whole) * nanos + (BigInt(kept) * nanos) / 10n ** BigInt(kept.length);
    if (total > INT64_MAX) throw invalid;
  }
  return sign * total;
}

/** The canonical text of so many nanoseconds. */
export function durationText(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  for (const [unit, scale] of [
    ['ns', 1n],
    ['\u00b5s', 1_000n],
    ['ms', 1_000_000n],
  ] as const) {
    if (size < scale * 1_000n) return `${sign}${decimal(size, scale)}${unit}`;
  }
  const seconds = `${decimal(size % 60_000_000_000n, 1_000_000_000n)}s`;
  const minutes = size / 60_000_000_000n;
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, scale: bigint): string {
  const fraction = trimEndOf(String((value % scale) + scale).slice(1), '0');
  return `${value / scale}${fraction === '' ? '' : `.${fraction}`}`;
}
