/** Parts of the specifications of both sorts of policies (README.md#policies). */
import type { Variable } from '#messages/admissionregistration.v1';
import { ownRelease } from '../../release/release.ts';
import {
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import type { PolicyExpressions } from './policy-expressions.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'] as const;
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
/** Words that cannot be names of variables. */
const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

/** Adds the problem of what becomes of a request when the policy fails. */
export function checkFailurePolicy(policy: string | undefined, errors: FieldError[]): void {
  if (FAILURE_POLICIES.some((one) => one === policy)) return;
  errors.push(notSupported('spec.failurePolicy', policy, FAILURE_POLICIES));
}

/** Adds the problems of variables, and declares them for the expressions after them. */
export function checkVariables(
  variables: readonly Variable[],
  expressions: PolicyExpressions,
  errors: FieldError[],
): void {
  variables.forEach(({ name = '', expression = '' }, index) => {
    const field = `spec.variables[${index}]`;
    if (name.trim() === '') errors.push(required(`${field}.name`, 'name is not specified'));
    else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
      const detail = ownRelease().has('briefPolicyErrors')
        ? 'must be a valid CEL identifier'
        : 'name is not a valid CEL identifier';
      errors.push(invalid(`${field}.name`, name, detail));
    }
    if (expression.trim() === '') {
      errors.push(required(`${field}.expression`, 'expression is not specified'));
    } else expressions.declare(name, expression, `${field}.expression`, errors);
  });
}
