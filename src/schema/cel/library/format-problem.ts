/** Formats of which their text already tells that they fail: `'%d'.format(['a'])`. */
import type { Expression, Problem } from '../expression.ts';
import type { Type } from '../types.ts';
import { Failure } from '../values.ts';
import { replaceClauses } from './format-clauses.ts';
import { DURING, wrongType } from './formatted-text.ts';

type TypeOf = (part: Expression) => Type;

const WHOLE = ['int', 'uint'];
const DOUBLE = ['double', 'string'];
const HEX = ['int', 'uint', 'string', 'bytes'];
const SHOWN = 'list map int uint double bool string bytes type null timestamp duration'.split(' ');
/** The kinds of types that the clauses take. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  s: SHOWN,
  d: WHOLE,
  o: WHOLE,
  b: ['int', 'uint', 'bool'],
  x: HEX,
  X: HEX,
  f: DOUBLE,
  e: DOUBLE,
};

const RUNTIME_NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  optional: 'optional_type',
};

/** The first problem of a format that is a literal, with a literal list of values; none or one. */
export function formatProblem(
  { name, at, target, args: [list] }: Expression & { op: 'call' },
  typeOf: TypeOf,
): Problem[] {
  if (name !== 'format' || target?.op !== 'literal' || list?.op !== 'list') return [];
  if (typeof target.value !== 'string') return [];
  const { items } = list;
  let place = at;
  const { text, clauses } = replaceClauses(target.value, items.length, ({ verb }, next) => {
    const item = items[next];
    const wrong = item && partOfWrongType(item, verb, typeOf);
    if (wrong === undefined) return '';
    place = wrong.at;
    return new Failure(DURING + wrongType(verb, runtimeName(typeOf(wrong))));
  });
  if (text instanceof Failure) return [{ at: place, message: text.message }];
  if (clauses >= items.length) return [];
  const counts = `(expected ${clauses}, got ${items.length})`;
  return [{ at, message: `too many arguments supplied to string.format ${counts}` }];
}

/** The value, or the part of a literal, that a clause does not take. */
function partOfWrongType(part: Expression, verb: string, typeOf: TypeOf): Expression | undefined {
  const { kind } = typeOf(part);
  if (kind !== 'dyn' && KINDS[verb]?.includes(kind) !== true) return part;
  if (verb !== 's') return undefined;
  return partsOf(part)
    .map((one) => partOfWrongType(one, verb, typeOf))
    .find((one) => one !== undefined);
}

function partsOf(literal: Expression): readonly Expression[] {
  if (literal.op === 'list') return literal.items;
  return literal.op === 'map' ? literal.entries.flatMap(({ key, value }) => [key, value]) : [];
}

/** The name of a type as values tell it. */
function runtimeName(type: Type): string {
  return type.kind === 'object' ? type.name : (RUNTIME_NAMES[type.kind] ?? type.kind);
}
