/** Deployment (README.md#workloads). */
import type { Deployment, DeploymentStrategy, RollingUpdateDeployment } from '#messages/apps.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import {
  fieldForbidden,
  invalid,
  notSupportedPrinted,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import {
  checkIntOrPercent,
  checkNotMoreThanWhole,
  intOrPercentNumber,
  invalidShare,
} from '../../semantics/validation/int-or-percent.ts';
import { labelSelectorText } from '../../semantics/selectors/object-label-selector.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults } from '../core/pods/pod-template.ts';
import { defineKind, specChanges } from '../kind.ts';
import {
  changedTemplateWarnings,
  checkCollisionCount,
  checkReplicaCounts,
  nameWarnings,
  templateWarnings,
  printStrategy,
} from '../workload.ts';
import { DEPLOYMENT_PRINTER } from './deployment-printer.ts';
import { checkReplicatedPods } from './replicated-pods.ts';

const DEFAULT_SHARE = '25%';

export const DEPLOYMENT = defineKind<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  message: 'apps.v1.Deployment',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true, keptMetadata: ['labels'] },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: true,
  scaleSelector: ({ spec }) => labelSelectorText(spec?.selector),
  missingScaleIn: 'apps',
  printer: DEPLOYMENT_PRINTER,

  bumpsGeneration(object, stored) {
    if (specChanges(object, stored)) return true;
    return !deepEqual(object.metadata.annotations ?? {}, stored.metadata.annotations ?? {});
  },

  applyDefaults({ spec }, gates) {
    if (spec?.template !== undefined) applyPodTemplateDefaults(spec.template, gates);
    if (spec?.strategy?.type !== 'RollingUpdate') return;
    const rollingUpdate = (spec.strategy.rollingUpdate ??= {});
    rollingUpdate.maxUnavailable ??= DEFAULT_SHARE;
    rollingUpdate.maxSurge ??= DEFAULT_SHARE;
  },

  dropDisabled({ spec }, gates, stored) {
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    checkReplicatedPods(spec, gates, errors, stored?.spec);
    checkStrategy(spec.strategy ?? {}, errors);
    const { minReadySeconds = 0, progressDeadlineSeconds } = spec;
    if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
      const detail = 'must be greater than minReadySeconds';
      errors.push(invalid('spec.progressDeadlineSeconds', progressDeadlineSeconds, detail));
    }
    return errors;
  },

  /** The labels are the client's own: only the main resource changes them. */
  prepareForStatusUpdate(object, stored) {
    object.metadata.labels = stored.metadata.labels;
  },

  createWarnings: (object) => [...nameWarnings(object), ...templateWarnings(object)],
  updateWarnings: changedTemplateWarnings,

  validateStatusUpdate({ status = {} }, { status: stored = {} }) {
    const errors: FieldError[] = [];
    const counts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;
    checkReplicaCounts(status, counts, 'readyReplicas', errors);
    checkCollisionCount(status, stored, errors);
    return errors;
  },
});

function checkStrategy(strategy: DeploymentStrategy, errors: FieldError[]): void {
  const field = 'spec.strategy.rollingUpdate';
  switch (strategy.type) {
    case 'Recreate':
      if (strategy.rollingUpdate === undefined) return;
      errors.push(fieldForbidden(field, "may not be specified when strategy `type` is 'Recreate'"));
      return;
    case 'RollingUpdate':
      checkRollingUpdate(strategy.rollingUpdate ?? {}, field, errors);
      return;
    default:
      errors.push(
        notSupportedPrinted('spec.strategy', printStrategy(strategy), [
          'Recreate',
          'RollingUpdate',
        ]),
      );
  }
}

function checkRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  field: string,
  errors: FieldError[],
): void {
  checkIntOrPercent(maxUnavailable, `${field}.maxUnavailable`, errors);
  checkIntOrPercent(maxSurge, `${field}.maxSurge`, errors);
  if (intOrPercentNumber(maxUnavailable) === 0 && intOrPercentNumber(maxSurge) === 0) {
    const detail = 'may not be 0 when `maxSurge` is 0';
    errors.push(invalidShare(`${field}.maxUnavailable`, maxUnavailable, detail));
  }
  checkNotMoreThanWhole(maxUnavailable, `${field}.maxUnavailable`, errors);
}
