/** MutatingAdmissionPolicy (README.md#policies). */
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from '#messages/admissionregistration.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import {
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { AGE, lengthOf, NAME } from '../printer-cells.ts';
import { definePrinter, integer } from '../printer.ts';
import { checkMatchConditions } from './match-conditions.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import { checkStaticName, PARAM_KIND, POLICY_KIND, POLICY_VERSIONS } from './policy-kind.ts';
import { checkConstraints, checkMutatingOperations, checkParamKind } from './policy-matching.ts';
import { checkFailurePolicy, checkVariables } from './policy-spec.ts';

const REINVOCATIONS = ['IfNeeded', 'Never'] as const;
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'] as const;
/** The member of each type, and what its expression has to be. */
const PATCHES = [
  ['JSONPatch', 'jsonPatch', 'list(JSONPatch)'],
  ['ApplyConfiguration', 'applyConfiguration', 'Object'],
] as const;

export const MUTATING_POLICY = defineKind<MutatingAdmissionPolicy>({
  ...POLICY_KIND,
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  message: 'admissionregistration.v1.MutatingAdmissionPolicy',
  otherVersions: POLICY_VERSIONS,
  printer: definePrinter([
    NAME,
    integer('Mutations', 'How many changes the policy makes.', 'spec.mutations{}', lengthOf),
    PARAM_KIND,
    AGE,
  ]),

  validate({ metadata, spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    checkSpec(spec, stored?.spec, errors);
    if (stored === undefined) checkStaticName(metadata, gates, errors);
    return errors;
  },
});

function checkSpec(
  spec: MutatingAdmissionPolicySpec,
  stored: MutatingAdmissionPolicySpec | undefined,
  errors: FieldError[],
): void {
  const { paramKind, matchConstraints, mutations = [], reinvocationPolicy = '' } = spec;
  checkFailurePolicy(spec.failurePolicy, errors);
  if (paramKind !== undefined) checkParamKind(paramKind, 'spec.paramKind', errors);
  checkConstraints(matchConstraints, errors);
  checkMutatingOperations(matchConstraints ?? {}, 'spec.matchConstraints', errors);
  const expressions = new PolicyExpressions(paramKind !== undefined, true);
  const keepsConditions =
    stored !== undefined &&
    deepEqual(paramKind, stored.paramKind) &&
    deepEqual(spec.matchConditions, stored.matchConditions);
  if (!keepsConditions) {
    const conditions = spec.matchConditions ?? [];
    checkMatchConditions(conditions, expressions, 'spec.matchConditions', errors);
  }
  checkVariables(spec.variables ?? [], expressions, errors);
  if (mutations.length === 0) {
    errors.push(required('spec.mutations', 'mutations must contain at least one item'));
  }
  mutations.forEach((mutation, index) => {
    checkMutation(mutation, expressions, `spec.mutations[${index}]`, errors);
  });
  const field = 'spec.reinvocationPolicy';
  if (reinvocationPolicy === '') errors.push(required(field));
  else if (!REINVOCATIONS.some((one) => one === reinvocationPolicy)) {
    errors.push(notSupported(field, reinvocationPolicy, REINVOCATIONS));
  }
}

function checkMutation(
  mutation: Mutation,
  expressions: PolicyExpressions,
  field: string,
  errors: FieldError[],
): void {
  const { patchType = '' } = mutation;
  if (patchType === '') {
    errors.push(required(`${field}.patchType`));
    return;
  }
  if (!PATCH_TYPES.some((one) => one === patchType)) {
    errors.push(notSupported(`${field}.patchType`, patchType, PATCH_TYPES));
    return;
  }
  const when = `when patchType is ${patchType}`;
  for (const [type, member, result] of PATCHES.toSorted(([one]) => (one === patchType ? -1 : 1))) {
    const path = `${field}.${member}`;
    const patch = mutation[member];
    if (type !== patchType) {
      if (patch === undefined) continue;
      errors.push(invalid(path, `{${member}}`, `must not be specified ${when}`));
    } else if (patch === undefined) {
      errors.push(required(path, `must be specified ${when}`));
    } else {
      const text = patch.expression?.trim() ?? '';
      if (text === '') errors.push(required(`${path}.expression`));
      else expressions.checkPatch(text, result, `${path}.expression`, errors);
    }
  }
}
