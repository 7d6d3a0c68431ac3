/** The parts of an expression that cost little or nothing when it is evaluated. */
import { qualifiedName, type Expression } from '../expression.ts';
import { isTypeName } from '../signatures.ts';
import { Bytes } from '../values.ts';

const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Whether it always gives the same value, which is found once. */
export function isConstant(expression: Expression, variables: readonly string[]): boolean {
  const isSame = (part: Expression): boolean => isConstant(part, variables);
  switch (expression.op) {
    case 'literal':
      return true;
    case 'name':
    case 'select':
      return isType(expression, variables);
    case 'list':
      return expression.optionals.size === 0 && expression.items.every(isSame);
    case 'map':
      return expression.entries.every(
        ({ key, value, isOptional }) => !isOptional && isSame(key) && isSame(value),
      );
    case 'call': {
      const { name, target, args } = expression;
      const [first] = args;
      const isConversion = target === undefined && CONVERSIONS.has(name) && args.length === 1;
      return isConversion && first !== undefined && isSame(first);
    }
    default:
      return false;
  }
}

function isType(expression: Expression, variables: readonly string[]): boolean {
  const name = qualifiedName(expression);
  const plain = name?.startsWith('.') === true ? name.slice(1) : name;
  return plain !== undefined && !variables.includes(plain) && isTypeName(plain);
}

/** Whether it is looked up: a variable, or a part of something. */
export function partOf(expression: Expression, variables: readonly string[]): boolean {
  switch (expression.op) {
    case 'name':
      return !isType(expression, variables);
    case 'select':
      return !expression.tests && !isType(expression, variables);
    case 'call':
      return PARTS.has(expression.name);
    default:
      return false;
  }
}

const PARTS: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._', '_?_:_']);

/** Whether a call looks for a scalar in a list that is written out, which is a set then. */
export function isSetOfLiterals(
  name: string,
  parts: readonly Expression[],
  variables: readonly string[],
): boolean {
  const list = parts[1];
  if (name !== '@in' || list?.op !== 'list' || !isConstant(list, variables)) return false;
  return list.items.every(
    (item) => item.op === 'literal' && item.value !== null && !(item.value instanceof Bytes),
  );
}

/** How many operations an expression has, loops counted once. */
export function operationsOf(expression: Expression): number {
  const all = (...parts: readonly (Expression | undefined)[]): number =>
    parts.reduce((sum, part) => sum + (part === undefined ? 0 : operationsOf(part)), 1);
  switch (expression.op) {
    case 'select':
      return all(expression.of);
    case 'call':
      return all(expression.target, ...expression.args);
    case 'list':
      return all(...expression.items);
    case 'map':
      return all(...expression.entries.flatMap(({ key, value }) => [key, value]));
    case 'message':
      return all(...expression.fields.map(({ value }) => value));
    case 'let':
      return all(expression.value, expression.body);
    case 'loop':
      return all(expression.range, expression.filter, expression.body);
    default:
      return 1;
  }
}
