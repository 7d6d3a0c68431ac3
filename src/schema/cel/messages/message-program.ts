/** Evaluates what is constructed of several parts: lists, maps and messages. */
import type { MessageExpression } from '../expression.ts';
import { Failure, OptionalValue, type Value } from '../values.ts';
import { messageValue } from './patch-values.ts';

/** Evaluates a part in a scope. */
type Run<Scope> = (scope: Scope) => Value;

/** The values of all, or the first failure. */
export function evaluated<S>(programs: readonly Run<S>[], scope: S): Value[] | Failure {
  const values: Value[] = [];
  for (const program of programs) {
    const value = program(scope);
    if (value instanceof Failure) return value;
    values.push(value);
  }
  return values;
}

/** Undefined for an absent one. */
export function presentValue(value: Value): Value | undefined {
  return value instanceof OptionalValue ? value.value : value;
}

/** Leaves out those of the optional items that are absent. */
export function withoutAbsent(values: readonly Value[], optionals: ReadonlySet<number>): Value[] {
  return values.flatMap((value, at) => {
    const its = optionals.has(at) ? presentValue(value) : value;
    return its === undefined ? [] : [its];
  });
}

/** Constructs a message; `programs` are those of its fields. */
export function messageProgram<S>(
  { type, fields }: MessageExpression,
  programs: readonly Run<S>[],
): Run<S> {
  return (scope) => {
    const values = evaluated(programs, scope);
    if (values instanceof Failure) return values;
    const given = new Map<string, Value>();
    for (const [at, { name, isOptional }] of fields.entries()) {
      const value = isOptional ? presentValue(values[at] as Value) : (values[at] as Value);
      if (value !== undefined) given.set(name, value);
    }
    return messageValue(type, given);
  };
}
