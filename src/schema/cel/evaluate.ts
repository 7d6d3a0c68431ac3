/** Evaluates expressions whose types were checked (README.md#evaluation). */
import { ownRelease } from '../../release/release.ts';
import { patternProblem } from '../pattern.ts';
import { Budget } from './cost/budget.ts';
import { callCostOf, comparingCost, equalityCost } from './cost/call-costs.ts';
import { isConstant, isSetOfLiterals, operationsOf, partOf } from './cost/constants.ts';
import { LIST_COST, MAP_COST, MESSAGE_COST } from './cost/unit-costs.ts';
import { qualifiedName, type Expression, type Loop } from './expression.ts';
import { called, equal } from './functions.ts';
import { logical, loopProgram, type Program, type Scope } from './loops.ts';
import {
  evaluated,
  messageProgram,
  presentValue,
  withoutAbsent,
} from './messages/message-program.ts';
import { isIn } from './operators.ts';
import { isTypeName } from './signatures.ts';
import {
  areEqual,
  Failure,
  isMap,
  ListValue,
  LITERAL,
  LiteralMap,
  NONE,
  NO_OVERLOAD,
  OptionalValue,
  shownKey,
  TypeName,
  typeName,
  Uint,
  type Value,
} from './values.ts';

/** Conversions of literals are made with the program: if one fails, there is none. */
const PLANS_CONSTANTS = ownRelease().has('plannedConstants');

/** Whether what has no members at all lacks one as any other value does. */
const KEYS_OF_SCALARS = ownRelease().has('keysOfScalars');

/** An expression that can have no program. */
export class NoProgram extends Error {
  override readonly name = 'NoProgram';
}

/**
 * `variables` are the names of the values that the scope begins with. Throws NoProgram for what
 * fails whatever their values are.
 */
export function compileProgram(expression: Expression, variables: readonly string[]): Program {
  return build(expression, variables);
}

/** `isPart` tells that it is looked up as a part of something, which costs less. */
function build(expression: Expression, variables: readonly string[], isPart = false): Program {
  const program = programOf(expression, variables, isPart);
  if (expression.op === 'literal' || !isConstant(expression, variables)) return program;
  const value = program({ values: [], budget: new Budget() });
  if (value instanceof Failure && PLANS_CONSTANTS) throw new NoProgram(value.message);
  return () => value;
}

function programOf(expression: Expression, variables: readonly string[], isPart: boolean): Program {
  switch (expression.op) {
    case 'literal': {
      const { value } = expression;
      return () => value;
    }
    case 'name':
      return nameProgram(expression.name, variables, isPart);
    case 'select':
      return selectProgram(expression, variables, isPart);
    case 'call':
      return callProgram(expression, variables, isPart);
    case 'list': {
      const items = expression.items.map((item) => build(item, variables));
      const { optionals } = expression;
      return (scope) => {
        scope.budget.count(LIST_COST);
        const values = evaluated(items, scope);
        if (values instanceof Failure) return values;
        return new ListValue(
          optionals.size === 0 ? values : withoutAbsent(values, optionals),
          LITERAL,
        );
      };
    }
    case 'map': {
      const parts = expression.entries.flatMap(({ key, value }) => [
        build(key, variables),
        build(value, variables),
      ]);
      return (scope) => {
        scope.budget.count(MAP_COST);
        const values = evaluated(parts, scope);
        if (values instanceof Failure) return values;
        const entries = expression.entries.flatMap(({ isOptional }, at) => {
          const key = values[2 * at] as Value;
          const value = isOptional
            ? presentValue(values[2 * at + 1] as Value)
            : (values[2 * at + 1] as Value);
          return value === undefined ? [] : [[key, value] as const];
        });
        return new LiteralMap(entries);
      };
    }
    case 'message': {
      const fields = expression.fields.map(({ value }) => build(value, variables));
      const program = messageProgram(expression, fields);
      return (scope) => {
        scope.budget.count(MESSAGE_COST);
        return program(scope);
      };
    }
    case 'loop':
      return builtLoop(expression, variables);
    case 'let': {
      const value = build(expression.value, variables);
      const place = variables.length;
      const body = build(expression.body, [...variables, expression.variable]);
      return (scope) => {
        const its = value(scope);
        if (its instanceof Failure) return its;
        scope.values[place] = its;
        return body(scope);
      };
    }
  }
}

function builtLoop(loop: Loop, variables: readonly string[]): Program {
  const { second } = loop;
  const inside = [...variables, loop.variable, ...(second === undefined ? [] : [second])];
  return loopProgram(loop, {
    range: build(loop.range, variables),
    filter: loop.filter && build(loop.filter, inside),
    body: build(loop.body, inside),
    place: variables.length,
    listCost: isConstant(loop.body, inside) ? 0 : LIST_COST,
    operations:
      operationsOf(loop.body) + (loop.filter === undefined ? 1 : operationsOf(loop.filter)),
  });
}

function nameProgram(name: string, variables: readonly string[], isPart: boolean): Program {
  const place = variables.lastIndexOf(name.startsWith('.') ? name.slice(1) : name);
  if (place === -1) {
    const type = new TypeName(name);
    return () => type;
  }
  if (isPart) return ({ values }) => values[place] as Value;
  return ({ values, budget }) => {
    budget.count(1);
    return values[place] as Value;
  };
}

function selectProgram(
  expression: Expression & { op: 'select' },
  variables: readonly string[],
  isPart: boolean,
): Program {
  const { of, field, tests } = expression;
  const name = qualifiedName(expression);
  if (name !== undefined && variables.includes(name)) return nameProgram(name, variables, isPart);
  if (name !== undefined && isTypeName(name)) return nameProgram(name, [], isPart);
  const isOfPart = partOf(of, variables);
  if (!tests) {
    const whole = build(of, variables, isOfPart && isPart);
    const cost = isOfPart || isPart ? 1 : 2;
    return (scope) => memberOf(whole(scope), field, cost, scope);
  }
  const whole = build(of, variables);
  return (scope) => {
    const value = whole(scope);
    if (!isOfPart) scope.budget.count(1);
    if (value instanceof Failure) return value;
    if (value instanceof OptionalValue) {
      return value.value !== undefined && isPresent(optionalMember(value, field));
    }
    if (isMap(value) || value instanceof ListValue) return isIn(field, value, areEqual);
    return KEYS_OF_SCALARS ? false : new Failure('invalid type for field selection.');
  };
}

/** A part of what is absent costs nothing. */
function memberOf(of: Value, key: Value, cost: number, { budget }: Scope): Value {
  const value = indexed(of, key);
  budget.count(of instanceof OptionalValue && value === NONE ? cost - 1 : cost);
  return value;
}

function isPresent(value: Value): boolean {
  return value instanceof OptionalValue && value.value !== undefined;
}

/** The member or item of a value, which may be absent; so may the value be. */
function optionalMember(of: Value, key: Value): Value {
  if (of instanceof Failure) return of;
  if (key instanceof Failure) return key;
  const whole = of instanceof OptionalValue ? of.value : of;
  if (whole === undefined) return NONE;
  if (whole instanceof ListValue) {
    const isIn = typeof key === 'bigint' && key >= 0n && key < whole.size;
    return isIn ? new OptionalValue(whole.items[Number(key)]) : NONE;
  }
  if (!isMap(whole)) return NO_OVERLOAD;
  const found = whole.find(key);
  if (found === undefined || (found instanceof Failure && whole instanceof LiteralMap)) return NONE;
  return found instanceof Failure ? found : new OptionalValue(found);
}

/** Whether indices may be numbers of all types. */
const ALL_INDICES = ownRelease().has('indicesOfAllNumbers');

function isQualifier(key: Value): boolean {
  if (typeof key === 'number') return ALL_INDICES;
  return typeof key !== 'object' || key instanceof Uint;
}

function noIndex(key: Value): Failure {
  return new Failure(
    typeof key === 'number'
      ? `unsupported index value ${shownKey(key)} in list`
      : `unsupported index type '${typeName(key)}' in list`,
  );
}

/** A whole number as an int; other values as they are. */
function wholeNumber(value: Value): Value {
  if (value instanceof Uint) return value.value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function indexed(of: Value, key: Value): Value {
  if (of instanceof Failure) return of;
  if (key instanceof Failure) return key;
  if (of instanceof OptionalValue) return optionalMember(of, key);
  if (!isQualifier(key)) {
    return new Failure(`invalid qualifier type: ${typeName(key)}`);
  }
  if (isMap(of)) {
    const found = of.find(key);
    const isMissing = found === undefined || (found instanceof Failure && of instanceof LiteralMap);
    return isMissing ? new Failure(`no such key: ${shownKey(key)}`) : found;
  }
  if (!(of instanceof ListValue)) {
    return KEYS_OF_SCALARS ? new Failure(`no such key: ${shownKey(key)}`) : NO_OVERLOAD;
  }
  const isLiteral = of.rules.kind === 'literal' && !ALL_INDICES;
  const at = ALL_INDICES ? wholeNumber(key) : key;
  if (typeof at !== 'bigint' && ALL_INDICES) return noIndex(key);
  if (typeof at !== 'bigint') {
    const problem = isLiteral
      ? `unsupported index type '${typeName(key)}' in list`
      : `unsupported index: ${shownKey(key)}`;
    return new Failure(problem);
  }
  if (at >= 0n && at < of.size) return of.items[Number(at)] as Value;
  const problem = isLiteral
    ? `index '${at}' out of range in list size '${of.size}'`
    : `index out of bounds: ${at}`;
  return new Failure(problem);
}

function callProgram(
  expression: Expression & { op: 'call' },
  variables: readonly string[],
  isPart: boolean,
): Program {
  const name = expression.name.startsWith('.') ? expression.name.slice(1) : expression.name;
  const { target, args } = expression;
  const parts = target === undefined ? args : [target, ...args];
  switch (name) {
    case '_?_:_':
      return conditionalProgram(parts, variables);
    case '_[_]':
    case '_[?_]':
    case '_?._':
      return indexProgram(name, parts, variables, isPart);
    default:
  }
  const unreadable = PLANS_CONSTANTS && PATTERN_FUNCTIONS.has(name) && patternError(parts[1]);
  if (unreadable) throw new NoProgram(unreadable);
  const programs = parts.map((part) => build(part, variables));
  const [first, second] = programs as [Program, Program];
  switch (name) {
    case '_&&_':
      return (scope) => logical(false, first(scope), second, scope);
    case '_||_':
      return (scope) => logical(true, first(scope), second, scope);
    case '_==_':
      return (scope) => {
        const [one, other] = [first(scope), second(scope)];
        scope.budget.count(equalityCost(one, other));
        return equal(one, other, scope.budget);
      };
    case '_!=_':
      return (scope) => {
        const [one, other] = [first(scope), second(scope)];
        scope.budget.count(comparingCost(one, other));
        const same = equal(one, other, scope.budget);
        return typeof same === 'boolean' ? !same : same;
      };
    case 'or':
    case 'orValue':
      if (target === undefined) break;
      return (scope) => {
        const value = first(scope);
        if (!(value instanceof OptionalValue))
          return value instanceof Failure ? value : NO_OVERLOAD;
        if (value.value === undefined) return second(scope);
        return name === 'or' ? value : value.value;
      };
    default:
  }
  const cost = isSetOfLiterals(name, parts, variables) ? 0 : callCostOf(name);
  return (scope) => {
    const values = evaluated(programs, scope);
    if (values instanceof Failure) return values;
    const result = called(name, values, scope.budget);
    scope.budget.count(typeof cost === 'number' ? cost : cost(values, result));
    return result;
  };
}

const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** The problem of a pattern that is written out. */
function patternError(pattern: Expression | undefined): string | undefined {
  const isText = pattern?.op === 'literal' && typeof pattern.value === 'string';
  return isText ? patternProblem(pattern.value as string) : undefined;
}

function conditionalProgram(parts: readonly Expression[], variables: readonly string[]): Program {
  const [condition, ...results] = parts as [Expression, Expression, Expression];
  const holds = build(condition, variables);
  const [yes, no] = results.map((part) => build(part, variables, partOf(part, variables)));
  return (scope) => {
    const value = holds(scope);
    if (typeof value === 'boolean') return ((value ? yes : no) as Program)(scope);
    return value instanceof Failure ? value : NO_OVERLOAD;
  };
}

function indexProgram(
  name: '_[_]' | '_[?_]' | '_?._',
  [of, key]: readonly Expression[],
  variables: readonly string[],
  isPart: boolean,
): Program {
  const isOfPart = partOf(of as Expression, variables);
  const whole = build(of as Expression, variables, isOfPart && isPart);
  const place = build(key as Expression, variables, partOf(key as Expression, variables));
  const cost = isOfPart || isPart ? 1 : 2;
  if (name !== '_[_]') {
    return (scope) => {
      const value = optionalMember(whole(scope), place(scope));
      scope.budget.count(value === NONE ? cost - 1 : cost);
      return value;
    };
  }
  return (scope) => {
    const value = whole(scope);
    return value instanceof Failure ? value : memberOf(value, place(scope), cost, scope);
  };
}
