/** Strings of schemas that say times, by their format. */
import { dayOf, durationOf, parseTime } from './times.ts';
import { Duration, Failure, Timestamp, type Value } from './values.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A string of the format `date`. */
export function parseSchemaDate(text: string): Value {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const date = year === undefined ? undefined : dayOf(Number(year), Number(month), Number(day));
  if (date === undefined) return new Failure(`Invalid date formatted string ${text}`);
  return new Timestamp(BigInt(date) * 1_000_000n, 0);
}

/** A string of the format `date-time`: with a zone or in UTC. */
export function parseSchemaTime(text: string): Value {
  if (text === '') return new Timestamp(0n, 0);
  return parseTime(text, false) ?? new Failure(`Invalid date-time formatted string ${text}`);
}

const SECOND = 1_000_000_000n;
/** Units that are written freely; of the last name, the beginning is enough. */
const UNITS: readonly (readonly [nanos: bigint, names: readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1_000n, ['us', '\u00b5s', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [SECOND, ['s', 'sec']],
  [60n * SECOND, ['m', 'min']],
  [3600n * SECOND, ['h', 'hr', 'hour']],
  [86_400n * SECOND, ['d', 'day']],
  [604_800n * SECOND, ['w', 'wk', 'week']],
];
/** Longer numbers are none, and take long to read. */
const DIGITS_MAX = 19;

/** A string of the format `duration`: `1h30m`, or freely `2 days`. */
export function parseSchemaDuration(text: string): Value {
  const plain = durationOf(text);
  if (plain !== undefined) return plain;
  let nanos: bigint | undefined;
  for (const [, digits = '', word = ''] of text.matchAll(
    /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g,
  )) {
    const unit = UNITS.find(([, names]) => isNamed(word.toLowerCase(), names));
    if (digits.length <= DIGITS_MAX && unit !== undefined) {
      nanos = (nanos ?? 0n) + BigInt(digits) * unit[0];
    }
  }
  if (nanos !== undefined) return new Duration(BigInt.asIntN(64, nanos));
  return new Failure(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

function isNamed(word: string, names: readonly string[]): boolean {
  return names.includes(word) || word.startsWith(names.at(-1) as string);
}
