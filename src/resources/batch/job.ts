/** Job (README.md#jobs). */
import type { Job, JobSpec } from '#messages/batch.v1';
import type { PodTemplateSpec } from '#messages/core.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { textMap } from '../../base/text/text-map.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import {
  duplicate,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  printTextMap,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel } from '../../semantics/metadata/names.ts';
import { labelMatcher } from '../../semantics/selectors/label-matcher.ts';
import { checkLabelSelector, invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { toLabelSelector } from '../../semantics/selectors/object-label-selector.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults } from '../core/pods/pod-template.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind, specChanges } from '../kind.ts';
import {
  changedTemplateWarnings,
  checkTemplateSelected,
  hasNone,
  templateWarnings,
} from '../workload.ts';
import { JOB_PRINTER } from './job-printer.ts';
import { checkJobSpec } from './job-spec.ts';

const UID_LABEL = 'controller-uid';
const NAME_LABEL = 'job-name';
/** Marks jobs that are tracked by finalizers of their pods, which is a feature that is off. */
const TRACKING_ANNOTATION = ownName('batch.cluster.io/job-tracking');

export const JOB = defineKind<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  namespaced: true,
  message: 'batch.v1.Job',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,
  unsupportedFieldText: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  defaultPropagation: 'Orphan',
  orphanWarning:
    'child pods are preserved by default when jobs are deleted; set ' +
    'propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress ' +
    'this warning',
  printer: JOB_PRINTER,

  /**
   * These defaults are not in the schema, because the job template of a CronJob does not get them.
   */
  applyDefaults({ metadata, spec }) {
    if (spec === undefined) return;
    if (spec.parallelism === undefined) {
      spec.completions ??= 1;
      spec.parallelism = 1;
    }
    spec.backoffLimit ??= 6;
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    if (spec.template === undefined) return;
    applyPodTemplateDefaults(spec.template);
    // Job and template share one map, so that labels which are generated later are the job's too.
    if (hasNone(metadata.labels)) metadata.labels = spec.template.metadata?.labels;
  },

  dropDisabled({ spec }, gates, stored) {
    dropDisabledMember(gates, 'IndexedJob', spec, stored?.spec, 'completionMode');
    dropDisabledMember(gates, 'SuspendJob', spec, stored?.spec, 'suspend');
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  prepareForCreate(object) {
    const { metadata, spec } = object;
    delete metadata.annotations?.[TRACKING_ANNOTATION];
    const template = spec?.template;
    if (spec === undefined || template === undefined) return;
    const hasOwnLabels = !hasNone(metadata.labels) && metadata.labels !== template.metadata?.labels;
    if (spec.manualSelector !== true) generateSelector(object, spec, template);
    const labels = template.metadata?.labels;
    if (!hasOwnLabels && labels !== undefined) metadata.labels = textMap(labels);
  },

  prepareForUpdate({ metadata }, stored) {
    if (stored.metadata.annotations?.[TRACKING_ANNOTATION] !== undefined) return;
    delete metadata.annotations?.[TRACKING_ANNOTATION];
  },

  validate(object, stored) {
    const { metadata, spec = {} } = object;
    const errors: FieldError[] = [];
    checkGeneratedSelector(object, spec, errors);
    checkJobSpec(spec, 'spec', errors, stored?.spec);
    if (spec.selector === undefined) errors.push(required('spec.selector'));
    else checkLabelSelector(spec.selector, 'spec.selector', errors);
    checkTemplateSelected(spec, errors);
    checkPodHostname(metadata.name ?? '', spec, errors);
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {}, status = {} }) {
    const errors: FieldError[] = [];
    const schedulable = stored.suspend === true && status.startTime === undefined;
    for (const member of ['completions', 'selector', 'template', 'completionMode'] as const) {
      const same =
        member === 'template' && schedulable
          ? deepEqual(unscheduled(spec.template ?? {}), unscheduled(stored.template ?? {}))
          : deepEqual(spec[member], stored[member]);
      if (same) continue;
      errors.push(
        member === 'selector'
          ? invalidSelector('spec.selector', spec.selector, FIELD_IMMUTABLE)
          : invalid(`spec.${member}`, spec[member], FIELD_IMMUTABLE),
      );
    }
    return errors;
  },

  createWarnings: templateWarnings,
  updateWarnings: changedTemplateWarnings,

  validateStatusUpdate({ status: { uncountedTerminatedPods = {} } = {} }) {
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    for (const member of ['succeeded', 'failed'] as const) {
      uncountedTerminatedPods[member]?.forEach((uid, index) => {
        const field = `status.uncountedTerminatedPods.${member}[${index}]`;
        if (uid === '') errors.push(invalid(field, uid, 'must not be empty'));
        else if (seen.has(uid)) errors.push(duplicate(field, uid));
        seen.add(uid);
      });
    }
    return errors;
  },
});

/** The pods of an indexed job have their index in their host name, which is a label. */
function checkPodHostname(
  name: string,
  { completionMode, completions = 0 }: JobSpec,
  errors: FieldError[],
): void {
  if (completionMode !== 'Indexed' || completions <= 0) return;
  const last = `${name}-${completions - 1}`;
  if (dnsLabel(last).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${last}`;
  errors.push(invalid('metadata.name', name, detail));
}

/** Labels that make the job's pods its own. What a client has set is left for validation. */
function generateSelector({ metadata }: Job, spec: JobSpec, template: PodTemplateSpec): void {
  const { name = '', uid = '' } = metadata;
  const templateMetadata = (template.metadata ??= {});
  const labels = (templateMetadata.labels ??= textMap());
  labels[NAME_LABEL] ??= name;
  labels[UID_LABEL] ??= uid;
  const selector = (spec.selector ??= {});
  selector.matchLabels ??= textMap();
  selector.matchLabels[UID_LABEL] ??= uid;
}

/** Without `manualSelector` the selector must be the generated one. */
function checkGeneratedSelector({ metadata }: Job, spec: JobSpec, errors: FieldError[]): void {
  if (spec.manualSelector === true || spec.selector === undefined) return;
  const { name = '', uid = '' } = metadata;
  const labels = spec.template?.metadata?.labels;
  for (const [key, expected] of [
    [UID_LABEL, uid],
    [NAME_LABEL, name],
  ] as const) {
    const field = `spec.template.metadata.labels[${key}]`;
    const actual = labels?.[key];
    if (actual === undefined) errors.push(required(field, `must be '${expected}'`));
    else if (actual !== expected) {
      errors.push(invalidPrinted(field, printTextMap(labels), `must be '${expected}'`));
    }
  }
  const selector = toLabelSelector(spec.selector);
  if (selector === undefined) return;
  if (labelMatcher(selector)({ [UID_LABEL]: uid, [NAME_LABEL]: name })) return;
  errors.push(invalidSelector('spec.selector', spec.selector, '`selector` not auto-generated'));
}

/**
 * The template without the members that say where its pods run: those may change until the job
 * starts.
 */
function unscheduled({ metadata, spec = {}, ...rest }: PodTemplateSpec): object {
  const { labels: _labels, annotations: _annotations, ...otherMetadata } = metadata ?? {};
  const { nodeSelector: _nodeSelector, tolerations: _tolerations, affinity, ...pod } = spec;
  const { nodeAffinity: _nodeAffinity, ...otherAffinity } = affinity ?? {};
  return { ...rest, metadata: otherMetadata, spec: { ...pod, affinity: otherAffinity } };
}
