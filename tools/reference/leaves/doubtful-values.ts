/** The values that are put into every place of a document. */
import type { Shape } from './shapes.ts';

export interface DoubtfulValue {
  /** `null`, `too long`. */
  readonly name: string;
  /** JSON text, one character a byte, with what stands there now; undefined to leave it out. */
  readonly text: (now: unknown) => string | undefined;
}

const LONG = 'x'.repeat(254);
const plain = (...texts: readonly string[]): DoubtfulValue[] =>
  texts.map((text) => ({ name: text, text: () => text }));
const TOO_LONG: DoubtfulValue = { name: 'too long', text: () => `"${LONG}"` };
const NOT_UTF8: DoubtfulValue = { name: 'not UTF-8', text: () => '"a\xffb"' };
const ABSENT: DoubtfulValue = { name: 'absent', text: () => undefined };
/** Wrong for nearly everything, in one way or another. */
const EMPTIES = [ABSENT, ...plain('null', '{}', '[]')];
const TEXTS = [...plain('""', '"A_B"', '7'), TOO_LONG, NOT_UTF8];
const WHOLE_NUMBERS = plain('0', '-1', '1.5', '"1"', '9223372036854775808', 'true');
const TIMES = [...plain('""', '"A_B"', '7', '"2021-12-07"', '"2021-12-07T10:11:12Z"'), NOT_UTF8];

const OF_LEAVES: Readonly<Record<string, readonly DoubtfulValue[]>> = {
  string: TEXTS,
  bytes: [...TEXTS, ...plain('"/w=="')],
  bool: plain('false', '"true"', '0'),
  int32: [...WHOLE_NUMBERS, ...plain('2147483648')],
  int64: [...WHOLE_NUMBERS, ...plain('9223372036854775807')],
  double: plain('0', '-1', '1.5', '"1"', '1e400', 'true'),
  Time: TIMES,
  MicroTime: TIMES,
  Duration: plain('""', '"A_B"', '7', '"-1s"', '"0s"'),
  Quantity: plain('""', '"A_B"', '5', '"0"', '"-1"', '"100u"', '"1.5"', 'true'),
  IntOrString: [
    ...plain('""', '"A_B"', '0', '-1', '"150%"', '"-1%"', '1.5', '2147483648'),
    TOO_LONG,
  ],
  RawExtension: plain('""', '7', 'true', '[1]', '{"a":null}'),
  FieldsV1: plain('"A_B"', '7', '{"a":{}}', '{"f:spec":7}'),
};

const json = (value: unknown): string => JSON.stringify(value) ?? 'null';

const OF_LISTS: readonly DoubtfulValue[] = [
  ...plain('"A_B"', '[null]'),
  { name: 'an item twice', text: (now) => json([itemOf(now), itemOf(now)]) },
  { name: 'the item itself', text: (now) => json(itemOf(now)) },
];

const entry = (key: string) => (now: unknown) => `{${JSON.stringify(key)}:${json(valueOf(now))}}`;
const OF_MAPS: readonly DoubtfulValue[] = [
  ...plain('"A_B"'),
  { name: 'an empty key', text: entry('') },
  { name: 'the key A_B', text: entry('A_B') },
  { name: 'the key -a/b', text: entry('-a/b') },
  { name: 'a key that is too long', text: entry(LONG) },
  { name: 'null behind a key', text: () => '{"a":null}' },
];

/** Lists values for a place of the shape, each once. */
export function doubtfulValues(shape: Shape): readonly DoubtfulValue[] {
  if (shape.of === 'list') return [...EMPTIES, ...OF_LISTS];
  if (shape.of === 'map') return [...EMPTIES, ...OF_MAPS];
  if (shape.of === 'object') return [...EMPTIES, ...plain('"A_B"')];
  return [...EMPTIES, ...(OF_LEAVES[shape.type] ?? [])];
}

function itemOf(now: unknown): unknown {
  return Array.isArray(now) ? now[0] : undefined;
}

function valueOf(now: unknown): unknown {
  const isObject = typeof now === 'object' && now !== null && !Array.isArray(now);
  return isObject ? Object.values(now)[0] : undefined;
}
