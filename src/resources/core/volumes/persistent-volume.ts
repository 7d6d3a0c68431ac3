/** PersistentVolume (README.md#volumes). */
import type {
  CSIPersistentVolumeSource,
  PersistentVolume,
  PersistentVolumeSpec,
} from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import {
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { defineKind } from '../../kind.ts';
import { PERSISTENT_VOLUME_PRINTER } from './persistent-volume-printer.ts';
import { SOURCE_MEMBERS } from './persistent-volume-sources.ts';
import { checkStageSecret, checkVolumeSpec } from './persistent-volume-spec.ts';
import { iscsiLengthProblem } from './volume-source-rules.ts';

const MOUNT_OPTIONS = ownName('volume.beta.cluster.io/mount-options');

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

  /**
   * These defaults are not in the schema, because the same spec inside a VolumeAttachment does not
   * get them.
   */
  applyDefaults({ spec }) {
    if (spec === undefined) return;
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
  },

  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
  },

  validate({ metadata, spec = {} }, stored) {
    const errors: FieldError[] = [];
    checkVolumeSpec(spec, 'spec', errors);
    if (stored === undefined) checkStageSecret(spec, 'spec', errors);
    const problem = spec.iscsi ? iscsiLengthProblem(metadata.name ?? '', spec.iscsi) : '';
    if (metadata.annotations?.[MOUNT_OPTIONS] !== undefined && !takesMountOptions(spec)) {
      const detail = 'may not specify mount options for this volume type';
      errors.push(fieldForbidden(`metadata.annotations.${MOUNT_OPTIONS}`, detail));
    }
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

/** Sources that support mount options, which an annotation may give. */
const MOUNTED_WITH_OPTIONS = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

function takesMountOptions(spec: PersistentVolumeSpec): boolean {
  return MOUNTED_WITH_OPTIONS.some((member) => spec[member] !== undefined);
}

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
  csi: CSIPersistentVolumeSource | undefined,
  stored: CSIPersistentVolumeSource | undefined,
): CSIPersistentVolumeSource | undefined {
  if (csi === undefined || stored?.controllerExpandSecretRef !== undefined) return csi;
  const { controllerExpandSecretRef: _given, ...rest } = csi;
  return rest;
}
