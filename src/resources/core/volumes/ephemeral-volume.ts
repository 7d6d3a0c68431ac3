/** The claim that an ephemeral volume makes for its pod (README.md#volumes). */
import type { PersistentVolumeClaimTemplate } from '#messages/core.v1';
import { fieldForbidden, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkLabels } from '../../../semantics/metadata/label-validation.ts';
import { checkAnnotations } from '../../../semantics/metadata/object-meta-validation.ts';
import { checkClaimSpec } from './persistent-volume-claim-spec.ts';

/** Zero seconds count as present. */
const SECONDS = 'deletionGracePeriodSeconds';

/** Adds the problems of the template at the path `field`. */
export function checkClaimTemplate(
  { metadata = {}, spec = {} }: PersistentVolumeClaimTemplate,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.metadata`;
  if (metadata.annotations) checkAnnotations(metadata.annotations, `${at}.annotations`, errors);
  if (metadata.labels) checkLabels(metadata.labels, `${at}.labels`, errors);
  const members: [name: string, value: unknown][] = Object.entries(metadata);
  for (const [member, value] of members) {
    const isSet = Boolean(value) || (member === SECONDS && value !== undefined);
    if (member === 'annotations' || member === 'labels' || !isSet) continue;
    // The reference spells it so.
    const name = member === 'uid' ? 'uID' : member;
    errors.push(fieldForbidden(`${at}.${name}`, 'cannot be set for an ephemeral volume'));
  }
  checkClaimSpec(spec, `${field}.spec`, errors);
}
