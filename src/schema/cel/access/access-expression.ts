/**
 * Expressions about what is asked of authorization: the conditions under which a webhook is asked
 * (../README.md#expressions-about-access).
 */
import { Budget, OutOfBudget } from '../cost/budget.ts';
import { compileProgram, NoProgram } from '../evaluate.ts';
import { jsonValue } from '../json-values.ts';
import { STORED_EXPRESSIONS } from '../library/library.ts';
import type { Program } from '../loops.ts';
import { checkKnownExpression } from '../request-expression.ts';
import { printType, simple, type Type } from '../types.ts';
import { Failure } from '../values.ts';

const STRING = simple('string');
const STRINGS: Type = { kind: 'list', item: STRING };

export interface AccessExpression {
  readonly text: string;
  /** Why it is refused; '' for one that can be evaluated. */
  readonly problem: string;
  readonly program: Program | undefined;
}

/** `seesSelectors`: whether expressions see the selectors of what is asked for. */
export function compileAccessExpression(text: string, seesSelectors: boolean): AccessExpression {
  const variables = new Map([['request', requestType(seesSelectors)]]);
  const { problem, type, expression } = checkKnownExpression(text, variables, STORED_EXPRESSIONS);
  const refused = (why: string): AccessExpression => ({ text, problem: why, program: undefined });
  if (problem !== '' || expression === undefined) return refused(problem);
  if (type.kind !== 'bool') return refused(`must evaluate to bool but got ${printType(type)}`);
  try {
    return { text, problem: '', program: compileProgram(expression, ['request']) };
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    return refused(`program instantiation failed: ${error.message}`);
  }
}

/** Whether it holds; why that cannot be said, in the words of the reference. */
export function holds({ program, text }: AccessExpression, request: object): boolean | Failure {
  const failed = (why: string): Failure => {
    return new Failure(`cel evaluation error: expression '${text}' resulted in error: ${why}`);
  };
  if (program === undefined) return failed('the expression cannot be evaluated');
  try {
    const value = program({ values: [jsonValue(request)], budget: new Budget() });
    if (value instanceof Failure) return failed(value.message);
    return value === true;
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failed(error.message);
  }
}

function object(name: string, fields: Readonly<Record<string, Type>>): Type {
  return {
    kind: 'object',
    name,
    field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
  };
}

function requestType(seesSelectors: boolean): Type {
  const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, STRING]));
  const requirement = object('kubernetes.SelectorRequirement', {
    ...texts('key', 'operator'),
    values: STRINGS,
  });
  const selector = (name: string) =>
    object(name, { rawSelector: STRING, requirements: { kind: 'list', item: requirement } });
  return object('kubernetes.SubjectAccessReviewSpec', {
    ...texts('user', 'uid'),
    groups: STRINGS,
    extra: { kind: 'map', key: STRING, value: STRINGS },
    nonResourceAttributes: object('kubernetes.NonResourceAttributes', texts('path', 'verb')),
    resourceAttributes: object('kubernetes.ResourceAttributes', {
      ...texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
      ...(seesSelectors && {
        fieldSelector: selector('kubernetes.FieldSelectorAttributes'),
        labelSelector: selector('kubernetes.LabelSelectorAttributes'),
      }),
    }),
  });
}
