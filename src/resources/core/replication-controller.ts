/** ReplicationController (src/resources/apps/README.md#workloads). */
import type { ReplicationController } from '#messages/core.v1';
import { ownRelease } from '../../release/release.ts';
import { textMap } from '../../base/text/text-map.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { labelSelectorText } from '../../semantics/selectors/object-label-selector.ts';
import { defineKind, specChanges } from '../kind.ts';
import { labelsText, replicasPrinter } from '../printer-cells.ts';
import {
  checkDisksShareable,
  checkRunsAlways,
  hasNone,
  nameWarnings,
  notSelected,
  replicaSetStatusErrors,
} from '../workload.ts';
import { dropDisabledPodFields } from './pods/disabled-pod-fields.ts';
import { podWarnings } from './pods/pod-warnings.ts';
import { applyPodTemplateDefaults, checkPodTemplate } from './pods/pod-template.ts';

const WHOLE_PATHS = ownRelease().has('wholePathsOfTemplates');

export const REPLICATION_CONTROLLER = defineKind<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  message: 'core.v1.ReplicationController',
  nameRule: 'dnsSubdomain',
  ...(ownRelease().has('uncheckedGeneratedNames') && {
    freeGenerateName: true,
    uncheckedGenerateName: true,
  }),
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  defaultPropagation: 'Orphan',
  scaleSelector: ({ spec }) => labelSelectorText({ matchLabels: spec?.selector ?? {} }),
  missingScaleIn: 'autoscaling',
  printer: replicasPrinter(labelsText),

  /** Selector and labels default to the labels of the template. */
  applyDefaults({ metadata, spec }, gates) {
    if (spec?.template === undefined) return;
    applyPodTemplateDefaults(spec.template, gates);
    const labels = spec.template.metadata?.labels;
    if (labels === undefined) return;
    if (hasNone(spec.selector)) spec.selector = textMap(labels);
    if (hasNone(metadata.labels)) metadata.labels = textMap(labels);
  },

  dropDisabled({ spec }, gates, stored) {
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  validate({ spec: { selector = {}, replicas = 0, template } = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    if (template === undefined) return errors; // the schema's error
    const labels = template.metadata?.labels;
    if (Object.keys(selector).some((key) => labels?.[key] !== selector[key])) {
      errors.push(notSelected(labels));
    }
    checkPodTemplate(template, gates, 'spec.template', errors, stored?.spec?.template);
    if (replicas > 1) checkDisksShareable(template, gates, errors);
    checkRunsAlways(template, 'ReplicationController', errors);
    return errors;
  },

  // The paths, and that an update is judged by what was there, are the reference's.
  createWarnings: (object) => [
    ...nameWarnings(object),
    ...podWarnings(object.spec?.template ?? {}, WHOLE_PATHS ? 'spec.template' : 'template'),
  ],

  updateWarnings({ metadata }, { metadata: before, spec }) {
    if (metadata.generation === before.generation) return [];
    return podWarnings(spec?.template ?? {}, 'spec.template');
  },

  validateStatusUpdate: replicaSetStatusErrors,
});
