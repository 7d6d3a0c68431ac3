/** Evaluates expressions whose types were checked (README.md#evaluation). */
import type { Budget } from './budget.ts';
import { isTypeName } from './check.ts';
import type { Expression, Loop } from './expression.ts';
import { called, equal } from './functions.ts';
import { isIn } from './operators.ts';
import { qualifiedName } from './parse.ts';
import {
  areEqual,
  Failure,
  isMap,
  ListValue,
  LITERAL,
  LiteralMap,
  NO_OVERLOAD,
  shownKey,
  TypeName,
  typeName,
  Uint,
  type Value,
} from './values.ts';

/** The variables and the budget of an evaluation. */
export interface Scope {
  /** The values of all variables, by their places. */
  readonly values: Value[];
  readonly budget: Budget;
}

export type Program = (scope: Scope) => Value;

/** `variables` are the names of the values that the scope begins with. */
export function compileProgram(expression: Expression, variables: readonly string[]): Program {
  const run = build(expression, variables);
  return (scope) => run(scope);
}

function build(expression: Expression, variables: readonly string[]): Program {
  const program = programOf(expression, variables);
  return (scope) => {
    scope.budget.spend(1);
    return program(scope);
  };
}

function programOf(expression: Expression, variables: readonly string[]): Program {
  switch (expression.op) {
    case 'literal': {
      const { value } = expression;
      return () => value;
    }
    case 'name':
      return nameProgram(expression.name, variables);
    case 'select':
      return selectProgram(expression, variables);
    case 'call':
      return callProgram(expression, variables);
    case 'list': {
      const items = expression.items.map((item) => build(item, variables));
      return (scope) => {
        const values = evaluated(items, scope);
        return values instanceof Failure ? values : new ListValue(values, LITERAL);
      };
    }
    case 'map': {
      const parts = expression.entries.flatMap(({ key, value }) => [
        build(key, variables),
        build(value, variables),
      ]);
      return (scope) => {
        const values = evaluated(parts, scope);
        if (values instanceof Failure) return values;
        const entries = expression.entries.map((_entry, at) => {
          return [values[2 * at] as Value, values[2 * at + 1] as Value] as const;
        });
        return new LiteralMap(entries);
      };
    }
    case 'message':
      return () => new Failure(`unknown type: ${expression.type}`);
    case 'loop':
      return loopProgram(expression, variables);
  }
}

/** The values of all, or the first failure. */
function evaluated(programs: readonly Program[], scope: Scope): Value[] | Failure {
  const values: Value[] = [];
  for (const program of programs) {
    const value = program(scope);
    if (value instanceof Failure) return value;
    values.push(value);
  }
  return values;
}

function nameProgram(name: string, variables: readonly string[]): Program {
  const place = variables.lastIndexOf(name.startsWith('.') ? name.slice(1) : name);
  if (place === -1) {
    const type = new TypeName(name);
    return () => type;
  }
  return ({ values }) => values[place] as Value;
}

function selectProgram(
  expression: Expression & { op: 'select' },
  variables: readonly string[],
): Program {
  const { of, field, tests } = expression;
  const name = qualifiedName(expression);
  if (name !== undefined && isTypeName(name)) return nameProgram(name, []);
  const whole = build(of, variables);
  if (!tests) return (scope) => indexed(whole(scope), field);
  return (scope) => {
    const value = whole(scope);
    if (value instanceof Failure) return value;
    if (isMap(value) || value instanceof ListValue) return isIn(field, value, areEqual);
    return new Failure('invalid type for field selection.');
  };
}

function indexed(of: Value, key: Value): Value {
  if (of instanceof Failure) return of;
  if (key instanceof Failure) return key;
  if (typeof key === 'number' || (typeof key === 'object' && !(key instanceof Uint))) {
    return new Failure(`invalid qualifier type: ${typeName(key)}`);
  }
  if (isMap(of)) {
    const found = of.find(key);
    const isMissing = found === undefined || (found instanceof Failure && of instanceof LiteralMap);
    return isMissing ? new Failure(`no such key: ${shownKey(key)}`) : found;
  }
  if (!(of instanceof ListValue)) return NO_OVERLOAD;
  const isLiteral = of.rules.kind === 'literal';
  if (typeof key !== 'bigint') {
    const problem = isLiteral
      ? `unsupported index type '${typeName(key)}' in list`
      : `unsupported index: ${shownKey(key)}`;
    return new Failure(problem);
  }
  if (key >= 0n && key < of.size) return of.items[Number(key)] as Value;
  const problem = isLiteral
    ? `index '${key}' out of range in list size '${of.size}'`
    : `index out of bounds: ${key}`;
  return new Failure(problem);
}

function callProgram(
  expression: Expression & { op: 'call' },
  variables: readonly string[],
): Program {
  const name = expression.name.startsWith('.') ? expression.name.slice(1) : expression.name;
  const { target, args } = expression;
  const parts = target === undefined ? args : [target, ...args];
  const programs = parts.map((part) => build(part, variables));
  const [first, second, third] = programs as [Program, Program, Program];
  switch (name) {
    case '_&&_':
      return (scope) => logical(false, first(scope), second, scope);
    case '_||_':
      return (scope) => logical(true, first(scope), second, scope);
    case '_?_:_':
      return (scope) => {
        const condition = first(scope);
        if (typeof condition === 'boolean') return condition ? second(scope) : third(scope);
        return condition instanceof Failure ? condition : NO_OVERLOAD;
      };
    case '_==_':
      return (scope) => equal(first(scope), second(scope), scope.budget);
    case '_!=_':
      return (scope) => {
        const same = equal(first(scope), second(scope), scope.budget);
        return typeof same === 'boolean' ? !same : same;
      };
    case '_[_]':
      return (scope) => {
        const of = first(scope);
        return of instanceof Failure ? of : indexed(of, second(scope));
      };
    default:
      return (scope) => {
        const values = evaluated(programs, scope);
        return values instanceof Failure ? values : called(name, values, scope.budget);
      };
  }
}

/**
 * A logical operator; a side with the value `decides` settles the result, whatever the other one
 * is.
 */
function logical(decides: boolean, left: Value, right: Program, scope: Scope): Value {
  if (left === decides) return decides;
  const other = right(scope);
  if (other === decides) return decides;
  if (typeof left === 'boolean' && typeof other === 'boolean') return !decides;
  if (left instanceof Failure) return left;
  return other instanceof Failure ? other : NO_OVERLOAD;
}

function loopProgram(loop: Loop, variables: readonly string[]): Program {
  const { kind } = loop;
  const range = build(loop.range, variables);
  const place = variables.length;
  const inside = [...variables, loop.variable];
  const body = build(loop.body, inside);
  const filter = loop.filter && build(loop.filter, inside);
  return (scope) => {
    const values = range(scope);
    if (values instanceof Failure) return values;
    if (!(values instanceof ListValue) && !isMap(values)) {
      return new Failure(`got '${typeName(values)}', expected iterable type`);
    }
    const items = values instanceof ListValue ? values.items : values.keys;
    scope.budget.spend(items.length);
    const each = (item: Value): void => {
      scope.values[place] = item;
    };
    if (kind === 'map' || kind === 'filter') return collected(items, each, filter, body, scope);
    if (kind === 'exists_one') return counted(items, each, body, scope);
    const decides = kind === 'exists';
    let result: Value = !decides;
    for (const item of items) {
      each(item);
      result = logical(decides, result, body, scope);
      if (result === decides) return decides;
    }
    return result;
  };
}

/** The last failure of a condition counts, but the first one of an item, as in the reference. */
function collected(
  items: readonly Value[],
  each: (item: Value) => void,
  filter: Program | undefined,
  body: Program,
  scope: Scope,
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
    if (holds === true) count += 1;
    else if (holds !== false) failure = holds instanceof Failure ? holds : NO_OVERLOAD;
  }
  return failure ?? count === 1;
}
