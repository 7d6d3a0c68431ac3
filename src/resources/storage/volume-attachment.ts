/** VolumeAttachment (README.md#storage). */
import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from '#messages/storage.v1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain, objectName } from '../../semantics/metadata/names.ts';
import { checkDriverName } from '../core/volumes/persistent-volume-sources.ts';
import { checkInlineSpec } from '../core/volumes/persistent-volume-spec.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, flag, nameText, text } from '../printer.ts';

const METADATA_BYTES_MAX = 262_144;
const ERROR_MESSAGE_BYTES_MAX = 1024;
const CODE_MAX = 2_147_483_647;

/** Later releases look at the names in updates too. */
const CHECKS_NAMES_ALWAYS = ownRelease().has('immutableClasses');

export const VOLUME_ATTACHMENT = defineKind<VolumeAttachment>({
  group: ownGroup('storage.cluster.io'),
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
  message: 'storage.v1.VolumeAttachment',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    nameText('Attacher', 'The driver that is to attach the volume.', 'spec.attacher'),
    text('PV', 'The persistent volume that is to be attached.', 'spec.source.persistentVolumeName'),
    text('Node', 'The node that it is to be attached to.', 'spec.nodeName'),
    flag('Attached', 'Whether it is attached.', 'status.attached'),
    AGE,
  ]),

  prepareForCreate(object) {
    object.status = { attached: false };
  },

  prepareForStatusUpdate({ metadata }, stored) {
    metadata.deletionTimestamp = stored.metadata.deletionTimestamp;
  },

  // Status updates of other kinds allow any path segment as `generateName`; this kind checks it.
  validateStatusUpdate({ metadata: { generateName = '' } }) {
    const errors: FieldError[] = [];
    if (generateName === '') return errors;
    const problems = objectName('dnsSubdomain', generateName, true);
    addProblems(problems, 'metadata.generateName', generateName, errors);
    return errors;
  },

  validate(object) {
    const { spec = {}, status = {} } = object;
    const errors = CHECKS_NAMES_ALWAYS ? nameErrors(object) : [];
    if (spec.source) checkSource(spec.source, 'spec.source', errors);
    addProblems(dnsSubdomain(spec.nodeName ?? ''), 'spec.nodeName', spec.nodeName ?? '', errors);
    checkAttachmentMetadata(status.attachmentMetadata, errors);
    checkVolumeError(status.attachError, 'status.attachError', errors);
    checkVolumeError(status.detachError, 'status.detachError', errors);
    return errors;
  },

  validateCreate: (object) => (CHECKS_NAMES_ALWAYS ? [] : nameErrors(object)),
});

function nameErrors({ spec = {} }: VolumeAttachment): FieldError[] {
  const errors: FieldError[] = [];
  const isTold = !spec.attacher && CHECKS_NAMES_ALWAYS;
  if (!isTold) checkDriverName(spec.attacher, 'spec.attacher', errors);
  const { persistentVolumeName: volume } = spec.source ?? {};
  if (volume !== undefined) {
    addProblems(dnsSubdomain(volume), 'spec.source.persistentVolumeName', volume, errors);
  }
  return errors;
}

function checkSource(source: VolumeAttachmentSource, field: string, errors: FieldError[]): void {
  const { persistentVolumeName, inlineVolumeSpec } = source;
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (persistentVolumeName === undefined) {
    if (inlineVolumeSpec === undefined) errors.push(required(field, detail));
    else checkInlineSpec(inlineVolumeSpec, `${field}.inlineVolumeSpec`, errors);
    return;
  }
  if (inlineVolumeSpec !== undefined) errors.push(fieldForbidden(field, detail));
  else if (persistentVolumeName === '') {
    const nameField = `${field}.persistentVolumeName`;
    errors.push(required(nameField, 'must specify non empty persistentVolumeName'));
  }
}

function checkAttachmentMetadata(
  metadata: Readonly<Record<string, string>> | undefined,
  errors: FieldError[],
): void {
  let bytes = 0;
  for (const key in metadata) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(metadata[key] ?? '');
  }
  if (bytes > METADATA_BYTES_MAX) {
    errors.push(tooLong('status.attachmentMetadata', METADATA_BYTES_MAX));
  }
}

function checkVolumeError(
  error: VolumeError | undefined,
  field: string,
  errors: FieldError[],
): void {
  const { message = '', errorCode = 0 } = error ?? {};
  if (Buffer.byteLength(message) > ERROR_MESSAGE_BYTES_MAX) {
    // The number in the error is the reference's.
    const told = ownRelease().has('boundOfVolumeErrors')
      ? ERROR_MESSAGE_BYTES_MAX
      : METADATA_BYTES_MAX;
    errors.push(tooLong(`${field}.message`, told));
  }
  if (errorCode < 0) {
    const detail = `must be between 0 and ${CODE_MAX}, inclusive`;
    errors.push(invalid(`${field}.errorCode`, errorCode, detail));
  }
}
