/**
 * Time and MicroTime as JSON text (../README.md#times): read as the reference does, written in UTC.
 */

const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICROS_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const ZERO = '0001-01-01T00:00:00';

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Converts RFC 3339 with any offset, and with or without a fraction, to UTC with whole seconds; ''
 * for the zero time. Throws an Error with the reference's text when it is not such a time.
 */
export function canonicalTime(text: string): string {
  return canonical(text, SECONDS_LAYOUT);
}

/**
 * Converts RFC 3339 with exactly six fraction digits to UTC with six. Throws as `canonicalTime`
 * does.
 */
export function canonicalMicroTime(text: string): string {
  return canonical(text, MICROS_LAYOUT);
}

function canonical(text: string, layout: string): string {
  const micros = layout === MICROS_LAYOUT;
  const reader = new TimeReader(text, layout);
  const year = reader.digits(4, '2006');
  reader.literal('-');
  const month = reader.digits(2, '01');
  if (month < 1 || month > 12) throw reader.outOfRange('month');
  reader.literal('-');
  const day = reader.digits(2, '02');
  reader.literal('T');
  const hour = reader.digits(2, '15');
  if (hour > 23) throw reader.outOfRange('hour');
  reader.literal(':');
  const minute = reader.digits(2, '04');
  if (minute > 59) throw reader.outOfRange('minute');
  reader.literal(':');
  const second = reader.digits(2, '05');
  if (second > 59) throw reader.outOfRange('second');
  const fraction = reader.fraction(micros);
  const offsetMinutes = reader.offset();
  reader.end();
  if (day < 1 || day > daysIn(year, month)) throw reader.outOfRange('day');
  const local = text.slice(0, ZERO.length);
  const utc = offsetMinutes === 0 ? local : shifted(local, offsetMinutes, reader);
  if (utc === ZERO && !/[1-9]/.test(micros ? fraction : '')) return '';
  return `${utc}${micros ? fraction : ''}Z`;
}

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (DAYS_IN_MONTH[month - 1] ?? 0) + (leap ? 1 : 0);
}

function shifted(local: string, offsetMinutes: number, reader: TimeReader): string {
  const moved = new Date(Date.parse(`${local}Z`) - offsetMinutes * 60_000).toISOString();
  // Years that need more than four digits have a sign in front.
  if (!/^\d/.test(moved)) throw reader.outOfRange('year');
  return moved.slice(0, ZERO.length);
}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #at = 0;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
  }

  digits(count: number, element: string): number {
    let value = 0;
    for (let index = this.#at; index < this.#at + count; index += 1) {
      if (!this.#isDigit(index)) throw this.#mismatch(element);
      value = value * 10 + this.#text.charCodeAt(index) - 48;
    }
    this.#at += count;
    return value;
  }

  literal(expected: string): void {
    if (this.#text[this.#at] !== expected) throw this.#mismatch(expected);
    this.#at += 1;
  }

  /** The fraction with its point, '' without one. Six digits when the layout has a fraction. */
  fraction(exactlySix: boolean): string {
    const start = this.#at;
    let end = start + 1;
    if (this.#text[start] === '.') while (this.#isDigit(end)) end += 1;
    if (exactlySix) {
      if (end < start + 7) throw this.#mismatch('.000000');
      end = start + 7;
    } else if (end === start + 1) return '';
    this.#at = end;
    return this.#text.slice(start, end);
  }

  /** Minutes east of UTC. */
  offset(): number {
    const sign = this.#text[this.#at];
    if (sign === 'Z') {
      this.#at += 1;
      return 0;
    }
    const match = /^[+-](\d\d):(\d\d)/.exec(this.#text.slice(this.#at, this.#at + 6));
    if (match === null) throw this.#mismatch('Z07:00');
    this.#at += 6;
    const hours = Number(match[1]);
    const minutes = Number(match[2]);
    if (hours > 24) throw this.outOfRange('time zone offset hour');
    if (minutes > 60) throw this.outOfRange('time zone offset minute');
    return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
  }

  end(): void {
    if (this.#at === this.#text.length) return;
    const extra = JSON.stringify(this.#text.slice(this.#at));
    throw new Error(`parsing time ${JSON.stringify(this.#text)}: extra text: ${extra}`);
  }

  outOfRange(what: string): Error {
    return new Error(`parsing time ${JSON.stringify(this.#text)}: ${what} out of range`);
  }

  #isDigit(index: number): boolean {
    const code = this.#text.charCodeAt(index);
    return code >= 48 && code <= 57;
  }

  #mismatch(element: string): Error {
    const rest = JSON.stringify(this.#text.slice(this.#at));
    const text = JSON.stringify(this.#text);
    return new Error(
      `parsing time ${text} as "${this.#layout}": cannot parse ${rest} as "${element}"`,
    );
  }
}
