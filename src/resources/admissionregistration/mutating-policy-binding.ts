/** MutatingAdmissionPolicyBinding (README.md#policies). */
import type { MutatingAdmissionPolicyBinding } from '#messages/admissionregistration.v1';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import {
  BINDING_VERSIONS,
  checkStaticName,
  PARAM_REF,
  POLICY_KIND,
  POLICY_NAME,
} from './policy-kind.ts';
import {
  checkMatchResources,
  checkMutatingOperations,
  checkParamRef,
  checkPolicyName,
} from './policy-matching.ts';

export const MUTATING_POLICY_BINDING = defineKind<MutatingAdmissionPolicyBinding>({
  ...POLICY_KIND,
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  message: 'admissionregistration.v1.MutatingAdmissionPolicyBinding',
  otherVersions: BINDING_VERSIONS,
  printer: definePrinter([NAME, POLICY_NAME, PARAM_REF, AGE]),

  validate({ metadata, spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { policyName = '', paramRef, matchResources } = spec;
    checkPolicyName(policyName, errors);
    if (paramRef !== undefined) checkParamRef(paramRef, errors);
    if (matchResources !== undefined) {
      checkMatchResources(matchResources, 'spec.matchResources', errors);
      checkMutatingOperations(matchResources, 'spec.matchResources', errors);
    }
    if (stored === undefined) checkStaticName(metadata, gates, errors);
    return errors;
  },
});
