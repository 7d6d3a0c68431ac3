/** ValidatingAdmissionPolicy (README.md#policies). */
import type {
  AuditAnnotation,
  ExpressionWarning,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '#messages/admissionregistration.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import { defineKind } from '../kind.ts';
import { AGE, lengthOf, NAME } from '../printer-cells.ts';
import { definePrinter, integer } from '../printer.ts';
import { checkMatchConditions } from './match-conditions.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import { checkStaticName, PARAM_KIND, POLICY_KIND, POLICY_VERSIONS } from './policy-kind.ts';
import { checkConstraints, checkParamKind } from './policy-matching.ts';
import { checkFailurePolicy, checkVariables } from './policy-spec.ts';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;
const ANNOTATIONS_MAX = 20;
const VALUE_BYTES_MAX = 5120;
const LINE_BREAK = /[\n\r]/;

export const VALIDATING_POLICY = defineKind<ValidatingAdmissionPolicy>({
  ...POLICY_KIND,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  message: 'admissionregistration.v1.ValidatingAdmissionPolicy',
  ...(ownRelease().has('policyStatus') && { statusSubresource: { metadataWritable: false } }),
  otherVersions: POLICY_VERSIONS,
  printer: definePrinter([
    NAME,
    integer('Validations', 'How many validations the policy has.', 'spec.validations{}', lengthOf),
    PARAM_KIND,
    AGE,
  ]),

  validate({ metadata, spec = {} }, stored, { part, gates }) {
    const errors: FieldError[] = [];
    if (part === 'status') return errors;
    checkSpec(spec, stored?.spec, metadata.name ?? '', errors);
    if (stored === undefined) checkStaticName(metadata, gates, errors);
    return errors;
  },

  validateStatusUpdate({ status }) {
    const errors: FieldError[] = [];
    status?.typeChecking?.expressionWarnings?.forEach((warning, index) => {
      const field = `status.typeChecking.expressionWarnings[${index}]`;
      checkWarning(warning, field, errors);
    });
    checkConditions(status?.conditions ?? [], 'status.conditions', errors);
    return errors;
  },
});

function checkSpec(
  spec: ValidatingAdmissionPolicySpec,
  stored: ValidatingAdmissionPolicySpec | undefined,
  name: string,
  errors: FieldError[],
): void {
  const { paramKind, variables = [], validations = [], auditAnnotations = [] } = spec;
  checkFailurePolicy(spec.failurePolicy, errors);
  if (paramKind !== undefined) checkParamKind(paramKind, 'spec.paramKind', errors);
  checkConstraints(spec.matchConstraints, errors);
  const expressions = new PolicyExpressions(paramKind !== undefined, variables.length > 0);
  const keepsConditions =
    stored !== undefined &&
    deepEqual(paramKind, stored.paramKind) &&
    deepEqual(spec.matchConditions, stored.matchConditions);
  if (!keepsConditions) {
    const conditions = spec.matchConditions ?? [];
    checkMatchConditions(conditions, expressions, 'spec.matchConditions', errors);
  }
  checkVariables(variables, expressions, errors);
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const hasBoth = ownRelease().has('actionsOfPolicies');
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(required('spec.validations', hasBoth ? detail : ''));
    if (hasBoth) errors.push(required('spec.auditAnnotations', detail));
    return;
  }
  validations.forEach((validation, index) => {
    checkValidation(validation, expressions, `spec.validations[${index}]`, errors);
  });
  checkAnnotations(auditAnnotations, expressions, name, errors);
}

function checkValidation(
  { expression = '', message = '', messageExpression = '', reason }: Validation,
  expressions: PolicyExpressions,
  field: string,
  errors: FieldError[],
): void {
  const isBrief = ownRelease().has('briefPolicyErrors');
  if (expression.trim() === '') {
    errors.push(required(`${field}.expression`, 'expression is not specified'));
  } else expressions.check(expression, ['bool'], `${field}.expression`, errors);
  const empty = 'must be non-empty if specified';
  if (messageExpression.trim() !== '') {
    expressions.checkMessage(messageExpression, `${field}.messageExpression`, errors);
  } else if (messageExpression !== '') {
    errors.push(invalid(`${field}.messageExpression`, messageExpression, empty));
  }
  const start = isBrief ? '' : 'message ';
  if (message !== '' && message.trim() === '') {
    errors.push(invalid(`${field}.message`, message, `${start}${empty}`));
  } else if (LINE_BREAK.test(message.trim())) {
    const detail = `${start}must not contain line breaks`;
    errors.push(invalid(`${field}.message`, message, detail));
  }
  if (reason !== undefined && !REASONS.some((one) => one === reason)) {
    errors.push(notSupported(`${field}.reason`, reason, REASONS));
  }
}

function checkAnnotations(
  annotations: readonly AuditAnnotation[],
  expressions: PolicyExpressions,
  name: string,
  errors: FieldError[],
): void {
  const list = 'spec.auditAnnotations';
  if (annotations.length > ANNOTATIONS_MAX) {
    const detail = `must not have more than ${ANNOTATIONS_MAX} auditAnnotations`;
    errors.push(invalid(list, shownAnnotations(annotations), detail));
  }
  const seen = new Set<string>();
  annotations.forEach(({ key = '', valueExpression = '' }, index) => {
    const field = `${list}[${index}]`;
    if (name === '') {
      errors.push(invalid(`${field}.key`, key, 'requires metadata.name be non-empty'));
    } else {
      const whole = `${name}/${key}`;
      addProblems(qualifiedName(whole), `${field}.key`, whole, errors);
    }
    checkAnnotationValue(valueExpression, expressions, `${field}.valueExpression`, errors);
    if (seen.has(key)) errors.push(duplicate(`${field}.key`, key));
    seen.add(key);
  });
}

/** As the reference shows them. */
function shownAnnotations(annotations: readonly AuditAnnotation[]): readonly object[] {
  return annotations.map(({ key = '', valueExpression = '' }) => ({
    Key: key,
    ValueExpression: valueExpression,
  }));
}

function checkAnnotationValue(
  expression: string,
  expressions: PolicyExpressions,
  field: string,
  errors: FieldError[],
): void {
  const text = expression.trim();
  if (text === '') errors.push(required(field, 'valueExpression is not specified'));
  else if (Buffer.byteLength(text) > VALUE_BYTES_MAX) {
    errors.push(required(field, `must not exceed ${VALUE_BYTES_MAX} bytes in length`));
  } else expressions.check(text, ['string', 'null_type'], field, errors, expression);
}

function checkWarning(
  { warning = '', fieldRef = '' }: ExpressionWarning,
  field: string,
  errors: FieldError[],
): void {
  if (warning === '') errors.push(required(`${field}.warning`));
  if (fieldRef.trim() === '') errors.push(required(`${field}.fieldRef`));
}
