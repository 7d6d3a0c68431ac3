/**
 * Seccomp profiles stood in annotations before there were members for them. A new pod has them in
 * both places, for old nodes and old clients.
 */
import type { Container, Pod, PodSpec, SeccompProfile } from '#messages/core.v1';
import { textMap } from '../../../base/text/text-map.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { fieldForbidden, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import type { ObjectMeta } from '../../../semantics/metadata/object-meta.ts';
import { forEachContainer } from './containers/containers.ts';
import { checkDescendingPath } from '../volumes/volume-paths.ts';

export const SECCOMP_OF_POD = ownName('seccomp.security.alpha.cluster.io/pod');
/** Prefix of the annotation; the name of the container follows. */
export const SECCOMP_OF_CONTAINER = ownName('container.seccomp.security.alpha.cluster.io/');

const UNCONFINED = 'unconfined';
const RUNTIME_DEFAULT = 'runtime/default';
const RUNTIME_DEFAULTS: ReadonlySet<string> = new Set([RUNTIME_DEFAULT, 'docker/default']);
const LOCALHOST_PREFIX = 'localhost/';
const TYPES = ['Unconfined', 'RuntimeDefault', 'Localhost'];

type Confined = PodSpec | Container;

/** Copies profiles that stand only in a member to the annotation, and the other way round. */
export function syncSeccomp({ metadata, spec = {} }: Pod): void {
  joinOne(metadata, SECCOMP_OF_POD, spec);
  forEachContainer(spec, '', (container) => {
    joinOne(metadata, SECCOMP_OF_CONTAINER + (container.name ?? ''), container);
  });
}

function joinOne(metadata: ObjectMeta, key: string, confined: Confined): void {
  const profile = confined.securityContext?.seccompProfile;
  const annotation = metadata.annotations?.[key];
  if (profile !== undefined && annotation === undefined) {
    const text = annotationOf(profile);
    if (text === '') return;
    metadata.annotations ??= textMap();
    metadata.annotations[key] = text;
  } else if (profile === undefined && annotation !== undefined) {
    const said = profileOf(annotation);
    if (said === undefined) return;
    confined.securityContext ??= {};
    confined.securityContext.seccompProfile = said;
  }
}

/** '' for a profile that is not valid. */
function annotationOf({ type, localhostProfile }: SeccompProfile): string {
  if (type === 'Unconfined') return UNCONFINED;
  if (type === 'RuntimeDefault') return RUNTIME_DEFAULT;
  if (type !== 'Localhost' || localhostProfile === undefined) return '';
  return LOCALHOST_PREFIX + localhostProfile;
}

/** Undefined for an annotation that is not valid. */
function profileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === UNCONFINED) return { type: 'Unconfined' };
  if (RUNTIME_DEFAULTS.has(annotation)) return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST_PREFIX)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST_PREFIX.length);
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

/** Adds the problems of the profiles that the annotations at the path `field` name. */
export function checkSeccompAnnotations(
  annotations: Readonly<Record<string, string>>,
  field: string,
  errors: FieldError[],
): void {
  for (const key of Object.keys(annotations)) {
    if (key !== SECCOMP_OF_POD && !key.startsWith(SECCOMP_OF_CONTAINER)) continue;
    const profile = annotations[key] ?? '';
    const at = `${field}.${key}`;
    if (profile === UNCONFINED || RUNTIME_DEFAULTS.has(profile)) continue;
    if (profile.startsWith(LOCALHOST_PREFIX)) {
      checkDescendingPath(profile.slice(LOCALHOST_PREFIX.length), at, errors);
    } else {
      errors.push(invalid(at, profile, 'must be a valid seccomp profile'));
    }
  }
}

/** Adds an error where an annotation and the member that replaces it say different things. */
export function checkSameSeccomp(
  annotations: Readonly<Record<string, string>>,
  spec: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  const check = (key: string, confined: Confined, at: string): void => {
    const profile = confined.securityContext?.seccompProfile;
    const annotation = annotations[key];
    if (profile === undefined || annotation === undefined) return;
    checkSame(annotation, profile, `${at}.securityContext.seccompProfile`, errors);
  };
  check(SECCOMP_OF_POD, spec, field);
  forEachContainer(spec, field, (container, at) => {
    check(SECCOMP_OF_CONTAINER + (container.name ?? ''), container, at);
  });
}

function checkSame(
  annotation: string,
  profile: SeccompProfile,
  field: string,
  errors: FieldError[],
): void {
  const { type = '', localhostProfile } = profile;
  const isSameType =
    (type === 'Unconfined' && annotation === UNCONFINED) ||
    (type === 'RuntimeDefault' && RUNTIME_DEFAULTS.has(annotation)) ||
    (type === 'Localhost' && annotation.startsWith(LOCALHOST_PREFIX));
  if (!isSameType) {
    // An unknown type has an error of its own.
    if (!TYPES.includes(type)) return;
    errors.push(fieldForbidden(`${field}.type`, 'seccomp type in annotation and field must match'));
  } else if (type === 'Localhost' && annotation !== LOCALHOST_PREFIX + (localhostProfile ?? '')) {
    const detail = 'seccomp profile in annotation and field must match';
    errors.push(fieldForbidden(`${field}.localhostProfile`, detail));
  }
}
