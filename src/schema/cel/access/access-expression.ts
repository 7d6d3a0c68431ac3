/**
 * Expressions about what is asked of authorization: the conditions under which a webhook is asked
 * (../README.md#expressions-about-access).
 */
import {
  checkedProgram,
  namedResult,
  refusedProgram,
  resultOf,
  type CheckedProgram,
} from '../checked-program.ts';
import { jsonValue } from '../json-values.ts';
import { STORED_EXPRESSIONS } from '../library/library.ts';
import { checkKnownExpression } from '../request-expression.ts';
import { printType, simple, type Type } from '../types.ts';
import { Failure } from '../values.ts';

const STRING = simple('string');
const STRINGS: Type = { kind: 'list', item: STRING };

/** `seesSelectors`: whether expressions see the selectors of what is asked for. */
export function compileAccessExpression(text: string, seesSelectors: boolean): CheckedProgram {
  const variables = new Map([['request', requestType(seesSelectors)]]);
  const checked = checkKnownExpression(text, variables, STORED_EXPRESSIONS);
  const { problem, type } = checked;
  if (problem === '' && type.kind !== 'bool') {
    return refusedProgram(text, `must evaluate to bool but got ${printType(type)}`);
  }
  return checkedProgram(text, checked, ['request']);
}

/** Whether it holds; why that cannot be said, in the words of the reference. */
export function holds(expression: CheckedProgram, request: object): boolean | Failure {
  const value = namedResult(expression, resultOf(expression, [jsonValue(request)]));
  if (value instanceof Failure) return new Failure(`cel evaluation error: ${value.message}`);
  return value === true;
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
