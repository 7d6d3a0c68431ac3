/** Conditions on requests, of webhooks and of policies (README.md#conditions). */
import type { MatchCondition } from '#messages/admissionregistration.v1';
import {
  addProblems,
  duplicate,
  required,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import type { PolicyExpressions } from './policy-expressions.ts';

const CONDITIONS_MAX = 64;

/** Adds the problems of conditions, whose list is at the path `field`. */
export function checkMatchConditions(
  conditions: readonly MatchCondition[],
  expressions: PolicyExpressions,
  field: string,
  errors: FieldError[],
): void {
  if (conditions.length > CONDITIONS_MAX) {
    errors.push(tooMany(field, conditions.length, CONDITIONS_MAX));
  }
  const seen = new Set<string>();
  conditions.forEach(({ name = '', expression = '' }, index) => {
    const path = `${field}[${index}]`;
    const text = expression.trim();
    if (text === '') errors.push(required(`${path}.expression`));
    else expressions.checkCondition(text, `${path}.expression`, errors);
    if (name === '') {
      errors.push(required(`${path}.name`));
      return;
    }
    addProblems(qualifiedName(name), `${path}.name`, name, errors);
    if (seen.has(name)) errors.push(duplicate(`${path}.name`, name));
    seen.add(name);
  });
}
