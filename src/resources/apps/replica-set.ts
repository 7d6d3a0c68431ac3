/** ReplicaSet (README.md#workloads). */
import type { ReplicaSet } from '#messages/apps.v1';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { labelSelectorText } from '../../semantics/selectors/object-label-selector.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults } from '../core/pods/pod-template.ts';
import { ownRelease } from '../../release/release.ts';
import { defineKind, specChanges } from '../kind.ts';
import { selectorText, replicasPrinter } from '../printer-cells.ts';
import {
  changedTemplateWarnings,
  nameWarnings,
  replicaSetStatusErrors,
  templateWarnings,
} from '../workload.ts';
import { checkReplicatedPods } from './replicated-pods.ts';

export const REPLICA_SET = defineKind<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  message: 'apps.v1.ReplicaSet',
  nameRule: 'dnsSubdomain',
  ...(ownRelease().has('plainUpdatesOfSets') && { freeGenerateName: true }),
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  scaleSelector: ({ spec }) => labelSelectorText(spec?.selector),
  missingScaleIn: 'apps',
  printer: replicasPrinter(selectorText),

  applyDefaults({ spec }, gates) {
    if (spec?.template !== undefined) applyPodTemplateDefaults(spec.template, gates);
  },

  dropDisabled({ spec }, gates, stored) {
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    checkReplicatedPods(spec, gates, errors, stored?.spec);
    return errors;
  },

  createWarnings: (object) => [...nameWarnings(object), ...templateWarnings(object)],
  updateWarnings: changedTemplateWarnings,

  validateStatusUpdate: replicaSetStatusErrors,
});
