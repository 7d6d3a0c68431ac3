/** PersistentVolume (SPEC "PersistentVolume"; API-FACTS 14.2). */
import { deepEqual } from '../../base/deep-equal.ts';
import {
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  type FieldError,
} from '../../semantics/field-error.ts';
import { defineKind, type ApiObject } from '../kind.ts';
import { PERSISTENT_VOLUME_PRINTER } from './persistent-volume-printer.ts';
import { SOURCE_MEMBERS, type CsiSource } from './persistent-volume-sources.ts';
import { checkVolumeSpec, type PersistentVolumeSpec } from './persistent-volume-spec.ts';
import { iscsiLengthProblem } from './volume-source-rules.ts';

export interface PersistentVolume extends ApiObject {
  spec?: PersistentVolumeSpec;
  status?: { phase?: string; message?: string; reason?: string };
}

export const PERSISTENT_VOLUME = defineKind<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  message: 'core.v1.PersistentVolume',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  printer: PERSISTENT_VOLUME_PRINTER,

  /** Not of the schema, since the same spec inside a VolumeAttachment has none of these. */
  applyDefaults({ spec }) {
    if (spec === undefined) return;
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
  },

  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
  },

  validate({ metadata, spec = {} }) {
    const errors: FieldError[] = [];
    checkVolumeSpec(spec, 'spec', errors);
    const problem = spec.iscsi ? iscsiLengthProblem(metadata.name ?? '', spec.iscsi) : '';
    if (problem !== '') {
      errors.push(invalid('spec.iscsi.targetportal', spec.iscsi?.targetPortal, problem));
    }
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }) {
    const errors: FieldError[] = [];
    if (!SOURCE_MEMBERS.every((member) => sourceEqual(member, spec, stored))) {
      const field = 'spec.persistentvolumesource';
      errors.push(fieldForbidden(field, `${field} is immutable after creation`));
    }
    // The paths of these two are the reference's.
    if (spec.volumeMode !== stored.volumeMode) {
      errors.push(invalid('volumeMode', spec.volumeMode, FIELD_IMMUTABLE));
    }
    if (stored.nodeAffinity && !deepEqual(spec.nodeAffinity, stored.nodeAffinity)) {
      errors.push(invalid('nodeAffinity', spec.nodeAffinity, FIELD_IMMUTABLE));
    }
    return errors;
  },
});

function sourceEqual(
  member: (typeof SOURCE_MEMBERS)[number],
  spec: PersistentVolumeSpec,
  stored: PersistentVolumeSpec,
): boolean {
  if (member !== 'csi') return deepEqual(spec[member], stored[member]);
  return deepEqual(withoutNewExpansionSecret(spec.csi, stored.csi), stored.csi);
}

/** The secret for expanding a volume may be given later, once. */
function withoutNewExpansionSecret(
  csi: CsiSource | undefined,
  stored: CsiSource | undefined,
): CsiSource | undefined {
  if (csi === undefined || stored?.controllerExpandSecretRef !== undefined) return csi;
  const { controllerExpandSecretRef: _given, ...rest } = csi;
  return rest;
}
