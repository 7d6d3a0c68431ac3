/** Literals: their types, and those that no call can take, such as times that are none. */
import { patternProblem } from '../../pattern.ts';
import type { Expression, Problem } from '../expression.ts';
import { durationOf, parseTime } from '../times.ts';
import { simple, type Type } from '../types.ts';
import { Bytes, Uint, type Literal } from '../values.ts';

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => durationOf(text) !== undefined,
  timestamp: (text) => parseTime(text) !== undefined,
  matches: (text) => patternProblem(text) === undefined,
};

/** The problem of the literal that a call is given; undefined for none. */
export function literalProblem({ name, args }: Expression & { op: 'call' }): Problem | undefined {
  const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  const [literal] = args;
  if (check === undefined || literal?.op !== 'literal') return undefined;
  if (typeof literal.value !== 'string' || check(literal.value)) return undefined;
  return { at: literal.at, message: `invalid ${name} argument` };
}

/** The type of a literal. */
export function typeOfLiteral(value: Literal): Type {
  switch (typeof value) {
    case 'boolean':
      return simple('bool');
    case 'bigint':
      return simple('int');
    case 'number':
      return simple('double');
    case 'string':
      return simple('string');
    default:
      if (value instanceof Uint) return simple('uint');
      return value instanceof Bytes ? simple('bytes') : simple('null');
  }
}
