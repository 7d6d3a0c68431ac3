/** Metadata of what objects are made from. */
import type { ObjectMeta } from './object-meta.ts';
import { fieldForbidden, type FieldError } from '../errors/field-error.ts';
import { checkLabels } from './label-validation.ts';
import { checkAnnotations } from './object-meta-validation.ts';

/** Zero seconds count as present. */
const SECONDS = 'deletionGracePeriodSeconds';

/** Adds the problems of metadata that may have labels and annotations alone; `why` says so. */
export function checkTemplateMetadata(
  metadata: ObjectMeta,
  field: string,
  why: string,
  errors: FieldError[],
): void {
  if (metadata.annotations) checkAnnotations(metadata.annotations, `${field}.annotations`, errors);
  if (metadata.labels) checkLabels(metadata.labels, `${field}.labels`, errors);
  const members: [name: string, value: unknown][] = Object.entries(metadata);
  for (const [member, value] of members) {
    const isSet = Boolean(value) || (member === SECONDS && value !== undefined);
    if (member === 'annotations' || member === 'labels' || !isSet) continue;
    // The reference spells it so.
    const name = member === 'uid' ? 'uID' : member;
    errors.push(fieldForbidden(`${field}.${name}`, why));
  }
}
