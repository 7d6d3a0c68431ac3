/** Rules that a source has inline in a pod and in a PersistentVolume alike (README.md#volumes). */
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  ISCSIVolumeSource,
  QuobyteVolumeSource,
} from '#messages/core.v1';
import { ownDialect, ownDomain } from '../../../semantics/dialect/own-names.ts';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';

const TENANT_LENGTH_MAX = 64;
const ISCSI_NAME_LENGTH_MAX = 64;
const RESERVED_DOMAINS = [...new Set([ownDomain('cluster.io'), ownDialect().domain])];
const MANAGED_DISK =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Names of initiators and targets, by the prefix that says how they are made. */
const ISCSI_NAMES: readonly (readonly [prefix: string, isOne: (name: string) => boolean])[] = [
  ['iqn', isQualifiedName],
  ['eui', (name) => /^eui.[A-Za-z0-9]{16}$/.test(name)],
  ['naa', (name) => /^naa.[A-Za-z0-9]{32}$/.test(name)],
];

/**
 * Whether it ends like `iqn.2024-01.com.example:name`. Of each run of characters only its first
 * date is looked at, or long names with many of them would take time that grows with their square.
 */
function isQualifiedName(name: string): boolean {
  const end = name.replace(/^[^]*[,;*&$|\s]/, '');
  return QUALIFIED_NAME.test(end);
}

const QUALIFIED_NAME =
  /(?<![A-Za-z0-9.-])(?:(?!iqn\.\d{4}-\d{2}\.)[A-Za-z0-9.-])*iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^]/;

/** Adds an error for each source of a volume besides its first one. */
export function refuseOtherSources(
  others: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  for (const member of others) {
    const detail = 'may not specify more than 1 volume type';
    errors.push(fieldForbidden(`${field}.${member}`, detail));
  }
}

/** Adds an error for a path that goes up. */
export function checkNoBacksteps(path: string, field: string, errors: FieldError[]): void {
  if (!path.split('/').includes('..')) return;
  errors.push(invalid(field, path, "must not contain '..'"));
}

/** An export is an absolute path. */
export function checkNfs(
  { path = '' }: { readonly path?: string },
  field: string,
  errors: FieldError[],
): void {
  if (path.startsWith('/')) return;
  errors.push(invalid(`${field}.path`, path, 'must be an absolute path'));
}

/** Either `wwids`, or `targetWWNs` with `lun`, not both. */
export function checkFibreChannel(
  { targetWWNs = [], wwids = [], lun }: FCVolumeSource,
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

/**
 * Checks the names, and the secret that authentication needs; `unknownPrefix` is the error for
 * other names.
 */
export function checkIscsi(
  { iqn = '', initiatorName, chapAuthDiscovery, chapAuthSession, secretRef }: ISCSIVolumeSource,
  field: string,
  errors: FieldError[],
  unknownPrefix = 'must be valid format',
): void {
  if (iqn !== '') checkIscsiName(iqn, `${field}.iqn`, unknownPrefix, errors);
  if ((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined) {
    errors.push(required(`${field}.secretRef`));
  }
  if (initiatorName === undefined) return;
  // The reference writes this path in lower case.
  checkIscsiName(initiatorName, `${field}.initiatorname`, unknownPrefix, errors);
}

function checkIscsiName(
  name: string,
  field: string,
  unknownPrefix: string,
  errors: FieldError[],
): void {
  const form = ISCSI_NAMES.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) errors.push(invalid(field, name, unknownPrefix));
  else if (!form[1](name)) errors.push(invalid(field, name, 'must be valid format'));
}

/**
 * The error of names that are too long together: with an initiator, portal and volume form one
 * name. '' when they fit.
 */
export function iscsiLengthProblem(
  volumeName: string,
  { initiatorName, targetPortal = '' }: ISCSIVolumeSource,
): string {
  if (initiatorName === undefined) return '';
  if (`${volumeName}:${targetPortal}`.length <= ISCSI_NAME_LENGTH_MAX) return '';
  return (
    'Total length of <volume name>:<iscsi.targetPortal> must be under ' +
    `${ISCSI_NAME_LENGTH_MAX} characters if iscsi.initiatorName is specified.`
  );
}

/** A data set by its name or its UUID. */
export function checkFlocker(
  { datasetName = '', datasetUUID = '' }: { datasetName?: string; datasetUUID?: string },
  field: string,
  errors: FieldError[],
): void {
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(field, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalid(field, 'resource', detail));
  }
  if (datasetName.includes('/')) {
    errors.push(invalid(`${field}.datasetName`, datasetName, "must not contain '/'"));
  }
}

/** Registries are pairs of host and port; a tenant is a UUID. */
export function checkQuobyte(
  { registry = '', tenant = '' }: QuobyteVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') {
    errors.push(required(`${field}.registry`, detail));
  } else if (tenant.length > TENANT_LENGTH_MAX) {
    const limits = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(required(`${field}.tenant`, limits));
  } else if (!registry.split(',').every(isHostPort)) {
    errors.push(invalid(`${field}.registry`, registry, detail));
  }
}

/** A host and a port: one colon outside of brackets. */
function isHostPort(pair: string): boolean {
  if (pair.startsWith('[')) return /^\[[^[\]]*\]:[^:[\]]*$/.test(pair);
  return /^[^:[\]]*:[^:[\]]*$/.test(pair);
}

/** Users may not set options of the cluster itself. */
export function checkFlexVolume(
  { options }: FlexVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  for (const key in options) {
    const [namespace = ''] = key.split('/', 1);
    const labels = `.${namespace.toLowerCase()}`;
    if (!RESERVED_DOMAINS.some((domain) => labels.endsWith(`.${domain}`))) continue;
    const detail = `${RESERVED_DOMAINS.join(' and ')} namespaces are reserved`;
    errors.push(invalid(`${field}.options[${key}]`, key, detail));
  }
}

/** The URI of a disk has a form for each kind. */
export function checkAzureDisk(
  { kind, diskURI = '' }: AzureDiskVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  if (kind === undefined) return;
  const isManaged = kind === 'Managed';
  if (diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')) return;
  errors.push(notSupported(`${field}.diskURI`, diskURI, [isManaged ? MANAGED_DISK : BLOB_DISK]));
}
