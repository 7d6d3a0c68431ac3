/** Counts the costs of calls as they are evaluated (README.md#evaluation). */
import {
  Bytes,
  isCallable,
  isMap,
  ListValue,
  OptionalValue,
  type CallableValue,
  type Value,
} from '../values.ts';
import { selectorCost } from './call-estimates.ts';
import { ACCESS_COST, CHARACTER_COST, LIST_COST, PATTERN_COST } from './unit-costs.ts';

/** Gives the cost of a call from the values that it is given and the one that it gives. */
export type CallCost = (values: readonly Value[], result: Value) => number;

/** A number for a call that costs the same always. */
export function callCostOf(name: string): CallCost | number {
  if (FREE.has(name)) return 0;
  return (Object.hasOwn(COSTS, name) ? COSTS[name] : undefined) ?? 1;
}

/** These decide by presence alone, without a call. */
const FREE: ReadonlySet<string> = new Set(['or', 'orValue']);

/** The parts of a value, as expressions count them; texts in units of 16 bits. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof ListValue) return value.size;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof OptionalValue) return value.value === undefined ? 1 : sizeOf(value.value);
  if (isCallable(value)) return value.size ?? 1;
  return isMap(value) ? value.size : 1;
}

/** The cost of a comparison of two values. */
export function comparingCost(one: Value, other: Value): number {
  return share(Math.min(sizeOf(one), sizeOf(other)), CHARACTER_COST);
}

/** Values of the library are compared at once. */
export function equalityCost(one: Value, other: Value): number {
  const isOfLibrary = isCallable(one) && !(one instanceof OptionalValue);
  return isOfLibrary ? 1 : comparingCost(one, other);
}

function share(size: number, factor: number): number {
  return Math.ceil(size * factor);
}

const isText = (value: Value | undefined): boolean =>
  typeof value === 'string' || value instanceof Bytes;

function reading(at: number, factor = CHARACTER_COST): CallCost {
  return (values) => share(sizeOf(values[at] as Value), factor);
}

/** The cost of a match of a pattern with a text: neither is ever free. */
function matching([text, pattern]: readonly Value[]): number {
  const texts = share(1 + sizeOf(text as Value), CHARACTER_COST);
  return texts * share(sizeOf(pattern as Value), PATTERN_COST);
}

function ordering([one, other]: readonly Value[]): number {
  return isText(one) ? comparingCost(one as Value, other as Value) : 1;
}

/** The cost of a walk through all of a value. */
function traversing(value: Value): number {
  if (typeof value === 'string') return Math.floor(value.length * CHARACTER_COST);
  if (value instanceof Bytes) return Math.floor(value.data.length * CHARACTER_COST);
  if (value instanceof ListValue) {
    return value.items.reduce<number>((sum, item) => sum + traversing(item), 0);
  }
  if (!isMap(value)) return 1;
  return value.keys.reduce<number>(
    (sum, key) => sum + traversing(key) + traversing(value.find(key) ?? null),
    0,
  );
}

const traversingFirst: CallCost = ([value]) => traversing(value as Value);

/** The cost of a new list. */
function making(size: number, factor = 1): number {
  return Math.floor(size * factor) + LIST_COST + 1;
}

const makingResult: CallCost = (_values, result) => making(sizeOf(result));

/** The cost of comparing each item with each other. */
function comparingAll(list: Value | undefined): number {
  const size = list instanceof ListValue ? list.size : 0;
  const isOfTexts = list instanceof ListValue && isText(list.items[0]);
  return making(size * size, isOfTexts ? 2 + CHARACTER_COST : 2);
}

function comparingSets(factor: number): CallCost {
  return ([one, other]) => 1 + sizeOf(one as Value) * sizeOf(other as Value) * factor;
}

/** The cost of a search in a range: a text is read first. */
function searchingRange(values: readonly Value[]): number {
  const [range, other] = values as [Value, Value];
  const read = typeof other === 'string' ? share(sizeOf(other), CHARACTER_COST) : 0;
  return share(2 * sizeOf(range), CHARACTER_COST) + read;
}

const readingFirst = reading(0);
const readingTwice = reading(0, 2 * CHARACTER_COST);
const selecting: CallCost = ([, selector]) => selectorCost(sizeOf(selector as Value));
const converting: CallCost = ([value], result) =>
  isText(value) && typeof value !== typeof result
    ? share(sizeOf(value as Value), CHARACTER_COST)
    : 1;

const COSTS: Readonly<Record<string, CallCost | number>> = {
  '_==_': ([one, other]) => equalityCost(one as Value, other as Value),
  '_!=_': ([one, other]) => comparingCost(one as Value, other as Value),
  '_<_': ordering,
  '_<=_': ordering,
  '_>_': ordering,
  '_>=_': ordering,
  '_+_': ([one, other]) =>
    isText(one) ? share(sizeOf(one as Value) + sizeOf(other as Value), CHARACTER_COST) : 1,
  '@in': ([, list]) => (list instanceof ListValue ? list.size : 1),
  startsWith: reading(1),
  endsWith: reading(1),
  bytes: converting,
  string: converting,
  format: readingFirst,
  'strings.quote': readingFirst,
  matches: matching,
  find: matching,
  findAll: matching,
  contains: ([text, part]) =>
    share(sizeOf(text as Value), CHARACTER_COST) * share(sizeOf(part as Value), CHARACTER_COST),
  lowerAscii: readingFirst,
  upperAscii: readingFirst,
  substring: readingFirst,
  trim: readingFirst,
  replace: readingTwice,
  split: readingTwice,
  join: (_values, result) => share(sizeOf(result), 2 * CHARACTER_COST),
  isSorted: traversingFirst,
  sum: traversingFirst,
  min: traversingFirst,
  max: traversingFirst,
  indexOf: traversingFirst,
  lastIndexOf: traversingFirst,
  includes: traversingFirst,
  slice: makingResult,
  'lists.range': makingResult,
  reverse: makingResult,
  flatten: ([list, depth = 1n]) => making(sizeOf(list as Value), Math.max(Number(depth), 1)),
  distinct: ([list]) => comparingAll(list),
  sort: ([list]) => comparingAll(list),
  '@sortByAssociatedKeys': ([, keys]) => comparingAll(keys),
  'sets.contains': comparingSets(1),
  'sets.intersects': comparingSets(1),
  'sets.equivalent': comparingSets(2),
  check: ACCESS_COST,
  fieldSelector: selecting,
  labelSelector: selecting,
  url: readingFirst,
  isIP: readingFirst,
  cidr: readingFirst,
  isCIDR: readingFirst,
  quantity: readingFirst,
  isQuantity: readingFirst,
  semver: readingFirst,
  isSemver: readingFirst,
  ip: ([of]) => (typeof of === 'string' ? share(of.length, CHARACTER_COST) : 1),
  'ip.isCanonical': readingTwice,
  containsIP: searchingRange,
  containsCIDR: (values) =>
    searchingRange(values) + share(sizeOf(values[0] as Value), CHARACTER_COST) + 1,
  validate: ([format, text]) => {
    const texts = share(1 + sizeOf(text as Value), CHARACTER_COST);
    const pattern = isCallable(format as Value) ? (format as CallableValue).patternSize : 1;
    return texts * share(pattern ?? 1, PATTERN_COST);
  },
};
