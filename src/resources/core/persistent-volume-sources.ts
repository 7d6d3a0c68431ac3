/** The rules of the single source members of a PersistentVolume (SPEC "Volume"; API-FACTS 14.2). */
import {
  fieldForbidden,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/names.ts';

const DRIVER_NAME_BYTES_MAX = 63;

interface SecretReference {
  name?: string;
  namespace?: string;
}

export interface CsiSource {
  driver?: string;
  volumeHandle?: string;
  controllerPublishSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
}

/** Members of PersistentVolumeSource whose rules go beyond the schema; the others are opaque. */
export interface VolumeSources {
  hostPath?: { path?: string; type?: string };
  local?: { path?: string; fsType?: string };
  nfs?: { server?: string; path?: string };
  fc?: { targetWWNs?: string[]; wwids?: string[]; lun?: number };
  csi?: CsiSource;
}

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

/** Exactly one source member, and that one well-formed. */
export function checkSources(
  spec: VolumeSources & Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  const [first, ...others] = SOURCE_MEMBERS.filter((member) => spec[member] !== undefined);
  if (first === undefined) {
    errors.push(required(field, 'must specify a volume type'));
    return;
  }
  checkSource(first, spec, field, errors);
  for (const member of others) {
    const detail = 'may not specify more than 1 volume type';
    errors.push(fieldForbidden(`${field}.${member}`, detail));
  }
}

function checkSource(
  member: (typeof SOURCE_MEMBERS)[number],
  spec: VolumeSources,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.${member}`;
  switch (member) {
    case 'hostPath':
    case 'local':
      checkNoBacksteps(spec[member]?.path ?? '', `${at}.path`, errors);
      return;
    case 'nfs':
      checkAbsolute(spec.nfs?.path ?? '', `${at}.path`, errors);
      return;
    case 'fc':
      if (spec.fc) checkFibreChannel(spec.fc, at, errors);
      return;
    case 'csi':
      if (spec.csi) checkCsi(spec.csi, at, errors);
      return;
    default: // all that the others require is in the schema
  }
}

function checkNoBacksteps(path: string, field: string, errors: FieldError[]): void {
  if (!path.split('/').includes('..')) return;
  errors.push(invalid(field, path, "must not contain '..'"));
}

function checkAbsolute(path: string, field: string, errors: FieldError[]): void {
  if (path === '' || path.startsWith('/')) return;
  errors.push(invalid(field, path, 'must be an absolute path'));
}

/** Either `wwids`, or `targetWWNs` with `lun`, not both. */
function checkFibreChannel(
  { targetWWNs = [], wwids = [], lun }: NonNullable<VolumeSources['fc']>,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.targetWWNs`;
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (targetWWNs.length === 0) return;
  if (wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalid(at, targetWWNs, detail));
  }
  if (lun === undefined) {
    errors.push(required(`${field}.lun`, 'lun is required if targetWWNs is specified'));
  }
}

function checkCsi(csi: CsiSource, field: string, errors: FieldError[]): void {
  if (csi.driver) checkDriverName(csi.driver, `${field}.driver`, errors);
  checkSecretReference(
    csi.controllerPublishSecretRef,
    `${field}.controllerPublishSecretRef`,
    errors,
  );
  checkSecretReference(csi.nodeStageSecretRef, `${field}.nodeStageSecretRef`, errors);
  checkSecretReference(csi.nodePublishSecretRef, `${field}.nodePublishSecretRef`, errors);
  checkSecretReference(csi.controllerExpandSecretRef, `${field}.controllerExpandSecretRef`, errors);
}

/** A storage driver's name: at most 63 bytes, compared lower-cased as a subdomain. */
export function checkDriverName(name: string, field: string, errors: FieldError[]): void {
  if (Buffer.byteLength(name) > DRIVER_NAME_BYTES_MAX) {
    errors.push(tooLong(field, DRIVER_NAME_BYTES_MAX));
  }
  for (const problem of dnsSubdomain(name.toLowerCase())) {
    errors.push(invalid(field, name, problem));
  }
}

function checkSecretReference(
  reference: SecretReference | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (reference === undefined) return;
  const { name = '', namespace = '' } = reference;
  if (name === '') errors.push(required(`${field}.name`));
  else
    for (const problem of dnsSubdomain(name)) errors.push(invalid(`${field}.name`, name, problem));
  if (namespace === '') {
    errors.push(required(`${field}.namespace`));
    return;
  }
  for (const problem of dnsLabel(namespace)) {
    errors.push(invalid(`${field}.namespace`, namespace, problem));
  }
}
