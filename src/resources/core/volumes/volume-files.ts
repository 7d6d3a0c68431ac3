/** Volumes whose files are made of other objects (README.md#volumes). */
import type {
  ClusterTrustBundleProjection,
  DownwardAPIVolumeFile,
  KeyToPath,
  PodCertificateProjection,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '#messages/core.v1';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabelSelector } from '../../../semantics/metadata/label-validation.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  checkSaidToSigner,
  certificateSecondsMax,
} from '../../certificates/pod-certificate-limits.ts';
import { checkSignerName } from '../../certificates/signer-name.ts';
import { trustBundleNameProblems } from '../../certificates/trust-bundle-name.ts';
import { checkTokenSeconds } from '../../../semantics/options/token-seconds.ts';
import { checkNamed } from '../local-reference.ts';
import { checkFieldSelector, checkResourceSelector } from '../downward-fields.ts';
import { checkFilePath, checkFileUser, checkMode } from './volume-paths.ts';
import { refuseOtherSources } from './volume-source-rules.ts';

/** Fields of a pod that may be a file. */
const FILE_FIELDS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const PROJECTIONS = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

interface Files<Item> {
  readonly items?: readonly Item[];
  readonly defaultMode?: number;
  readonly defaultUser?: number | bigint;
}

/** Adds the problems of the keys of a ConfigMap or Secret that become files, and of their modes. */
export function checkKeyFiles(
  { items = [], defaultMode, defaultUser }: Files<KeyToPath>,
  field: string,
  errors: FieldError[],
): void {
  checkMode(defaultMode, `${field}.defaultMode`, errors);
  checkFileUser(defaultUser, `${field}.defaultUser`, errors);
  items.forEach((item, index) => checkKeyToPath(item, `${field}.items[${index}]`, errors));
}

/** Missing keys and paths are the schema's errors. */
function checkKeyToPath(
  { path = '', mode, user }: KeyToPath,
  field: string,
  errors: FieldError[],
): void {
  checkFilePath(path, `${field}.path`, errors);
  checkMode(mode, `${field}.mode`, errors);
  checkFileUser(user, `${field}.user`, errors);
}

/** Adds the problems of files that show fields of the pod. */
export function checkDownwardFiles(
  { items = [], defaultMode, defaultUser }: Files<DownwardAPIVolumeFile>,
  field: string,
  errors: FieldError[],
): void {
  checkMode(defaultMode, `${field}.defaultMode`, errors);
  checkFileUser(defaultUser, `${field}.defaultUser`, errors);
  // The reference leaves `items` and the index out of these paths.
  for (const item of items) checkDownwardFile(item, field, errors);
}

function checkDownwardFile(
  { path = '', fieldRef, resourceFieldRef, mode, user }: DownwardAPIVolumeFile,
  field: string,
  errors: FieldError[],
): void {
  if (path === '') errors.push(required(`${field}.path`));
  checkFilePath(path, `${field}.path`, errors);
  if (fieldRef) {
    checkFieldSelector(fieldRef, FILE_FIELDS, `${field}.fieldRef`, errors);
    if (resourceFieldRef) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalid(field, 'resource', detail));
    }
  } else if (resourceFieldRef) {
    checkResourceSelector(resourceFieldRef, `${field}.resourceFieldRef`, errors, true);
  } else {
    errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  }
  checkMode(mode, `${field}.mode`, errors);
  checkFileUser(user, `${field}.user`, errors);
}

/** Several objects in one directory: each source of one type, no file twice. */
export function checkProjected(
  { sources = [], defaultMode, defaultUser }: ProjectedVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  checkMode(defaultMode, `${field}.defaultMode`, errors);
  checkFileUser(defaultUser, `${field}.defaultUser`, errors);
  const paths = new Set<string>();
  sources.forEach((source, index) => {
    const at = `${field}.sources[${index}]`;
    const said = PROJECTIONS.filter((member) => source[member] !== undefined);
    const [first, ...others] = said;
    if (ownRelease().has('eachProjectionChecked')) {
      for (const member of said) checkProjection(member, source, at, errors);
      const detail = 'may not specify more than 1 volume type per source';
      if (others.length > 0) errors.push(fieldForbidden(at, detail));
    } else {
      if (first !== undefined) checkProjection(first, source, at, errors);
      refuseOtherSources(others, at, errors);
    }
    for (const path of listedPaths(source)) {
      if (paths.has(path)) {
        errors.push(invalid(field, conflictName(source, path), 'conflicting duplicate paths'));
      }
      paths.add(path);
    }
  });
}

function checkProjection(
  member: (typeof PROJECTIONS)[number],
  source: VolumeProjection,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.${member}`;
  switch (member) {
    case 'secret':
    case 'configMap':
      checkNamed(source[member] ?? {}, at, errors);
      checkKeyFiles({ items: source[member]?.items ?? [] }, at, errors);
      return;
    case 'downwardAPI':
      checkDownwardFiles({ items: source.downwardAPI?.items ?? [] }, at, errors);
      return;
    case 'serviceAccountToken':
      checkToken(source.serviceAccountToken ?? {}, at, errors);
      return;
    case 'clusterTrustBundle':
      checkTrustBundle(source.clusterTrustBundle ?? {}, at, errors);
      return;
    case 'podCertificate':
      checkCertificate(source.podCertificate ?? {}, at, errors);
  }
}

function listedPaths(source: VolumeProjection): string[] {
  const { secret, configMap, downwardAPI, clusterTrustBundle, podCertificate = {} } = source;
  const items = [
    ...(secret?.items ?? []),
    ...(configMap?.items ?? []),
    ...(downwardAPI?.items ?? []),
  ];
  const { credentialBundlePath = '', keyPath = '', certificateChainPath = '' } = podCertificate;
  const paths = items.map(({ path = '' }) => path);
  paths.push(clusterTrustBundle?.path ?? '', credentialBundlePath, keyPath, certificateChainPath);
  return paths.filter((path) => path !== '');
}

/** The reference shows the name of the object that the second file is of, if it has one. */
function conflictName({ secret, configMap }: VolumeProjection, path: string): string {
  return (secret ?? configMap)?.name ?? path;
}

/** A missing path is the schema's error. */
function checkToken(
  { expirationSeconds = 0, path = '', user }: ServiceAccountTokenProjection,
  field: string,
  errors: FieldError[],
): void {
  checkTokenSeconds(expirationSeconds, `${field}.expirationSeconds`, errors);
  checkFileUser(user, `${field}.user`, errors);
  checkFilePath(path, `${field}.path`, errors);
}

/** One bundle by its name, or those of a signer. */
function checkTrustBundle(
  bundle: ClusterTrustBundleProjection,
  field: string,
  errors: FieldError[],
): void {
  const { name, signerName, labelSelector, path = '', user } = bundle;
  if (name !== undefined && signerName !== undefined) {
    errors.push(invalid(field, bundle, 'only one of name and signerName may be used'));
  } else if (name !== undefined) {
    const at = `${field}.name`;
    if (name === '') errors.push(required(at, 'must be a valid object name'));
    for (const problem of trustBundleNameProblems(name)) {
      errors.push(invalid(at, name, `not a valid clustertrustbundlename: ${problem}`));
    }
    if (labelSelector !== undefined) {
      const detail = 'labelSelector must be unset if name is specified';
      errors.push(invalid(`${field}.labelSelector`, labelSelector, detail));
    }
  } else if (signerName !== undefined) {
    const at = `${field}.signerName`;
    if (signerName === '') errors.push(required(at, 'must be a valid signer name'));
    checkSignerName(signerName, at, errors);
    checkLabelSelector(labelSelector, `${field}.labelSelector`, errors);
  } else {
    errors.push(required(field, 'either name or signerName must be specified'));
  }
  if (path === '') errors.push(required(`${field}.path`));
  checkFileUser(user, `${field}.user`, errors);
  checkFilePath(path, `${field}.path`, errors);
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const SECONDS_MIN = 3600;

/** A key and certificates, in one file or in two. */
function checkCertificate(
  certificate: PodCertificateProjection,
  field: string,
  errors: FieldError[],
): void {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds } = certificate;
  checkSignerName(signerName, `${field}.signerName`, errors);
  if (certificate.userAnnotations) {
    checkSaidToSigner(certificate.userAnnotations, `${field}.userAnnotations`, errors);
  }
  checkFileUser(certificate.user, `${field}.user`, errors);
  if (!KEY_TYPES.includes(keyType)) {
    errors.push(notSupported(`${field}.keyType`, keyType, KEY_TYPES));
  }
  if (seconds !== undefined) {
    const at = `${field}.maxExpirationSeconds`;
    const most = certificateSecondsMax(signerName);
    const rule =
      seconds < SECONDS_MIN ? `>= ${SECONDS_MIN}` : seconds > most ? `<= ${most}` : undefined;
    if (rule !== undefined) {
      errors.push(invalid(at, seconds, `if provided, maxExpirationSeconds must be ${rule}`));
    }
  }
  checkCertificatePaths(certificate, field, errors);
}

const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

function checkCertificatePaths(
  certificate: PodCertificateProjection,
  field: string,
  errors: FieldError[],
): void {
  const said = CERTIFICATE_PATHS.filter((member) => (certificate[member] ?? '') !== '');
  for (const member of said) {
    checkFilePath(certificate[member] ?? '', `${field}.${member}`, errors);
  }
  if (said.length > 0) return;
  const detail = 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath';
  errors.push(required(field, detail));
}
