/** Loops over lists and maps (README.md#evaluation). */
import type { Budget } from './cost/budget.ts';
import type { Loop } from './expression.ts';
import {
  Failure,
  identity,
  isMap,
  ListValue,
  LITERAL,
  LiteralMap,
  NO_OVERLOAD,
  shownKey,
  typeName,
  type MapValue,
  type Value,
} from './values.ts';

/** The variables and the budget of an evaluation. */
export interface Scope {
  /** The values of all variables, by their places. */
  readonly values: Value[];
  readonly budget: Budget;
}

export type Program = (scope: Scope) => Value;

/** The parts of a loop, as programs. */
export interface LoopParts {
  readonly range: Program;
  readonly filter: Program | undefined;
  readonly body: Program;
  /** Where the values of its variables are. */
  readonly place: number;
  /** The cost of an item in a new list: nothing in one that is always the same. */
  readonly listCost: number;
  /** The operations for one item: several make a step. */
  readonly operations: number;
}

const OPERATION_STEPS = 0.25;

/** The condition before each item and the result of a loop cost something as well. */
export function loopProgram(
  { kind, second }: Loop,
  { range, filter, body, place, listCost, operations }: LoopParts,
): Program {
  const steps = operations * OPERATION_STEPS;
  return (scope) => {
    const values = range(scope);
    if (values instanceof Failure) return values;
    if (!(values instanceof ListValue) && !isMap(values)) {
      return new Failure(`got '${typeName(values)}', expected iterable type`);
    }
    const items = itemsOf(values, second !== undefined);
    const { budget } = scope;
    const each = (item: Value): void => {
      budget.spend(steps);
      scope.values[place] = item;
      if (second !== undefined) scope.values[place + 1] = secondOf(values, item);
    };
    if (kind === 'transformMap' || kind === 'transformMapEntry') {
      budget.count(1);
      return collectedMap(kind, items, each, filter, body, scope);
    }
    if (kind === 'map' || kind === 'filter' || kind === 'transformList') {
      budget.count(1);
      return collected(items, each, filter, body, scope, listCost);
    }
    if (kind === 'exists_one') {
      budget.count(2);
      return counted(items, each, body, scope);
    }
    const decides = kind === 'exists';
    const before = decides ? 3 : 2;
    budget.count(1);
    let result: Value = !decides;
    for (const item of items) {
      if (result === decides) {
        budget.count(before);
        return decides;
      }
      each(item);
      budget.count(before + 1);
      result = logical(decides, result, body, scope);
    }
    return result;
  };
}

/**
 * A logical operator; a side with the value `decides` settles the result, whatever the other one
 * is.
 */
export function logical(decides: boolean, left: Value, right: Program, scope: Scope): Value {
  if (left === decides) return decides;
  const other = right(scope);
  if (other === decides) return decides;
  if (typeof left === 'boolean' && typeof other === 'boolean') return !decides;
  if (left instanceof Failure) return left;
  return other instanceof Failure ? other : NO_OVERLOAD;
}

/** The values of the first variable: items, or places where there are two variables, or keys. */
function itemsOf(values: ListValue | MapValue, hasSecond: boolean): readonly Value[] {
  if (!(values instanceof ListValue)) return values.keys;
  return hasSecond ? values.items.map((_item, at) => BigInt(at)) : values.items;
}

function secondOf(values: ListValue | MapValue, first: Value): Value {
  if (values instanceof ListValue) return values.items[Number(first)] as Value;
  return values.find(first) ?? NO_OVERLOAD;
}

/** A map of the keys with other values, or of entries that the body makes. */
function collectedMap(
  kind: 'transformMap' | 'transformMapEntry',
  items: readonly Value[],
  each: (item: Value) => void,
  filter: Program | undefined,
  body: Program,
  scope: Scope,
): Value {
  const entries: (readonly [Value, Value])[] = [];
  const known = new Set<unknown>();
  for (const item of items) {
    each(item);
    const isIncluded = filter === undefined || filter(scope);
    if (isIncluded === false) continue;
    if (isIncluded !== true) return isIncluded instanceof Failure ? isIncluded : NO_OVERLOAD;
    each(item);
    scope.budget.count(kind === 'transformMap' ? 3 : 2);
    const value = body(scope);
    if (value instanceof Failure) return value;
    if (kind === 'transformMapEntry' && !isMap(value)) return NO_OVERLOAD;
    const made =
      kind === 'transformMapEntry' && isMap(value)
        ? value.keys.map((key) => [key, value.find(key) ?? NO_OVERLOAD] as const)
        : [[item, value] as const];
    for (const entry of made) {
      if (known.has(identity(entry[0]))) {
        return new Failure(`insert failed: key ${shownKey(entry[0])} already exists`);
      }
      known.add(identity(entry[0]));
      entries.push(entry);
    }
  }
  return new LiteralMap(entries);
}

/** The last failure of a condition counts, but the first one of an item, as in the reference. */
function collected(
  items: readonly Value[],
  each: (item: Value) => void,
  filter: Program | undefined,
  body: Program,
  scope: Scope,
  listCost: number,
): Value {
  const list: Value[] = [];
  let failure: Failure | undefined;
  for (const item of items) {
    each(item);
    const isIncluded = filter === undefined || filter(scope);
    if (isIncluded === false) continue;
    if (isIncluded !== true) {
      failure = isIncluded instanceof Failure ? isIncluded : NO_OVERLOAD;
      continue;
    }
    if (failure !== undefined) continue;
    each(item);
    scope.budget.count(listCost + 2);
    const value = body(scope);
    if (value instanceof Failure) failure = value;
    else list.push(value);
  }
  return failure ?? new ListValue(list, LITERAL);
}

function counted(
  items: readonly Value[],
  each: (item: Value) => void,
  body: Program,
  scope: Scope,
): Value {
  let count = 0;
  let failure: Failure | undefined;
  for (const item of items) {
    each(item);
    const holds = body(scope);
    if (holds === true) {
      scope.budget.count(2);
      count += 1;
    } else if (holds !== false) failure = holds instanceof Failure ? holds : NO_OVERLOAD;
  }
  return failure ?? count === 1;
}
