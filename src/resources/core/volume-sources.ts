/**
 * The source members of a pod's volume (README.md#pods). What a source merely requires is in the
 * schema.
 */
import { quantitySign } from '../../codec/quantity.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notSupported,
  type FieldError,
} from '../../semantics/field-error.ts';
import { dnsSubdomain } from '../../semantics/names.ts';
import { checkNamed } from './container-environment.ts';
import { checkClaimTemplate, type ClaimTemplate } from './ephemeral-volume.ts';
import { checkDriverName } from './persistent-volume-sources.ts';
import {
  checkDownwardFiles,
  checkKeyFiles,
  checkProjected,
  type DownwardFile,
  type KeyToPath,
  type ProjectedSource,
} from './volume-files.ts';
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
  type AzureDiskSource,
  type FibreChannelSource,
  type FlexSource,
  type IscsiSource,
  type QuobyteSource,
} from './volume-source-rules.ts';

interface SecretNamed {
  secretRef?: { name?: string };
}

interface CsiSource {
  driver?: string;
  nodePublishSecretRef?: { name?: string };
}

export interface VolumeSource {
  emptyDir?: { medium?: string; sizeLimit?: string };
  hostPath?: { path?: string; type?: string };
  gitRepo?: { directory?: string };
  gcePersistentDisk?: { readOnly?: boolean };
  awsElasticBlockStore?: object;
  secret?: { secretName?: string; items?: KeyToPath[]; defaultMode?: number };
  nfs?: { path?: string };
  iscsi?: IscsiSource;
  glusterfs?: object;
  flocker?: { datasetName?: string; datasetUUID?: string };
  persistentVolumeClaim?: { claimName?: string };
  rbd?: object;
  cinder?: SecretNamed;
  cephfs?: object;
  quobyte?: QuobyteSource;
  downwardAPI?: { items?: DownwardFile[]; defaultMode?: number };
  fc?: FibreChannelSource;
  flexVolume?: FlexSource;
  configMap?: { name?: string; items?: KeyToPath[]; defaultMode?: number };
  azureFile?: object;
  vsphereVolume?: object;
  photonPersistentDisk?: object;
  portworxVolume?: object;
  azureDisk?: AzureDiskSource;
  storageos?: SecretNamed;
  projected?: ProjectedSource;
  scaleIO?: object;
  csi?: CsiSource;
  ephemeral?: { volumeClaimTemplate?: ClaimTemplate };
}

export type SourceMember = keyof VolumeSource;

type Check<M extends SourceMember> = (
  source: NonNullable<VolumeSource[M]>,
  field: string,
  errors: FieldError[],
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
};

export const SOURCE_MEMBERS = Object.keys(CHECKS) as readonly SourceMember[];

/** Huge pages of any size, or of one. */
const MEDIUM = /^(?:|Memory|HugePages(?:-[0-9]+[KMGTPE]?i?)?)$/;
const MEDIA = ['Memory', 'HugePages', 'HugePages-<size>'];

const ISCSI_PREFIX = 'must be valid format starting with iqn, eui, or naa';

/** Adds the problems of the source `member` of the volume at the path `field` to `errors`. */
export function checkSource(
  member: SourceMember,
  volume: VolumeSource,
  volumeName: string,
  field: string,
  errors: FieldError[],
): void {
  const check = CHECKS[member] as Check<SourceMember> | undefined;
  const source = volume[member];
  if (check !== undefined && source !== undefined) check(source, `${field}.${member}`, errors);
  const problem = volume.iscsi ? iscsiLengthProblem(volumeName, volume.iscsi) : '';
  if (problem !== '') errors.push(invalid(`${field}.name`, volumeName, problem));
}

function checkEmptyDir(
  { medium = '', sizeLimit }: NonNullable<VolumeSource['emptyDir']>,
  field: string,
  errors: FieldError[],
): void {
  if (!MEDIUM.test(medium)) errors.push(notSupported(`${field}.medium`, medium, MEDIA));
  if (sizeLimit === undefined || quantitySign(sizeLimit) >= 0) return;
  const detail = 'SizeLimit field must be a valid resource quantity';
  errors.push(fieldForbidden(`${field}.sizeLimit`, detail));
}

function checkSecretNamed({ secretRef }: SecretNamed, field: string, errors: FieldError[]): void {
  if (secretRef) checkNamed(secretRef, `${field}.secretRef`, errors);
}

function checkCsi(
  { driver = '', nodePublishSecretRef }: CsiSource,
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
