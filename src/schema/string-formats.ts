/** The formats that the reference checks; any other is ignored (README.md#formats). */
import { parseDuration } from '../codec/leaves/duration-text.ts';
import { ownRelease } from '../release/release.ts';
import { parseIp, parseIpRange } from '../semantics/validation/ip-address.ts';
import { isMailAddress } from './mail-address.ts';
import { matchesPattern } from './pattern.ts';
import { isRequestUri } from './request-uri.ts';

export type FormatCheck = (text: string) => boolean;

/** The check of a format, whose name may have hyphens anywhere; undefined for one that has none. */
export function formatCheck(format: unknown): FormatCheck | undefined {
  if (typeof format !== 'string' || format === '') return undefined;
  const name = format.replaceAll('-', '');
  return Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
}

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Whether a format is one of values of a type, '' for any type. */
export function isFormatOf(type: string, format: string): boolean {
  if (type === '' || type === 'string') return formatCheck(format) !== undefined;
  return Object.hasOwn(NUMBER_FORMATS, type) && NUMBER_FORMATS[type]?.includes(format) === true;
}

const matches =
  (expression: RegExp): FormatCheck =>
  (text) =>
    expression.test(text);

const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const CHECKS: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: isMailAddress,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && parseIp(text) !== undefined,
  ipv6: isStrictIpV6,
  cidr: (text) => parseIpRange(text) !== undefined,
  mac: isMac,
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: isRgbColor,
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  ...(ownRelease().has('formatsOfNames') && {
    k8sshortname: (text: string): boolean => text.length <= 63 && SHORT_NAME.test(text),
    k8slongname: (text: string): boolean =>
      text.length <= 253 && text.split('.').every((part) => SHORT_NAME.test(part)),
  }),
};

const HOSTNAME =
  '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|' +
  '([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}' +
  '([a-zA-Z\\p{L}]){2,63})$';
const HOSTNAME_BYTES_MAX = 255;
const LABEL_BYTES_MAX = 63;

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > HOSTNAME_BYTES_MAX) return false;
  if (text.split('.').some((label) => Buffer.byteLength(label) > LABEL_BYTES_MAX)) return false;
  return matchesPattern(HOSTNAME, text);
}

const IPV6_LENGTH_MAX = 45;

/** Other than for ipv4 and cidr, a group has four digits at most, a number no leading zeros. */
function isStrictIpV6(text: string): boolean {
  if (!text.includes(':') || text.length > IPV6_LENGTH_MAX) return false;
  if (/[0-9a-fA-F]{5}|[:.]0\d+\.|\.0\d/.test(text)) return false;
  return parseIp(text) !== undefined;
}

/** 6, 8 or 20 bytes, in pairs or, with dots, in fours. */
function isMac(text: string): boolean {
  const isPairs = /^[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})+$/.test(text);
  if (isPairs) return [17, 23, 59].includes(text.length);
  return /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) && [14, 19, 49].includes(text.length);
}

function withoutBlanks(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '');
}

function isIsbn10(text: string): boolean {
  const digits = withoutBlanks(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, at) => {
    return total + (at + 1) * (digit === 'X' ? 10 : Number(digit));
  }, 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutBlanks(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, at) => {
    return total + (at % 2 === 0 ? 1 : 3) * Number(digit);
  }, 0);
  return sum % 10 === 0;
}

const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, at) => {
      const size = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return total + (size > 9 ? size - 9 : size);
    }, 0);
  return sum % 10 === 0;
}

const COLOR = '[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*';
const RGB_COLOR = new RegExp(`^rgb\\(${COLOR},${COLOR},${COLOR}\\)$`);

function isRgbColor(text: string): boolean {
  return RGB_COLOR.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || month === undefined || Number(month) < 1 || Number(month) > 12) {
    return false;
  }
  // Years below 100 would be taken for those of a century.
  const leapYear = 2000 + (Number(year) % 400);
  const days = new Date(Date.UTC(leapYear, Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= days;
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour = '', minute = '', second = ''] = TIME.exec(time) ?? [];
  return hour !== '' && isDate(date) && hour <= '23' && minute <= '59' && second <= '59';
}

/** The units of durations that are written freely; of the last name, the beginning is enough. */
const UNITS = [
  ['ns', 'nano'],
  ['us', '\u00b5s', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
] as const;
const INT64_MAX = 2n ** 63n - 1n;
/** Longer numbers are none, and take long to read. */
const DIGITS_MAX = 1000;

/** As programs write it, `1h30m`, or a text in which some number has a unit: `2 days`. */
function isDuration(text: string): boolean {
  if (isPlainDuration(text)) return true;
  let isOne = false;
  for (const [, digits = '', word = ''] of text.matchAll(
    /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g,
  )) {
    if (digits.length > DIGITS_MAX || BigInt(digits) > INT64_MAX) return false;
    isOne ||= isUnit(word.toLowerCase());
  }
  return isOne;
}

function isPlainDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}

function isUnit(word: string): boolean {
  return UNITS.some((names: readonly string[]) => {
    return names.includes(word) || word.startsWith(names.at(-1) as string);
  });
}
