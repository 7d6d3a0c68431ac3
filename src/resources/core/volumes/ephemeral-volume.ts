/** The claim that an ephemeral volume makes for its pod (README.md#volumes). */
import type { PersistentVolumeClaimTemplate } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { checkTemplateMetadata } from '../../../semantics/metadata/template-metadata.ts';
import { checkClaimSpec } from './persistent-volume-claim-spec.ts';

const OF_VOLUMES = 'cannot be set for an ephemeral volume';

/** Adds the problems of the template at the path `field`. */
export function checkClaimTemplate(
  { metadata = {}, spec = {} }: PersistentVolumeClaimTemplate,
  field: string,
  errors: FieldError[],
): void {
  const why = ownRelease().has('templatesOfAll') ? 'cannot be set' : OF_VOLUMES;
  checkTemplateMetadata(metadata, `${field}.metadata`, why, errors);
  checkClaimSpec(spec, `${field}.spec`, errors);
}
