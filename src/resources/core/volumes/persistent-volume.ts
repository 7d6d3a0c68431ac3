/** PersistentVolume (README.md#volumes). */
import { serverNowMs } from '../../../base/time/server-clock.ts';
import type {
  CSIPersistentVolumeSource,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { utcSeconds } from '../../../base/time/utc-time.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dropDisabledMember } from '../../disabled-members.ts';
import { defineKind } from '../../kind.ts';
import { PERSISTENT_VOLUME_PRINTER } from './persistent-volume-printer.ts';
import { SOURCE_MEMBERS } from './persistent-volume-sources.ts';
import { checkStageSecret, checkVolumeSpec } from './persistent-volume-spec.ts';
import { newLabelName } from '../nodes/node-labels.ts';
import { OPTIONS_ANNOTATION, volumeWarnings } from './volume-warnings.ts';
import { iscsiLengthProblem } from './volume-source-rules.ts';

/** The text about a change of the class of attributes. */
export const ATTRIBUTES_OFF =
  'update is forbidden when the VolumeAttributesClass feature gate is disabled';

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

  dropDisabled({ spec }, gates, stored) {
    if (!ownRelease().has('droppedAttributes')) return;
    const member = 'volumeAttributesClassName';
    dropDisabledMember(gates, 'VolumeAttributesClass', spec, stored?.spec, member);
  },

  prepareForCreate(object, gates) {
    object.status = { phase: 'Pending' };
    const { creationTimestamp } = object.metadata;
    if (creationTimestamp === undefined || !tellsTransitions(gates)) return;
    object.status.lastPhaseTransitionTime = creationTimestamp;
  },

  prepareForStatusUpdate(object, stored, gates) {
    if (object.status === undefined || !tellsTransitions(gates)) return;
    const { phase, lastPhaseTransitionTime: time } = object.status;
    const before = stored.status?.lastPhaseTransitionTime;
    if (phase === stored.status?.phase) {
      if (time === undefined && before !== undefined) {
        object.status.lastPhaseTransitionTime = before;
      }
    } else if (time === undefined || time === before) {
      object.status.lastPhaseTransitionTime = utcSeconds(serverNowMs());
    }
  },

  validate({ metadata, spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    checkVolumeSpec(spec, 'spec', { gates, stored: stored?.spec }, errors);
    if (stored === undefined) checkStageSecret(spec, 'spec', errors);
    const problem = spec.iscsi ? iscsiLengthProblem(metadata.name ?? '', spec.iscsi) : '';
    if (metadata.annotations?.[OPTIONS_ANNOTATION] !== undefined && !takesMountOptions(spec)) {
      const detail = 'may not specify mount options for this volume type';
      errors.push(fieldForbidden(`metadata.annotations.${OPTIONS_ANNOTATION}`, detail));
    }
    if (problem !== '') {
      errors.push(invalid('spec.iscsi.targetportal', spec.iscsi?.targetPortal, problem));
    }
    return errors;
  },

  validateUpdate({ spec = {} }, { spec: stored = {} }, _, gates) {
    const errors: FieldError[] = [];
    if (!SOURCE_MEMBERS.every((member) => sourceEqual(member, spec, stored))) {
      const field = 'spec.persistentvolumesource';
      errors.push(fieldForbidden(field, `${field} is immutable after creation`));
    }
    // The paths of these two are the reference's.
    if (spec.volumeMode !== stored.volumeMode) {
      errors.push(invalid('volumeMode', spec.volumeMode, FIELD_IMMUTABLE));
    }
    if (!gates.has('MutablePVNodeAffinity')) checkSameAffinity(spec, stored, errors);
    checkSameAttributes(spec, stored, gates, errors);
    return errors;
  },

  createWarnings: volumeWarnings,

  updateWarnings: volumeWarnings,
});

/** Whether a volume says when its phase became what it is. */
function tellsTransitions(gates: FeatureGates): boolean {
  return gates.has('PersistentVolumeLastPhaseTransitionTime');
}

/** A node affinity stays once it is set, but for labels that have another name now. */
function checkSameAffinity(
  { nodeAffinity }: PersistentVolumeSpec,
  { nodeAffinity: stored }: PersistentVolumeSpec,
  errors: FieldError[],
): void {
  if (stored === undefined || deepEqual(nodeAffinity, stored)) return;
  const mayRename = ownRelease().has('renamedLabelsInVolumes');
  if (mayRename && nodeAffinity && deepEqual(nodeAffinity, renamed(stored, nodeAffinity))) return;
  const detail = mayRename
    ? `${FIELD_IMMUTABLE}, except for updating from beta label to GA`
    : FIELD_IMMUTABLE;
  errors.push(invalid('nodeAffinity', nodeAffinity, detail));
}

/** The stored affinity with the newer names of labels where the other one has them. */
function renamed(stored: VolumeNodeAffinity, affinity: VolumeNodeAffinity): VolumeNodeAffinity {
  const terms = affinity.required?.nodeSelectorTerms ?? [];
  const { required } = stored;
  if (required === undefined) return stored;
  const renameTerm = (term: NodeSelectorTerm, index: number): NodeSelectorTerm => {
    const rename = (member: 'matchExpressions' | 'matchFields') =>
      term[member]?.map((requirement, at) => {
        const key = terms[index]?.[member]?.[at]?.key;
        const { key: before = '', ...rest } = requirement;
        // An empty key passes, too, as in the reference: it is refused for what it is.
        if ((key ?? '') !== (newLabelName(before) ?? '')) return requirement;
        return key === undefined ? rest : { ...rest, key };
      });
    const [matchExpressions, matchFields] = [rename('matchExpressions'), rename('matchFields')];
    return {
      ...(matchExpressions && { matchExpressions }),
      ...(matchFields && { matchFields }),
    };
  };
  const nodeSelectorTerms = required.nodeSelectorTerms?.map(renameTerm);
  return { required: { ...required, ...(nodeSelectorTerms && { nodeSelectorTerms }) } };
}

function checkSameAttributes(
  { volumeAttributesClassName: name }: PersistentVolumeSpec,
  { volumeAttributesClassName: stored }: PersistentVolumeSpec,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  if (name === stored) return;
  const field = 'spec.volumeAttributesClassName';
  if (!gates.has('VolumeAttributesClass')) errors.push(fieldForbidden(field, ATTRIBUTES_OFF));
  if (stored === undefined || name !== undefined) return;
  errors.push(fieldForbidden(field, 'update from non-nil value to nil is forbidden'));
}

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
