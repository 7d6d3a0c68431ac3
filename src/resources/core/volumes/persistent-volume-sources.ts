/** The rules of the single source members of a PersistentVolume (README.md#volumes). */
import type {
  CSIPersistentVolumeSource,
  ISCSIVolumeSource,
  PersistentVolumeSource,
  SecretReference,
} from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../../semantics/metadata/names.ts';
import {
  checkAzureDisk,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkIscsi,
  checkNfs,
  checkNoBacksteps,
  checkQuobyte,
  refuseOtherSources,
} from './volume-source-rules.ts';

/** The longest name of a storage driver (README.md#volumes). */
export const DRIVER_NAME_BYTES_MAX = 63;

/** Every source member, in the order in which a second one is looked for. */
export const SOURCE_MEMBERS = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** Checks that there is exactly one source member, and its rules. */
export function checkSources(
  spec: PersistentVolumeSource & Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  const [first, ...others] = SOURCE_MEMBERS.filter((member) => spec[member] !== undefined);
  if (first === undefined) {
    errors.push(required(field, 'must specify a volume type'));
    return;
  }
  checkSource(first, spec, field, errors);
  refuseOtherSources(others, field, errors);
}

/** Rules of one value are in the schema. */
function checkSource(
  member: (typeof SOURCE_MEMBERS)[number],
  spec: PersistentVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.${member}`;
  switch (member) {
    case 'hostPath':
    case 'local':
      return checkNoBacksteps(spec[member]?.path ?? '', `${at}.path`, errors);
    case 'nfs':
      return checkNfs(spec.nfs ?? {}, at, errors);
    case 'fc':
      return checkFibreChannel(spec.fc ?? {}, at, errors);
    case 'iscsi':
      return checkPersistentIscsi(spec.iscsi ?? {}, at, errors);
    case 'flocker':
      return checkFlocker(spec.flocker ?? {}, at, errors);
    case 'quobyte':
      return checkQuobyte(spec.quobyte ?? {}, at, errors);
    case 'flexVolume':
      return checkFlexVolume(spec.flexVolume ?? {}, at, errors);
    case 'azureDisk':
      return checkAzureDisk(spec.azureDisk ?? {}, at, errors);
    case 'glusterfs':
      return checkEndpointsNamespace(spec.glusterfs?.endpointsNamespace, at, errors);
    case 'azureFile':
      if (spec.azureFile?.secretNamespace === '') errors.push(required(`${at}.secretNamespace`));
      return;
    case 'cinder':
    case 'storageos':
      return checkNamedSecret(spec[member]?.secretRef, `${at}.secretRef`, errors);
    case 'csi':
      return checkCsi(spec.csi ?? {}, at, errors);
    default: // all that the others require is in the schema
  }
}

function checkPersistentIscsi(iscsi: ISCSIVolumeSource, field: string, errors: FieldError[]): void {
  checkIscsi(iscsi, field, errors);
  if (iscsi.secretRef && !iscsi.secretRef.name) errors.push(required(`${field}.secretRef.name`));
}

function checkEndpointsNamespace(
  namespace: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (namespace === undefined) return;
  const at = `${field}.endpointsNamespace`;
  if (namespace === '') {
    const detail = 'if the endpointnamespace is set, it must be a valid namespace name';
    errors.push(invalid(at, namespace, detail));
    return;
  }
  addProblems(dnsLabel(namespace), at, namespace, errors);
}

/** The secret for staging has a rule of its own. */
const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

function checkCsi(csi: CSIPersistentVolumeSource, field: string, errors: FieldError[]): void {
  checkDriverName(csi.driver, `${field}.driver`, errors);
  if (!csi.volumeHandle) errors.push(required(`${field}.volumeHandle`));
  if (ownRelease().has('pathsOfVolumeSecrets')) {
    for (const member of CSI_SECRETS) {
      checkSecretReference(csi[member], `${field}.${member}`, errors);
    }
    return;
  }
  checkCsiSecret(csi.controllerPublishSecretRef, field, 'controllerPublishSecretRef', errors);
  checkCsiSecret(csi.controllerExpandSecretRef, field, 'controllerExpandSecretRef', errors);
  // The blank is the reference's.
  checkCsiSecret(csi.nodePublishSecretRef, field, 'nodePublishSecretRef ', errors);
}

/** Errors of the name are on the source itself. */
function checkCsiSecret(
  reference: SecretReference | undefined,
  field: string,
  member: string,
  errors: FieldError[],
): void {
  if (reference === undefined) return;
  for (const [part, value = ''] of [
    ['name', reference.name],
    ['namespace', reference.namespace],
  ] as const) {
    if (value === '') errors.push(required(`${field}.${member}.${part}`));
    else addProblems(dnsLabel(value), `${field}.${part}`, value, errors);
  }
}

/** A storage driver's name: at most 63 bytes, compared lower-cased as a subdomain. */
export function checkDriverName(
  driver: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  const name = driver ?? '';
  if (name === '') {
    errors.push(required(field));
    if (ownRelease().has('missingDriversAlone')) return;
  }
  if (Buffer.byteLength(name) > DRIVER_NAME_BYTES_MAX) {
    errors.push(tooLong(field, DRIVER_NAME_BYTES_MAX));
  }
  addProblems(dnsSubdomain(name.toLowerCase()), field, name, errors);
}

/** Invalid names are not reported, as in the reference. */
function checkNamedSecret(
  reference: SecretReference | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (reference === undefined) return;
  if (!reference.name) errors.push(required(`${field}.name`));
  if (!reference.namespace) errors.push(required(`${field}.namespace`));
}

/** The problems of a reference at the path `field`, where there is one. */
export function checkSecretReference(
  reference: SecretReference | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (reference === undefined) return;
  const { name = '', namespace = '' } = reference;
  if (name === '') errors.push(required(`${field}.name`));
  else addProblems(dnsSubdomain(name), `${field}.name`, name, errors);
  if (namespace === '') {
    errors.push(required(`${field}.namespace`));
    return;
  }
  addProblems(dnsLabel(namespace), `${field}.namespace`, namespace, errors);
}
