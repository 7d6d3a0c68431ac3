/** Functions of lists: of their order, their parts, and as sets. */
import type { Budget } from '../cost/budget.ts';
import { compare } from '../operators.ts';
import {
  areEqual,
  Failure,
  ListValue,
  LITERAL,
  NONE,
  OptionalValue,
  typeName,
  type Value,
} from '../values.ts';

const RANGE_MAX = 1_000_000;

export function listOf(items: readonly Value[]): ListValue {
  return new ListValue(items, LITERAL);
}

function hasItem({ items }: ListValue, item: Value): boolean {
  return items.some((one) => areEqual(one, item) === true);
}

/** Whether a list has all items of another one. */
export function containsAll(list: ListValue, others: ListValue, budget: Budget): boolean {
  budget.spend(list.size * others.size);
  return others.items.every((item) => hasItem(list, item));
}

export function intersects(list: ListValue, others: ListValue, budget: Budget): boolean {
  budget.spend(list.size * others.size);
  return others.items.some((item) => hasItem(list, item));
}

export function distinct({ items }: ListValue, budget: Budget): ListValue {
  budget.spend(items.length ** 2 / 2);
  const kept: Value[] = [];
  for (const item of items) {
    if (!kept.some((one) => areEqual(item, one) === true)) kept.push(item);
  }
  return listOf(kept);
}

/** The items in the order of their keys. */
export function sortedBy(list: ListValue, { items: keys }: ListValue, budget: Budget): Value {
  budget.spend(list.size * Math.ceil(Math.log2(list.size + 1)));
  if (keys.length !== list.size) {
    return new Failure(
      '@sortByAssociatedKeys() expected a list of the same size as the associated keys list, ' +
        `but got ${list.size} and ${keys.length} elements respectively`,
    );
  }
  const type = keys[0] === undefined ? '' : typeName(keys[0]);
  if (keys.some((key) => typeName(key) !== type)) {
    return new Failure('list elements must have the same type');
  }
  let failure: Failure | undefined;
  const places = keys.map((_key, at) => at);
  places.sort((a, b) => {
    const order = compare(keys[a] as Value, keys[b] as Value, 'sort');
    if (typeof order === 'number') return order;
    failure ??= new Failure('list elements must be comparable');
    return 0;
  });
  return failure ?? listOf(places.map((at) => list.items[at] as Value));
}

export function sliced({ items }: ListValue, from: bigint, to: bigint): Value {
  const call = `cannot slice(${from}, ${to})`;
  if (from < 0n || to < 0n) return new Failure(`${call}, negative indexes not supported`);
  if (from > to) {
    return new Failure(`${call}, start index must be less than or equal to end index`);
  }
  if (to > items.length) return new Failure(`${call}, list is length ${items.length}`);
  return listOf(items.slice(Number(from), Number(to)));
}

export function flattened(list: ListValue, depth: bigint, budget: Budget): Value {
  if (depth < 0n) return new Failure('level must be non-negative');
  return listOf(flatItems(list, depth, budget));
}

function flatItems({ items }: ListValue, depth: bigint, budget: Budget): Value[] {
  budget.spend(items.length);
  return items.flatMap((item) =>
    item instanceof ListValue && depth > 0n ? flatItems(item, depth - 1n, budget) : [item],
  );
}

export function range(size: bigint, budget: Budget): Value {
  if (size < 0n) return new Failure(`lists.range: size must be non-negative, got ${size}`);
  if (size > RANGE_MAX) {
    return new Failure(`lists.range: size ${size} exceeds maximum allowed (${RANGE_MAX})`);
  }
  budget.spend(Number(size));
  return listOf(Array.from({ length: Number(size) }, (_, at) => BigInt(at)));
}

export function itemAt({ items }: ListValue, at: number): Value {
  const item = items.at(at);
  return item === undefined ? NONE : new OptionalValue(item);
}

/** The values of those that are there. */
export function unwrapped({ items }: ListValue): Value {
  return listOf(
    items.flatMap((item) => {
      if (!(item instanceof OptionalValue)) return [item];
      return item.value === undefined ? [] : [item.value];
    }),
  );
}
