/**
 * Expressions have values. All of `expression-values.txt` was evaluated by the library, and in the
 * environment, that release 1.37.2 of the reference has.
 */
import '../support/newest-release.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkTypes } from '../../src/schema/cel/check.ts';
import { Budget } from '../../src/schema/cel/cost/budget.ts';
import { compileProgram, NoProgram } from '../../src/schema/cel/evaluate.ts';
import type { Problem } from '../../src/schema/cel/expression.ts';
import { STORED_EXPRESSIONS } from '../../src/schema/cel/library/library.ts';
import { converted } from '../../src/schema/cel/operators.ts';
import { parseExpression } from '../../src/schema/cel/parse.ts';
import {
  Duration,
  Failure,
  isMap,
  ListValue,
  shownKey,
  Timestamp,
  typeName,
  Uint,
  type Value,
} from '../../src/schema/cel/values.ts';

const rows = readFileSync(join(import.meta.dirname, 'expression-values.txt'), 'utf8');

t.test('expressions are refused, fail, or have the values that they have there', async (t) => {
  for (const row of rows.trimEnd().split('\n')) {
    const [text = '', outcome] = row.split('\t');
    t.equal(outcomeOf(text), outcome, text);
  }
});

function outcomeOf(text: string): string {
  const expression = parseExpression(text, STORED_EXPRESSIONS);
  if (!('op' in expression)) return refused([expression], text);
  const { problems } = checkTypes(expression, new Map(), STORED_EXPRESSIONS);
  if (problems.length > 0) return refused(problems, text);
  try {
    const value = compileProgram(expression, [])({ values: [], budget: new Budget() });
    if (value instanceof Failure) return `ERROR ${value.message}`;
    return `${typeName(value)} ${JSON.stringify(plain(value))}`;
  } catch (error) {
    if (error instanceof NoProgram) return `PROGRAM ${error.message}`;
    throw error;
  }
}

function refused(problems: readonly Problem[], text: string): string {
  const told = problems.map(({ at = 0, message }) => {
    return `REFUSED 1:${Array.from(text.slice(0, at)).length + 1}: ${message}`;
  });
  return told.join('; ');
}

/** The value as JSON has it. */
function plain(value: Value): unknown {
  if (value instanceof ListValue) return value.items.map(plain);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Duration || value instanceof Timestamp) return converted(value, 'string');
  if (!isMap(value)) return value;
  const members = value.keys.map((key) => [shownKey(key), plain(value.find(key) ?? null)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
