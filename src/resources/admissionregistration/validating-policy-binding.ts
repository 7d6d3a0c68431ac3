/** ValidatingAdmissionPolicyBinding (README.md#policies). */
import type { ValidatingAdmissionPolicyBinding } from '#messages/admissionregistration.v1';
import { ownRelease } from '../../release/release.ts';
import {
  duplicate,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
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
import { checkMatchResources, checkParamRef, checkPolicyName } from './policy-matching.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'] as const;

/** Earlier releases tell it without one of its letters. */
const MATCH_RESOURCES = ownRelease().has('spelledMatchResources')
  ? 'spec.matchResources'
  : 'spec.matchResouces';

export const VALIDATING_POLICY_BINDING = defineKind<ValidatingAdmissionPolicyBinding>({
  ...POLICY_KIND,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  message: 'admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  otherVersions: BINDING_VERSIONS,
  printer: definePrinter([NAME, POLICY_NAME, PARAM_REF, AGE]),

  validate({ metadata, spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
    checkPolicyName(policyName, errors);
    if (paramRef !== undefined) checkParamRef(paramRef, errors);
    if (matchResources !== undefined) {
      checkMatchResources(matchResources, MATCH_RESOURCES, errors);
    }
    if (ownRelease().has('actionsOfPolicies')) checkActions(validationActions, errors);
    if (stored === undefined) checkStaticName(metadata, gates, errors);
    return errors;
  },
});

function checkActions(actions: readonly string[], errors: FieldError[]): void {
  const field = 'spec.validationActions';
  const seen = new Set<string>();
  actions.forEach((action, index) => {
    const path = `${field}[${index}]`;
    if (!ACTIONS.some((one) => one === action)) errors.push(notSupported(path, action, ACTIONS));
    if (seen.has(action)) errors.push(duplicate(path, action));
    seen.add(action);
  });
  if (seen.has('Deny') && seen.has('Warn')) {
    const printed = printStrings(actions, 'admissionregistration.ValidationAction');
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information ' +
      'in the API response and headers serves no purpose)';
    errors.push(invalidPrinted(field, printed, detail));
  }
  if (seen.size === 0) errors.push(required(field, 'at least one validation action is required'));
}
