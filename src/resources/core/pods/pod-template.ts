/** Templates of pods: inside workloads, and as PodTemplate of their own (README.md#pods). */
import type { PodTemplate, PodTemplateSpec } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { fieldForbidden, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkLabels } from '../../../semantics/metadata/label-validation.ts';
import { checkAnnotations } from '../../../semantics/metadata/object-meta-validation.ts';
import { defineKind } from '../../kind.ts';
import { containers, labelsText, NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';
import { checkSameAppArmor } from './app-armor-annotations.ts';
import { checkPodAnnotations, dropInitContainerAnnotations } from './pod-annotations.ts';
import { dropDisabledPodFields } from './disabled-pod-fields.ts';
import { applyPodSpecDefaults } from './pod-defaults.ts';
import { checkPodSpec } from './pod-spec.ts';
import { podWarnings } from './pod-warnings.ts';
import { checkSameSeccomp } from './seccomp-annotations.ts';

/** Sets the defaults that depend on other fields; schema defaults are already set. */
export function applyPodTemplateDefaults(
  { metadata, spec }: PodTemplateSpec,
  gates: FeatureGates,
): void {
  if (metadata !== undefined) dropInitContainerAnnotations(metadata);
  if (spec !== undefined) applyPodSpecDefaults(spec, gates);
}

/** Adds the problems of a template at the path `field`, its schema rules aside, to `errors`. */
export function checkPodTemplate(
  template: PodTemplateSpec,
  gates: FeatureGates,
  field: string,
  errors: FieldError[],
  stored?: PodTemplateSpec,
): void {
  checkTemplateMetadata(template, field, errors);
  const { spec = {} } = template;
  checkPodSpec(spec, '', { gates, stored: stored?.spec }, `${field}.spec`, errors);
  const { annotations } = template.metadata ?? {};
  if (annotations) {
    checkSameSeccomp(annotations, spec, `${field}.spec`, errors);
    checkSameAppArmor(annotations, spec, `${field}.spec`, errors);
  }
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    errors.push(fieldForbidden(`${field}.spec.ephemeralContainers`, detail));
  }
}

/** Adds the problems of the metadata of a template; the paths are the reference's. */
export function checkTemplateMetadata(
  { metadata = {}, spec }: PodTemplateSpec,
  field: string,
  errors: FieldError[],
): void {
  const { labels, annotations } = metadata;
  if (labels) checkLabels(labels, `${field}.labels`, errors);
  if (annotations === undefined) return;
  checkAnnotations(annotations, `${field}.annotations`, errors);
  checkPodAnnotations(annotations, spec ?? {}, `${field}.annotations`, errors);
}

export const POD_TEMPLATE = defineKind<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  message: 'core.v1.PodTemplate',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  bumpsGeneration: ({ template }, stored) => !deepEqual(template, stored.template),
  freeGenerateName: true,
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    ...containers('template.spec.containers', text),
    text('Pod Labels', 'The labels of the pods that are made of the template.',
      'template.metadata.labels', labelsText),
  ]),

  applyDefaults({ template }, gates) {
    if (template !== undefined) applyPodTemplateDefaults(template, gates);
  },

  dropDisabled({ template }, gates, stored) {
    dropDisabledPodFields(template?.spec, stored?.template?.spec, gates);
  },

  validate({ template }, stored, { gates }) {
    const errors: FieldError[] = [];
    checkPodTemplate(template ?? {}, gates, 'template', errors, stored?.template);
    return errors;
  },

  createWarnings: ({ template }) => podWarnings(template ?? {}, 'template'),

  updateWarnings({ metadata, template }, { metadata: { generation } }) {
    return metadata.generation === generation ? [] : podWarnings(template ?? {}, 'template');
  },
});
