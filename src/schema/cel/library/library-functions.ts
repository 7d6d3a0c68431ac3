/** The functions of the parts of the library, by the names that they are called by. */
import type { Budget } from '../cost/budget.ts';
import { isIpAddress, textSteps } from '../strings.ts';
import {
  areEqual,
  Bytes,
  Duration,
  Failure,
  isMap,
  ListValue,
  NONE,
  OptionalValue,
  Uint,
  type Value,
} from '../values.ts';
import { addressOf, isCanonical, rangeOf } from './addresses.ts';
import { formattedText, quotedText } from './formatted-text.ts';
import {
  containsAll,
  distinct,
  flattened,
  intersects,
  itemAt,
  listOf,
  range,
  sliced,
  sortedBy,
  unwrapped,
} from './list-functions.ts';
import { FORMAT_NAMES, namedFormat } from './named-formats.ts';
import { quantityOf, signOf } from './quantities.ts';
import { urlOf } from './urls.ts';
import { isVersion, versionOf } from './versions.ts';

/** Undefined for arguments that it does not take. */
type LibraryFunction = (args: readonly Value[], budget: Budget) => Value | undefined;

function ofText(run: (text: string) => Value): LibraryFunction {
  return ([text], budget) => {
    if (typeof text !== 'string') return undefined;
    budget.spend(textSteps(text));
    return run(text);
  };
}

function ofVersion(run: (text: string, isLoose: boolean) => Value): LibraryFunction {
  return ([text, isLoose = false], budget) => {
    if (typeof text !== 'string' || typeof isLoose !== 'boolean') return undefined;
    budget.spend(textSteps(text));
    return run(text, isLoose);
  };
}

function ofList(run: (list: ListValue, budget: Budget) => Value): LibraryFunction {
  return ([list], budget) => {
    if (!(list instanceof ListValue)) return undefined;
    budget.spend(list.size);
    return run(list, budget);
  };
}

function ofLists(
  run: (one: ListValue, other: ListValue, budget: Budget) => Value,
): LibraryFunction {
  return ([one, other], budget) => {
    const areLists = one instanceof ListValue && other instanceof ListValue;
    return areLists ? run(one, other, budget) : undefined;
  };
}

/** Escapes a key for the path of a JSON patch. */
function escapedKey(key: string): string {
  return key.replaceAll(/[/~]/g, (mark) => (mark === '/' ? '~1' : '~0'));
}

const isThere = (value: Value): boolean => !(value instanceof Failure);

export const LIBRARY_FUNCTIONS: Readonly<Record<string, LibraryFunction>> = {
  url: ofText(urlOf),
  isURL: ofText((text) => isThere(urlOf(text))),
  ip: ofText(addressOf),
  isIP: ofText(isIpAddress),
  'ip.isCanonical': ofText(isCanonical),
  cidr: ofText(rangeOf),
  isCIDR: ofText((text) => isThere(rangeOf(text))),
  quantity: ofText(quantityOf),
  isQuantity: ofText((text) => isThere(quantityOf(text))),
  sign: ([value]) => value && signOf(value),
  'jsonpatch.escapeKey': ofText(escapedKey),
  semver: ofVersion(versionOf),
  isSemver: ofVersion(isVersion),
  ...Object.fromEntries(
    FORMAT_NAMES.map((name): [string, LibraryFunction] => [
      `format.${name}`,
      () => namedFormat(name),
    ]),
  ),
  'format.named': ofText((name) => new OptionalValue(namedFormat(name))),
  'optional.of': ([value]) => (value !== undefined ? new OptionalValue(value) : undefined),
  'optional.ofNonZeroValue': ([value]) =>
    value === undefined || isZero(value) ? NONE : new OptionalValue(value),
  'optional.none': () => NONE,
  'optional.unwrap': ofList(unwrapped),
  unwrapOpt: ofList(unwrapped),
  first: ofList((list) => itemAt(list, 0)),
  last: ofList((list) => itemAt(list, -1)),
  format: ([text, list], budget) => {
    if (typeof text !== 'string' || !(list instanceof ListValue)) return undefined;
    budget.spend(textSteps(text) + list.size);
    const made = formattedText(text, list);
    if (typeof made === 'string') budget.spend(textSteps(made));
    return made;
  },
  'strings.quote': ofText(quotedText),
  join: ([list, separator = ''], budget) => {
    if (!(list instanceof ListValue) || typeof separator !== 'string') return undefined;
    const { items } = list;
    if (!items.every((item) => typeof item === 'string')) return undefined;
    const text = items.join(separator);
    budget.spend(textSteps(text));
    return text;
  },
  'sets.contains': ofLists(containsAll),
  'sets.equivalent': ofLists(
    (one, other, budget) => containsAll(one, other, budget) && containsAll(other, one, budget),
  ),
  'sets.intersects': ofLists(intersects),
  slice: ([list, from, to], budget) => {
    const areInts = typeof from === 'bigint' && typeof to === 'bigint';
    if (!(list instanceof ListValue) || !areInts) return undefined;
    budget.spend(list.size);
    return sliced(list, from, to);
  },
  flatten: ([list, depth = 1n], budget) =>
    list instanceof ListValue && typeof depth === 'bigint'
      ? flattened(list, depth, budget)
      : undefined,
  sort: ofList((list, budget) => sortedBy(list, list, budget)),
  '@sortByAssociatedKeys': ofLists(sortedBy),
  'lists.range': ([size], budget) => (typeof size === 'bigint' ? range(size, budget) : undefined),
  reverse: ofList(({ items }) => listOf(items.toReversed())),
  distinct: ofList(distinct),
  includes: ([value, item = null], budget) => {
    if (!(value instanceof ListValue)) return value && areEqual(value, item) === true;
    budget.spend(value.size);
    return value.items.some((one) => areEqual(one, item) === true);
  },
};

function isZero(value: Value): boolean {
  if (value instanceof ListValue || isMap(value)) return value.size === 0;
  if (value instanceof Bytes) return value.data.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  return value === null || value === false || value === '' || value === 0 || value === 0n;
}
