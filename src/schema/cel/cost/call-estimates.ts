/** Estimates what calls cost at most, and how large their results are (README.md#estimates). */
import { ownRelease } from '../../../release/release.ts';
import type { Overload } from '../signatures.ts';
import type { Type } from '../types.ts';
import type { Literal } from '../values.ts';
import { exactly, MOST, plus, product, share, sum, times, union, type Range } from './ranges.ts';
import {
  ACCESS_COST,
  CHARACTER_COST,
  FORMAT_CHARACTERS_MAX,
  FORMAT_PATTERN_CHARACTERS_MAX,
  LIST_COST,
  MESSAGE_COST,
  PATTERN_COST,
} from './unit-costs.ts';

/** The target or an argument of a call. */
export interface Part {
  readonly type: Type;
  /** Undefined for anything but a literal. */
  readonly literal: Literal | undefined;
  /** Whether its size is known. */
  readonly isSized: boolean;
  readonly size: Range;
  /** The size of its items; undefined for no list. */
  readonly items: Range | undefined;
}

export interface CallEstimate {
  readonly cost: number;
  /** Undefined where nothing tells it. */
  readonly size: Range | undefined;
}

const KNOWS_EQUALITY = ownRelease().has('costsOfLibraryEquality');
const KNOWS_VERSIONS = ownRelease().has('costsOfVersions');
const KNOWS_FUNCTIONS = ownRelease().has('costsOfLibraryFunctions');

/** Without the costs of the arguments. */
export function estimateCall(
  name: string,
  overload: Overload,
  target: Part | undefined,
  args: readonly Part[],
): CallEstimate {
  const estimate =
    ofText(name, target, args) ?? ofLists(name, target, args) ?? ofLibrary(name, target, args);
  return estimate ?? ofOperators(name, overload, args) ?? { cost: 1, size: undefined };
}

function costs(cost: number, size?: Range): CallEstimate {
  return { cost, size };
}

function reading({ size }: Part, factor = CHARACTER_COST): number {
  return share(size.max, factor);
}

/** The cost of a match of a pattern with a text: neither is ever free. */
function matching(text: Part, pattern: Part): number {
  return times(share(plus(text.size.max, 1), CHARACTER_COST), reading(pattern, PATTERN_COST));
}

function ofText(
  name: string,
  target: Part | undefined,
  args: readonly Part[],
): CallEstimate | undefined {
  const [first, second] = args;
  switch (name) {
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target && costs(reading(target), target.size);
    case 'replace':
      return (
        target &&
        first &&
        second &&
        costs(reading(target, 2 * CHARACTER_COST), replaced(target, first, second))
      );
    case 'split': {
      if (target === undefined) return undefined;
      const most = typeof second?.literal === 'bigint' ? limit(second.literal) : target.size.max;
      return costs(reading(target, 2 * CHARACTER_COST), { min: 0, max: most });
    }
    case 'join':
      return target && joined(target, first);
    case 'find':
    case 'findAll':
      return target && first && costs(matching(target, first), { min: 0, max: target.size.max });
    case 'matches':
      if (target && first) return costs(matching(target, first));
      return first && second && costs(matching(first, second));
    case 'contains':
      return target && first && costs(times(reading(target), reading(first)));
    case 'startsWith':
    case 'endsWith':
      return first && costs(reading(first));
    case 'format':
      return target && costs(reading(target));
    case 'strings.quote': {
      if (first === undefined) return undefined;
      const { min, max } = first.size;
      return costs(reading(first), { min: min + 2, max: plus(times(max, 2), 2) });
    }
    default:
      return undefined;
  }
}

/** A negative number is the largest one there. */
function limit(value: bigint): number {
  return value < 0n ? MOST : Number(value);
}

/** The shortest and the longest text that a replacement can make. */
function replaced({ size }: Part, from: Part, to: Part): Range {
  return {
    min: replacedEnd(size.min, from.size.max, to.size.min, (part, other) => part <= other),
    max: replacedEnd(size.max, from.size.min, to.size.max, (part, other) => part >= other),
  };
}

function replacedEnd(
  size: number,
  from: number,
  to: number,
  keeps: (from: number, to: number) => boolean,
): number {
  // Nothing is found around each character.
  if (from === 0) return plus(times(plus(size, 1), to), size);
  return keeps(from, to) ? size : times(Math.ceil(size / from), to);
}

function joined(list: Part, separator: Part | undefined): CallEstimate {
  let size = list.items === undefined ? exactly(0) : product(list.size, list.items);
  if (separator !== undefined) {
    const { min, max } = list.size;
    const between = { min: Math.max(min - 1, 0), max: Math.max(max - 1, 0) };
    size = sum(size, product(separator.size, between));
  }
  return costs(share(size.max, CHARACTER_COST), size);
}

function ofLists(
  name: string,
  target: Part | undefined,
  args: readonly Part[],
): CallEstimate | undefined {
  const [first, second] = args;
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'min':
    case 'max':
    case 'indexOf':
    case 'lastIndexOf':
    case 'includes':
      return target && costs(searching(name, target));
    case 'sets.contains':
    case 'sets.intersects':
    case 'sets.equivalent': {
      const factor = name === 'sets.equivalent' ? 2 : 1;
      if (first === undefined || second === undefined) return undefined;
      return costs(plus(share(times(first.size.max, second.size.max), factor), 1));
    }
    case 'slice': {
      if (target === undefined || first === undefined || second === undefined) return undefined;
      const from = wholeNumber(first, 0);
      const to = wholeNumber(second, target.size.max);
      return making(exactly(to < from ? MOST : to - from), 1);
    }
    case 'lists.range':
      return first && making(exactly(wholeNumber(first, MOST)), 1);
    case 'reverse':
      return target?.type.kind === 'list' ? making(target.size, 1) : undefined;
    case 'flatten':
      return target && making(target.size, first === undefined ? 1 : wholeNumber(first, MOST));
    case 'distinct':
      return target && making(product(target.size, target.size), 2);
    case 'sort':
      return target && sorting(target);
    case '@sortByAssociatedKeys':
      return first && sorting(first);
    default:
      return undefined;
  }
}

function searching(name: string, { type, size, items }: Part): number {
  if (items !== undefined && type.kind === 'list') {
    const isText = type.item.kind === 'string' || type.item.kind === 'bytes';
    return times(size.max, isText ? plus(1, share(items.max, CHARACTER_COST)) : 1);
  }
  return name === 'includes' ? size.max : share(size.max, CHARACTER_COST);
}

/** The cost of a new list. */
function making(size: Range, factor: number): CallEstimate {
  return costs(plus(share(size.max, factor), LIST_COST + 1), size);
}

function sorting({ type, size }: Part): CallEstimate {
  const isText =
    type.kind === 'list' && (type.item.kind === 'string' || type.item.kind === 'bytes');
  return making(product(size, size), isText ? 2 + CHARACTER_COST : 2);
}

/** The number that a literal is. */
function wholeNumber({ literal }: Part, otherwise: number): number {
  if (typeof literal !== 'bigint') return otherwise;
  return literal < 0n ? 0 : Number(literal);
}

function ofLibrary(
  name: string,
  target: Part | undefined,
  args: readonly Part[],
): CallEstimate | undefined {
  const [first] = args;
  switch (name) {
    case 'check':
      return costs(ACCESS_COST);
    case 'fieldSelector':
    case 'labelSelector':
      return first && costs(selectorCost(first.size.max));
    case 'url':
      return first && costs(reading(first), KNOWS_EQUALITY ? first.size : undefined);
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
      return KNOWS_FUNCTIONS && first ? costs(reading(first)) : undefined;
    case 'semver':
    case 'isSemver':
      return KNOWS_VERSIONS && first ? costs(reading(first)) : undefined;
    case 'ip':
      return KNOWS_FUNCTIONS && first && !target ? costs(reading(first)) : undefined;
    case 'ip.isCanonical':
      return KNOWS_FUNCTIONS && first ? costs(reading(first, 2 * CHARACTER_COST)) : undefined;
    case 'containsIP':
      return first && costs(plus(share(32, CHARACTER_COST), readingAddress(first)));
    case 'containsCIDR': {
      const comparing = share(32, CHARACTER_COST) + share(16, CHARACTER_COST) + 1;
      return first && costs(plus(comparing, readingAddress(first)));
    }
    case 'validate': {
      const pattern = FORMAT_PATTERN_CHARACTERS_MAX * PATTERN_COST;
      return first && costs(share(reading(first), pattern));
    }
    default:
      return undefined;
  }
}

/** Addresses and ranges are read where they are texts. */
function readingAddress(part: Part): number {
  return part.type.kind === 'string' || part.type.kind === 'dyn' ? reading(part) : 0;
}

/** The cost of a selector: a list of requirements, each of two characters at least. */
export function selectorCost(characters: number): number {
  const requirements = share(share(characters, 0.5), LIST_COST + MESSAGE_COST);
  return plus(LIST_COST, plus(share(characters, CHARACTER_COST), requirements));
}

function ofOperators(
  name: string,
  { parameters }: Overload,
  args: readonly Part[],
): CallEstimate | undefined {
  const [first, second] = args;
  const of = parameters[0]?.kind;
  const isText = of === 'string' || of === 'bytes';
  if (first === undefined) return undefined;
  switch (name) {
    case 'bytes': {
      const { min, max } = first.size;
      return of === 'string' ? costs(reading(first), { min, max: times(max, 4) }) : undefined;
    }
    case 'string': {
      const { min, max } = first.size;
      return of === 'bytes' ? costs(reading(first), { min: Math.floor(min / 4), max }) : undefined;
    }
    case '@in':
      return second && parameters[1]?.kind === 'list' ? costs(second.size.max) : undefined;
    case '_+_': {
      if (second === undefined || (of !== 'list' && !isText)) return undefined;
      const size = sum(first.size, second.size);
      return costs(of === 'list' ? 1 : share(size.max, CHARACTER_COST), size);
    }
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return isText && second ? costs(comparing(first, second)) : undefined;
    case '_==_':
      return second && costs(KNOWS_EQUALITY ? equality(first, second) : comparing(first, second));
    case '_!=_':
      return second && costs(comparing(first, second));
    default:
      return undefined;
  }
}

function comparing(one: Part, other: Part): number {
  return share(Math.min(one.size.max, other.size.max), CHARACTER_COST);
}

const EQUAL_AT_ONCE: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

function equality(one: Part, other: Part): number {
  const name = one.type.kind === 'object' ? one.type.name : '';
  if (other.type.kind !== 'object' || other.type.name !== name) return comparing(one, other);
  if (EQUAL_AT_ONCE.has(name)) return 1;
  if (name === 'kubernetes.NamedFormat') return share(FORMAT_CHARACTERS_MAX, CHARACTER_COST);
  if (name !== 'kubernetes.URL') return comparing(one, other);
  // Only the size of the other one is asked for there.
  return share(other.isSized ? union(other.size, exactly(1)).max : 1, CHARACTER_COST);
}
