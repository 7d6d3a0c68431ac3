/** Job (README.md#jobs). */
import type { Job, JobSpec } from '#messages/batch.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { textMap } from '../../base/text/text-map.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel } from '../../semantics/metadata/names.ts';
import { checkLabelSelector, invalidSelector } from '../../semantics/metadata/label-validation.ts';
import { dropDisabledPodFields } from '../core/pods/disabled-pod-fields.ts';
import { applyPodTemplateDefaults } from '../core/pods/pod-template.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind, specChanges } from '../kind.ts';
import { checkTemplateSelected, hasNone, nameWarnings } from '../workload.ts';
import { checkGeneratedLabels, generateLabels } from './job-labels.ts';
import { applyFailurePolicyDefaults } from './job-policies.ts';
import { JOB_PRINTER } from './job-printer.ts';
import { checkPolicyStays, jobSchedulingErrors } from './job-scheduling.ts';
import { checkJobSpec, jobSpecWarnings } from './job-spec.ts';
import { jobStatusErrors } from './job-status.ts';
import { checkTemplateUpdate } from './job-template.ts';
import { settleTracking, trackingErrors } from './job-tracking.ts';

/** How often the pods of a job are retried in all where each index has a limit of its own. */
const RETRIES_MAX = 2_147_483_647;

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
  ...(ownRelease().has('keptNamesOfJobs') && { freeName: true, freeGenerateName: true }),
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
  applyDefaults({ metadata, spec }, gates) {
    if (spec === undefined) return;
    if (spec.parallelism === undefined) {
      spec.completions ??= 1;
      spec.parallelism = 1;
    }
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : RETRIES_MAX;
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    applyFailurePolicyDefaults(spec.podFailurePolicy);
    if (gates.has('JobPodReplacementPolicy')) {
      spec.podReplacementPolicy ??=
        spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
    }
    if (ownRelease().has('writtenManualSelector')) spec.manualSelector ??= false;
    if (spec.template === undefined) return;
    applyPodTemplateDefaults(spec.template, gates);
    // Job and template share one map, so that labels which are generated later are the job's too.
    if (hasNone(metadata.labels)) metadata.labels = spec.template.metadata?.labels;
  },

  dropDisabled(object, gates, stored) {
    const { spec } = object;
    settleTracking(object, gates, stored);
    dropDisabledMember(gates, 'IndexedJob', spec, stored?.spec, 'completionMode');
    dropDisabledMember(gates, 'SuspendJob', spec, stored?.spec, 'suspend');
    // Only a create of a Job itself drops it, as in the reference.
    if (stored === undefined && !gates.has('JobManagedBy')) delete spec?.managedBy;
    dropDisabledPodFields(spec?.template?.spec, stored?.spec?.template?.spec, gates);
  },

  prepareForCreate(object) {
    const { metadata, spec } = object;
    const template = spec?.template;
    if (spec === undefined || template === undefined) return;
    const hasOwnLabels = !hasNone(metadata.labels) && metadata.labels !== template.metadata?.labels;
    if (spec.manualSelector !== true) generateLabels(object);
    const labels = template.metadata?.labels;
    if (!hasOwnLabels && labels !== undefined) metadata.labels = textMap(labels);
  },

  validate(object, stored, { gates }) {
    const { metadata, spec = {} } = object;
    const errors: FieldError[] = [];
    const isKept = stored !== undefined && ownRelease().has('keptNamesOfJobs');
    if (!isKept) checkGeneratedLabels(object, stored, errors);
    checkJobSpec(spec, 'spec', gates, errors, stored?.spec);
    if (spec.selector === undefined) errors.push(required('spec.selector'));
    else checkLabelSelector(spec.selector, 'spec.selector', errors, stored?.spec?.selector);
    checkTemplateSelected(spec, errors);
    checkPodHostname(metadata.name ?? '', spec, errors);
    return [...errors, ...jobSchedulingErrors(object, stored, gates)];
  },

  validateUpdate(object, stored, _groupVersion, gates) {
    const errors = trackingErrors(object, stored);
    const { spec = {} } = object;
    const { spec: before = {} } = stored;
    checkCompletions(spec, before, gates, errors);
    if (!deepEqual(spec.selector, before.selector)) {
      errors.push(invalidSelector('spec.selector', spec.selector, FIELD_IMMUTABLE));
    }
    checkTemplateUpdate(object, stored, gates, errors);
    for (const member of IMMUTABLE) {
      if (deepEqual(spec[member], before[member])) continue;
      errors.push(invalid(`spec.${member}`, spec[member] ?? null, FIELD_IMMUTABLE));
    }
    checkPolicyStays(spec, before, errors);
    return errors;
  },

  createWarnings: (object) => [...nameWarnings(object), ...jobWarnings(object)],
  updateWarnings: (object, stored) =>
    object.metadata.generation === stored.metadata.generation ? [] : jobWarnings(object),

  validateStatusUpdate: (object, stored, _groupVersion, gates) =>
    jobStatusErrors(object, stored, gates),
});

const IMMUTABLE = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const;

function jobWarnings({ spec = {} }: Job): string[] {
  return jobSpecWarnings(spec, 'spec');
}

/** The completions of an indexed job may change together with its parallelism. */
function checkCompletions(
  { completions, parallelism, completionMode }: JobSpec,
  stored: JobSpec,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  if (completions === stored.completions) return;
  if (completionMode !== 'Indexed' || !gates.has('ElasticIndexedJob')) {
    errors.push(invalid('spec.completions', completions, FIELD_IMMUTABLE));
  } else if (completions !== undefined && completions !== parallelism) {
    const detail = 'can only be modified in tandem with spec.parallelism';
    errors.push(invalid('spec.completions', completions, detail));
  }
}

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
