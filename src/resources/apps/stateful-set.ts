/** StatefulSet (README.md#workloads). */
import type { StatefulSet, StatefulSetSpec } from '#messages/apps.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { fieldForbidden, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { labelSelectorText } from '../../semantics/selectors/object-label-selector.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults, checkTemplateMetadata } from '../core/pods/pod-template.ts';
import { checkVolumes } from '../core/volumes/volume.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, containers, NAME, readyText } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import {
  checkCollisionCount,
  checkReplicaCounts,
  checkRunsAlways,
  checkTemplateSelected,
  checkWorkloadSelector,
  templateWarnings,
  changedTemplateWarnings,
} from '../workload.ts';

/** Members of the specification that updates may change; a feature allows one more. */
const FREE = ['replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy'];

export const STATEFUL_SET = defineKind<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  message: 'apps.v1.StatefulSet',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  scaleSelector: ({ spec }) => labelSelectorText(spec?.selector),
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Ready', 'How many of its pods are ready, of how many.',
      'status.readyReplicas spec.replicas', readyText),
    AGE,
    ...containers('spec.template.spec.containers'),
  ]),

  applyDefaults({ spec }) {
    if (spec === undefined) return;
    if (spec.template !== undefined) applyPodTemplateDefaults(spec.template);
    const strategy = (spec.updateStrategy ??= {});
    if ((strategy.type ?? '') === '') {
      strategy.type = 'RollingUpdate';
      // With the type given, the partition may stay absent.
      strategy.rollingUpdate ??= { partition: 0 };
    }
    // The feature gate of this member is off in release 1.23.
    delete spec.persistentVolumeClaimRetentionPolicy;
  },

  dropDisabled({ spec }, gates, stored) {
    // On update the rules for immutable members decide.
    if (spec !== undefined && stored === undefined && !gates.has('StatefulSetMinReadySeconds')) {
      delete spec.minReadySeconds;
    }
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  /** Checks only the volumes of the pod in the template: the claim templates add more of them. */
  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    const { selector, template = {} } = spec;
    checkPolicies(spec, errors);
    checkWorkloadSelector(selector, 'empty selector is invalid for statefulset', errors);
    if (checkTemplateSelected(spec, errors)) {
      checkTemplateMetadata(template, 'spec.template', errors);
      checkVolumes(template.spec?.volumes ?? [], '', 'spec.template.spec.volumes', errors);
    } else {
      errors.push(invalidSelector('spec.selector', selector, ''));
    }
    checkRunsAlways(template, 'StatefulSet', errors);
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }, _, gates) {
    const free = gates.has('StatefulSetMinReadySeconds') ? [...FREE, 'minReadySeconds'] : FREE;
    if (deepEqual(fixedPart(spec, free), fixedPart(stored, free))) return [];
    const names = free.map((name) => `'${name}'`);
    const detail =
      `updates to statefulset spec for fields other than ${names.slice(0, -1).join(', ')} and ` +
      `${names.at(-1)} are forbidden`;
    return [fieldForbidden('spec', detail)];
  },

  createWarnings: templateWarnings,
  updateWarnings: changedTemplateWarnings,

  validateStatusUpdate({ status = {} }, { status: stored = {} }) {
    const errors: FieldError[] = [];
    const counts = [
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
    ] as const;
    checkReplicaCounts(status, counts, 'status.readyReplicas', errors);
    checkCollisionCount(status, stored, errors);
    return errors;
  },
});

/** The members that an update may not change. */
function fixedPart(spec: StatefulSetSpec, free: readonly string[]): object {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !free.includes(name)));
}

function checkPolicies(spec: StatefulSetSpec, errors: FieldError[]): void {
  const { podManagementPolicy, updateStrategy = {} } = spec;
  if (podManagementPolicy !== 'OrderedReady' && podManagementPolicy !== 'Parallel') {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalid('spec.podManagementPolicy', podManagementPolicy, detail));
  }
  const { type, rollingUpdate } = updateStrategy;
  if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return;
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(invalid('spec.updateStrategy.rollingUpdate', rollingUpdate, detail));
  } else if (type !== 'RollingUpdate') {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(invalid('spec.updateStrategy', updateStrategy, detail));
  }
}
