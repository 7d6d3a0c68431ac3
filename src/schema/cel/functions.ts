/** The functions that expressions call, and their cost. */
import type { Budget } from './cost/budget.ts';
import { BINARY, compare, converted, inverted, isIn, negated } from './operators.ts';
import { LIBRARY_FUNCTIONS } from './library/library-functions.ts';
import { characterCount, TEXT_FUNCTIONS, textSteps } from './strings.ts';
import { durationPart, timePart } from './times.ts';
import {
  areEqual,
  Bytes,
  Duration,
  Failure,
  isCallable,
  isMap,
  ListValue,
  NO_OVERLOAD,
  Timestamp,
  TypeName,
  typeName,
  Uint,
  type Value,
} from './values.ts';

/** The result of a function for values none of which is a failure. */
export function called(name: string, values: readonly Value[], budget: Budget): Value {
  const [one, other] = values as [Value, Value];
  const binary = Object.hasOwn(BINARY, name) ? BINARY[name] : undefined;
  if (binary !== undefined) {
    if (values.length > 1) budget.spend(sizeOf(one) + sizeOf(other));
    return binary(one, other);
  }
  switch (name) {
    case '!_':
      return inverted(one);
    case '-_':
      return negated(one);
    case '@in':
      if (other instanceof ListValue) budget.spend(other.size * (1 + sizeOf(one)));
      return isIn(one, other, (a, b) =>
        other instanceof ListValue && other.rules.kind !== 'literal'
          ? equal(b, a, budget)
          : equal(a, b, budget),
      );
    case 'size':
      return sized(one, budget);
    case 'type':
      return new TypeName(typeName(one));
    case 'dyn':
      return one;
    case 'bool':
    case 'bytes':
    case 'double':
    case 'duration':
    case 'int':
    case 'string':
    case 'timestamp':
    case 'uint':
      budget.spend(sizeOf(one));
      return converted(one, name);
    default: {
      const isOwn = values.length > 0 && isCallable(one) && name !== 'sign' && name !== 'includes';
      const own = !isOwn && Object.hasOwn(LIBRARY_FUNCTIONS, name);
      if (own) return LIBRARY_FUNCTIONS[name]?.(values, budget) ?? NO_OVERLOAD;
      return method(name, one, values.slice(1), budget);
    }
  }
}

/** The steps to copy or to read a value. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return textSteps(value);
  if (value instanceof ListValue) return value.size;
  return value instanceof Bytes ? value.data.length / 10 : 0;
}

function sized(value: Value, budget: Budget): Value {
  if (typeof value === 'string') {
    budget.spend(textSteps(value));
    return BigInt(characterCount(value));
  }
  if (value instanceof Bytes) return BigInt(value.data.length);
  if (value instanceof ListValue || isMap(value)) return BigInt(value.size);
  return new Failure('no such overload: size');
}

function method(name: string, target: Value, args: readonly Value[], budget: Budget): Value {
  if (target instanceof ListValue) return listMethod(name, target, args, budget);
  if (target instanceof Timestamp) {
    const [zone] = args;
    if (zone !== undefined && typeof zone !== 'string') return NO_OVERLOAD;
    return timePart(name, target, zone) ?? NO_OVERLOAD;
  }
  if (target instanceof Duration) return durationPart(name, target) ?? NO_OVERLOAD;
  if (isCallable(target)) return target.call(name, args) ?? NO_OVERLOAD;
  const onText = Object.hasOwn(TEXT_FUNCTIONS, name) ? TEXT_FUNCTIONS[name] : undefined;
  if (typeof target !== 'string') {
    const isOwnWord = ['contains', 'endsWith', 'matches', 'startsWith'].includes(name);
    if (onText !== undefined && !isOwnWord) return NO_OVERLOAD;
    return new Failure(`no such overload: ${name}`);
  }
  if (onText === undefined) return NO_OVERLOAD;
  const [part] = args;
  const searched = typeof part === 'string' ? (target.length * part.length) / 400 : 0;
  budget.spend(textSteps(target) + searched);
  return onText(target, args, budget);
}

function listMethod(name: string, list: ListValue, args: readonly Value[], budget: Budget): Value {
  budget.spend(list.size);
  const { items } = list;
  switch (name) {
    case 'indexOf':
    case 'lastIndexOf': {
      const isSame = (item: Value): boolean => equal(item, args[0] as Value, budget) === true;
      return BigInt(name === 'indexOf' ? items.findIndex(isSame) : items.findLastIndex(isSame));
    }
    case 'isSorted': {
      for (const [at, item] of items.entries()) {
        const order = at === 0 ? 0 : compare(items[at - 1] as Value, item, name);
        if (order instanceof Failure) return order;
        if (order > 0) return false;
      }
      return true;
    }
    case 'min':
    case 'max':
      return items.length === 0
        ? new Failure(`${name} called on empty list`)
        : items.reduce((best, item) => {
            if (best instanceof Failure) return best;
            const order = compare(best, item, name);
            if (order instanceof Failure) return order;
            return (name === 'min' ? order > 0 : order < 0) ? item : best;
          });
    case 'sum':
      return items.reduce<Value>((sum, item) => {
        return sum instanceof Failure ? sum : (BINARY['_+_']?.(sum, item) ?? NO_OVERLOAD);
      }, zeroLike(items[0]));
    default:
      return new Failure(`no such overload: ${name}`);
  }
}

function zeroLike(value: Value | undefined): Value {
  if (typeof value === 'number') return 0;
  if (value instanceof Uint) return new Uint(0n);
  return value instanceof Duration ? new Duration(0n) : 0n;
}

/** Whether two values are the same. Costs the steps to look at both. */
export function equal(one: Value, other: Value, budget: Budget): boolean | Failure {
  if (typeof one !== 'object' && typeof one !== 'string') return areEqual(one, other);
  budget.spend(Math.min(weight(one, budget), weight(other, budget)));
  return areEqual(one, other);
}

/** Members are found by their names, which takes longer. */
const MEMBER_STEPS = 8;

function weight(value: Value, budget: Budget): number {
  if (typeof value === 'string') return textSteps(value);
  if (value instanceof Bytes) return value.data.length / 10;
  if (value instanceof ListValue) {
    budget.spend(value.size);
    return value.items.reduce<number>((sum, item) => sum + weight(item, budget), 0);
  }
  if (!isMap(value)) return 1;
  budget.spend(value.size * MEMBER_STEPS);
  return value.keys.reduce<number>((sum, key) => {
    const member = value.find(key);
    return sum + (member === undefined ? 1 : weight(member, budget));
  }, 0);
}
