/** Volumes whose files are made of other objects (README.md#volumes). */
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '#messages/core.v1';
import { invalid, required, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkTokenSeconds } from '../../../semantics/options/token-seconds.ts';
import { checkNamed } from '../local-reference.ts';
import { checkFieldSelector, checkResourceSelector } from '../downward-fields.ts';
import { checkFilePath, checkMode } from './volume-paths.ts';
import { refuseOtherSources } from './volume-source-rules.ts';

/** Fields of a pod that may be a file. */
const FILE_FIELDS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const PROJECTIONS = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;

/** Adds the problems of the keys of a ConfigMap or Secret that become files, and of their modes. */
export function checkKeyFiles(
  { items = [], defaultMode }: { readonly items?: KeyToPath[]; readonly defaultMode?: number },
  field: string,
  errors: FieldError[],
): void {
  checkMode(defaultMode, `${field}.defaultMode`, errors);
  items.forEach((item, index) => checkKeyToPath(item, `${field}.items[${index}]`, errors));
}

/** Missing keys and paths are the schema's errors. */
function checkKeyToPath({ path = '', mode }: KeyToPath, field: string, errors: FieldError[]): void {
  checkFilePath(path, `${field}.path`, errors);
  checkMode(mode, `${field}.mode`, errors);
}

/** Adds the problems of files that show fields of the pod. */
export function checkDownwardFiles(
  { items = [], defaultMode }: { items?: DownwardAPIVolumeFile[]; defaultMode?: number },
  field: string,
  errors: FieldError[],
): void {
  checkMode(defaultMode, `${field}.defaultMode`, errors);
  // The reference leaves `items` and the index out of these paths.
  for (const item of items) checkDownwardFile(item, field, errors);
}

function checkDownwardFile(
  { path = '', fieldRef, resourceFieldRef, mode }: DownwardAPIVolumeFile,
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
}

/** Several objects in one directory: each source of one type, no file twice. */
export function checkProjected(
  { sources = [], defaultMode }: ProjectedVolumeSource,
  field: string,
  errors: FieldError[],
): void {
  checkMode(defaultMode, `${field}.defaultMode`, errors);
  const paths = new Set<string>();
  sources.forEach((source, index) => {
    const at = `${field}.sources[${index}]`;
    const [first, ...others] = PROJECTIONS.filter((member) => source[member] !== undefined);
    if (first !== undefined) checkProjection(first, source, at, errors);
    refuseOtherSources(others, at, errors);
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
  }
}

function listedPaths({ secret, configMap, downwardAPI }: VolumeProjection): string[] {
  const items = [
    ...(secret?.items ?? []),
    ...(configMap?.items ?? []),
    ...(downwardAPI?.items ?? []),
  ];
  return items.map(({ path = '' }) => path).filter((path) => path !== '');
}

/** The reference shows the name of the object that the second file is of, if it has one. */
function conflictName({ secret, configMap }: VolumeProjection, path: string): string {
  return (secret ?? configMap)?.name ?? path;
}

/** A missing path is the schema's error. */
function checkToken(
  { expirationSeconds = 0, path = '' }: ServiceAccountTokenProjection,
  field: string,
  errors: FieldError[],
): void {
  checkTokenSeconds(expirationSeconds, `${field}.expirationSeconds`, errors);
  checkFilePath(path, `${field}.path`, errors);
}
