/**
 * Literals: their types, and those that nothing can be made of, such as times that are none. The
 * checks come one after another, and one that finds something is the last.
 */
import { ownRelease } from '../../../release/release.ts';
import { patternProblem } from '../../pattern.ts';
import type { Expression, Problem } from '../expression.ts';
import { durationOf, parseTime } from '../times.ts';
import { closed, isDynOrError, printType, simple, type Substitution, type Type } from '../types.ts';
import { converted } from '../operators.ts';
import { Bytes, Failure, Uint, type Literal } from '../values.ts';
import { formatProblem } from './format-problem.ts';

type Call = Expression & { op: 'call' };

/** Whether parts of a literal have one and the same type, and not only types that fit. */
const EQUIVALENT = ownRelease().has('equivalentTypesInLiterals');

const ARGUMENT_CHECKS: Readonly<Record<string, (value: Literal) => boolean>> = {
  duration: (value) => typeof value !== 'string' || durationOf(value) !== undefined,
  timestamp: (value) => {
    if (typeof value === 'string') return parseTime(value) !== undefined;
    return typeof value !== 'bigint' || !(converted(value, 'timestamp') instanceof Failure);
  },
  matches: (value) => typeof value !== 'string' || patternProblem(value) === undefined,
};

/** Items, keys or values of one literal, with the types that they had when they were met. */
interface Alike {
  readonly parts: readonly (readonly [part: Expression, type: Type])[];
  readonly mostProblems: number;
}

/** Collects literals of an expression while its types are found. */
export class LiteralChecks {
  readonly #calls: Call[] = [];
  readonly #alike: Alike[] = [];

  noteCall(call: Call): void {
    this.#calls.push(call);
  }

  /** Notes parts that should be of one type; so many others are told at most. */
  noteAlike(parts: Alike['parts'], mostProblems: number): void {
    this.#alike.push({ parts, mostProblems });
  }

  /** Their problems, to be asked for when all types are known. */
  problems(known: Substitution, typeOf: (part: Expression) => Type): readonly Problem[] {
    for (const [name, isSound] of Object.entries(ARGUMENT_CHECKS)) {
      const found = this.#calls.flatMap((call) => argumentProblem(call, name, isSound));
      if (found.length > 0) return found;
    }
    const mixed = this.#alike.flatMap((one) => mixedTypes(one, known));
    if (mixed.length > 0) return mixed;
    return this.#calls.flatMap((call) => formatProblem(call, (part) => closed(typeOf(part))));
  }
}

function argumentProblem(
  { name, args: [literal] }: Call,
  wanted: string,
  isSound: (value: Literal) => boolean,
): Problem[] {
  if (name !== wanted || literal?.op !== 'literal' || isSound(literal.value)) return [];
  return [{ at: literal.at, message: `invalid ${name} argument` }];
}

function mixedTypes({ parts, mostProblems }: Alike, known: Substitution): Problem[] {
  const types = parts.map(([, type]) => closed(known.resolve(type)));
  const [first] = types;
  const others = parts.flatMap(([{ at }], place) => {
    const type = types[place];
    if (first === undefined || type === undefined || isAlike(first, type, known)) return [];
    return { at, message: `expected type '${printType(first)}' but found '${printType(type)}'` };
  });
  return others.slice(0, mostProblems);
}

function isAlike(first: Type, type: Type, known: Substitution): boolean {
  if (EQUIVALENT) return known.areEqual(first, type);
  return isDynOrError(first) || isDynOrError(type) || known.areAssignable([type], [first]);
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
