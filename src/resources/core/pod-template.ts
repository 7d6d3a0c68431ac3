/** Templates of pods: inside workloads, and as PodTemplate of their own (API-FACTS 13.3). */
import { fieldForbidden, type FieldError } from '../../semantics/field-error.ts';
import { checkLabels } from '../../semantics/label-validation.ts';
import { checkAnnotations } from '../../semantics/object-meta-validation.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { column, containerCells, labelsText, NAME_COLUMN, nameOf } from '../printed.ts';
import type { Printer } from '../printer.ts';
import { checkPodAnnotations } from './pod-annotations.ts';
import { applyPodSpecDefaults } from './pod-defaults.ts';
import { checkPodSpec, type PodSpec } from './pod-spec.ts';

export interface PodTemplateSpec {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: PodSpec;
}

export interface PodTemplate extends ApiObject {
  template?: PodTemplateSpec;
}

/** Sets the defaults that depend on other fields; schema defaults are already set. */
export function applyPodTemplateDefaults({ spec }: PodTemplateSpec): void {
  if (spec !== undefined) applyPodSpecDefaults(spec);
}

/** Adds the problems of a template at the path `field`, its schema rules aside, to `errors`. */
export function checkPodTemplate(
  template: PodTemplateSpec,
  field: string,
  errors: FieldError[],
): void {
  checkTemplateMetadata(template, field, errors);
  const { spec = {} } = template;
  checkPodSpec(spec, '', `${field}.spec`, errors);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    errors.push(fieldForbidden(`${field}.spec.ephemeralContainers`, detail));
  }
}

/** Adds the problems of what a template says besides its pod; the paths are the reference's. */
export function checkTemplateMetadata(
  { metadata = {}, spec }: PodTemplateSpec,
  field: string,
  errors: FieldError[],
): void {
  const { labels, annotations } = metadata;
  if (labels) checkLabels(labels, `${field}.labels`, errors);
  if (annotations === undefined) return;
  checkAnnotations(annotations, `${field}.annotations`, errors);
  checkPodAnnotations(annotations, spec?.nodeName, `${field}.annotations`, errors);
}

const POD_TEMPLATE_PRINTER: Printer<PodTemplate> = {
  columns: [
    NAME_COLUMN,
    column('Containers', 'string', 'The names of the containers.'),
    column('Images', 'string', 'The images that the containers run.'),
    column('Pod Labels', 'string', 'The labels of the pods that are made of the template.'),
  ],
  cells(object) {
    const { metadata, spec } = object.template ?? {};
    return [nameOf(object), ...containerCells(spec), labelsText(metadata?.labels)];
  },
};

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
  checksFinalizerNames: true,
  printer: POD_TEMPLATE_PRINTER,

  applyDefaults({ template }) {
    if (template !== undefined) applyPodTemplateDefaults(template);
  },

  validate({ template }) {
    const errors: FieldError[] = [];
    checkPodTemplate(template ?? {}, 'template', errors);
    return errors;
  },
});
