/** Expressions that are checked and made into programs once: what is wrong with them is a text. */
import { Budget, OutOfBudget } from './cost/budget.ts';
import { compileProgram, NoProgram } from './evaluate.ts';
import type { Program } from './loops.ts';
import type { RequestExpression } from './request-expression.ts';
import { Failure, type Value } from './values.ts';

export interface CheckedProgram {
  readonly text: string;
  /** Why it cannot be evaluated; '' for nothing. */
  readonly problem: string;
  readonly program: Program | undefined;
}

/** Makes a program of an expression that was checked, over the variables of these names. */
export function checkedProgram(
  text: string,
  { problem, expression }: RequestExpression,
  variables: readonly string[],
): CheckedProgram {
  try {
    return { text, problem, program: expression && compileProgram(expression, variables) };
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    return refusedProgram(text, `program instantiation failed: ${error.message}`);
  }
}

export function refusedProgram(text: string, problem: string): CheckedProgram {
  return { text, problem, program: undefined };
}

/** Its value; a Failure too where it cannot be evaluated, or costs too much. */
export function resultOf(
  { program }: CheckedProgram,
  values: readonly Value[],
  budget = new Budget(),
): Value {
  if (program === undefined) return new Failure('the expression cannot be evaluated');
  try {
    return program({ values: [...values], budget });
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return new Failure(error.message);
  }
}

/** A value; a Failure names the expression that it is of, for people. */
export function namedResult({ text }: CheckedProgram, value: Value): Value {
  if (!(value instanceof Failure)) return value;
  return new Failure(`expression '${text}' resulted in error: ${value.message}`);
}
