/**
 * The source members of a pod's volume (README.md#volumes). What a source merely requires is in the
 * schema.
 */
import type {
  CinderVolumeSource,
  CSIVolumeSource,
  ImageVolumeSource,
  StorageOSVolumeSource,
  VolumeSource,
} from '#messages/core.v1';
import { quantitySign } from '../../../codec/leaves/quantity.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { ownRelease } from '../../../release/release.ts';
import type { PodRules } from '../pod-rules.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkNamed } from '../local-reference.ts';
import { checkClaimTemplate } from './ephemeral-volume.ts';
import { checkDriverName } from './persistent-volume-sources.ts';
import { checkDownwardFiles, checkKeyFiles, checkProjected } from './volume-files.ts';
import { checkDescendingPath } from './volume-paths.ts';
import {
  checkAzureDisk,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkIscsi,
  checkNfs,
  checkNoBacksteps,
  checkQuobyte,
  iscsiLengthProblem,
} from './volume-source-rules.ts';

export type SourceMember = keyof VolumeSource;

type Check<M extends SourceMember> = (
  source: NonNullable<VolumeSource[M]>,
  field: string,
  errors: FieldError[],
  rules: PodRules | undefined,
) => void;

/** By member, in the order in which a second source is looked for; undefined has no more rules. */
const CHECKS: { readonly [M in SourceMember]-?: Check<M> | undefined } = {
  emptyDir: checkEmptyDir,
  hostPath: ({ path = '' }, field, errors) => checkNoBacksteps(path, `${field}.path`, errors),
  gitRepo: ({ directory = '' }, field, errors) => {
    checkDescendingPath(directory, `${field}.directory`, errors);
  },
  gcePersistentDisk: undefined,
  awsElasticBlockStore: undefined,
  secret: checkKeyFiles,
  nfs: checkNfs,
  iscsi: (source, field, errors) => checkIscsi(source, field, errors, ISCSI_PREFIX),
  glusterfs: undefined,
  flocker: checkFlocker,
  persistentVolumeClaim: undefined,
  rbd: undefined,
  cinder: checkSecretNamed,
  cephfs: undefined,
  quobyte: checkQuobyte,
  downwardAPI: checkDownwardFiles,
  fc: checkFibreChannel,
  flexVolume: checkFlexVolume,
  configMap: (source, field, errors) => {
    checkNamed(source, field, errors);
    checkKeyFiles(source, field, errors);
  },
  azureFile: undefined,
  vsphereVolume: undefined,
  photonPersistentDisk: undefined,
  portworxVolume: undefined,
  azureDisk: checkAzureDisk,
  storageos: checkSecretNamed,
  projected: checkProjected,
  scaleIO: undefined,
  csi: checkCsi,
  ephemeral: ({ volumeClaimTemplate }, field, errors) => {
    if (volumeClaimTemplate === undefined) return;
    checkClaimTemplate(volumeClaimTemplate, `${field}.volumeClaimTemplate`, errors);
  },
  image: checkImage,
};

export const SOURCE_MEMBERS = Object.keys(CHECKS) as readonly SourceMember[];

/** Huge pages of any size, or of one. */
const MEDIUM = /^(?:|Memory|HugePages(?:-[0-9]+[KMGTPE]?i?)?)$/;
const MEDIA = ['Memory', 'HugePages', 'HugePages-<size>'];

const DIRECTORY_MODE_MAX = 0o1777;
const DIRECTORY_MODE_RANGE = 'must be a number between 0 and 01777 (octal), both inclusive';

const ISCSI_PREFIX = 'must be valid format starting with iqn, eui, or naa';

/** Adds the problems of the source `member` of the volume at the path `field` to `errors`. */
export function checkSource(
  member: SourceMember,
  volume: VolumeSource,
  volumeName: string,
  field: string,
  errors: FieldError[],
  rules?: PodRules,
): void {
  const check = CHECKS[member] as Check<SourceMember> | undefined;
  const source = volume[member];
  if (check !== undefined && source !== undefined) {
    check(source, `${field}.${member}`, errors, rules);
  }
  const problem = volume.iscsi ? iscsiLengthProblem(volumeName, volume.iscsi) : '';
  if (problem !== '') errors.push(invalid(`${field}.name`, volumeName, problem));
}

function checkEmptyDir(
  { medium = '', sizeLimit, mode }: NonNullable<VolumeSource['emptyDir']>,
  field: string,
  errors: FieldError[],
): void {
  if (!MEDIUM.test(medium)) errors.push(notSupported(`${field}.medium`, medium, MEDIA));
  if (sizeLimit !== undefined && quantitySign(sizeLimit) < 0) {
    const detail = 'SizeLimit field must be a valid resource quantity';
    errors.push(fieldForbidden(`${field}.sizeLimit`, detail));
  }
  if (mode === undefined || (mode >= 0 && mode <= DIRECTORY_MODE_MAX)) return;
  errors.push(invalid(`${field}.mode`, mode, DIRECTORY_MODE_RANGE));
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** Templates may leave the reference open in some releases. */
function checkImage(
  { reference = '', pullPolicy }: ImageVolumeSource,
  field: string,
  errors: FieldError[],
  rules: PodRules | undefined,
): void {
  checkReference(reference, `${field}.reference`, errors, rules);
  const at = `${field}.pullPolicy`;
  if (pullPolicy === undefined) errors.push(required(at));
  else if (!PULL_POLICIES.includes(pullPolicy)) {
    errors.push(notSupported(at, pullPolicy, PULL_POLICIES));
  }
}

function checkReference(
  reference: string,
  field: string,
  errors: FieldError[],
  rules: PodRules | undefined,
): void {
  if (reference !== '') return;
  const isKept =
    ownRelease().has('keptEmptyImages') &&
    rules?.stored?.volumes?.some(({ image }) => image !== undefined && !image.reference) === true;
  const isAsked = rules?.isPod === true || ownRelease().has('keptEmptyImages');
  if (isAsked && !isKept) errors.push(required(field));
}

function checkSecretNamed(
  { secretRef }: CinderVolumeSource | StorageOSVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  if (secretRef) checkNamed(secretRef, `${field}.secretRef`, errors);
}

function checkCsi(
  { driver = '', nodePublishSecretRef }: CSIVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  checkDriverName(driver, `${field}.driver`, errors);
  if (nodePublishSecretRef === undefined) return;
  checkNamed(nodePublishSecretRef, `${field}.nodePublishSecretRef`, errors);
  const { name = '' } = nodePublishSecretRef;
  // The reference shortens this path.
  if (name !== '') addProblems(dnsSubdomain(name), `${field}.name`, name, errors);
}
