/** Profiles of AppArmor stood in annotations before there were members for them. */
import type { AppArmorProfile, Pod, PodSpec } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { ownRelease } from '../../../release/release.ts';
import { fieldForbidden, type FieldError } from '../../../semantics/errors/field-error.ts';
import { forEachContainer } from './containers/containers.ts';
import { APP_ARMOR_OF_CONTAINER } from './pod-annotations.ts';
import { checkAppArmor } from './pod-security-context.ts';

/** The warning about an annotation that is no member. */
export const APP_ARMOR_TEXT = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const UNCONFINED = 'unconfined';
const RUNTIME_DEFAULT = 'runtime/default';
const LOCALHOST_PREFIX = 'localhost/';

/** Undefined for an annotation that is not valid. */
export function appArmorOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === UNCONFINED) return { type: 'Unconfined' };
  if (annotation === RUNTIME_DEFAULT) return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST_PREFIX)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST_PREFIX.length);
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

/** Warnings about annotations of a new pod that were copied, or say nothing that can be. */
export function appArmorWarnings({ metadata, spec = {} }: Pod): string[] {
  if (!ownRelease().has('appArmorMembers') || spec.os?.name === 'windows') return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  const warnings: string[] = [];
  forEachContainer(spec, '', ({ name = '', securityContext }) => {
    const key = APP_ARMOR_OF_CONTAINER + name;
    const annotation = metadata.annotations?.[key];
    if (annotation === undefined) return;
    const profile = validProfile(annotation);
    const own = securityContext?.appArmorProfile;
    const wasCopied = profile !== undefined && own !== undefined && !deepEqual(profile, ofPod);
    if (!wasCopied && (profile !== undefined || own !== undefined)) return;
    warnings.push(`metadata.annotations[${key}]: ${APP_ARMOR_TEXT}`);
  });
  return warnings;
}

/** Copies profiles that stand only in an annotation of a new pod to the member of the container. */
export function syncAppArmor({ metadata, spec = {} }: Pod): void {
  if (!ownRelease().has('appArmorMembers') || spec.os?.name === 'windows') return;
  const ofPod = spec.securityContext?.appArmorProfile;
  forEachContainer(spec, '', (container) => {
    const annotation = metadata.annotations?.[APP_ARMOR_OF_CONTAINER + (container.name ?? '')];
    if (annotation === undefined || container.securityContext?.appArmorProfile) return;
    const profile = validProfile(annotation);
    if (profile === undefined || deepEqual(profile, ofPod)) return;
    container.securityContext ??= {};
    container.securityContext.appArmorProfile = profile;
  });
}

function validProfile(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorOf(annotation);
  const errors: FieldError[] = [];
  if (profile !== undefined) checkAppArmor(profile, '', errors);
  return errors.length > 0 ? undefined : profile;
}

/** Adds an error where an annotation and the member that replaces it say different things. */
export function checkSameAppArmor(
  annotations: Readonly<Record<string, string>>,
  spec: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  if (!ownRelease().has('appArmorMembers') || spec.os?.name === 'windows') return;
  forEachContainer(spec, field, ({ name = '', securityContext }, path) => {
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[APP_ARMOR_OF_CONTAINER + name];
    if (profile === undefined || annotation === undefined) return;
    checkSame(annotation, profile, `${path}.securityContext.appArmorProfile`, errors);
  });
}

function checkSame(
  annotation: string,
  { type, localhostProfile }: AppArmorProfile,
  field: string,
  errors: FieldError[],
): void {
  const isSameType =
    (type === 'Unconfined' && annotation === UNCONFINED) ||
    (type === 'RuntimeDefault' && annotation === RUNTIME_DEFAULT) ||
    (type === 'Localhost' && annotation.startsWith(LOCALHOST_PREFIX));
  if (!isSameType) {
    // An unknown type has an error of its own.
    if (type !== 'Unconfined' && type !== 'RuntimeDefault' && type !== 'Localhost') return;
    const detail = 'apparmor type in annotation and field must match';
    errors.push(fieldForbidden(`${field}.type`, detail));
  } else if (type === 'Localhost' && annotation !== LOCALHOST_PREFIX + (localhostProfile ?? '')) {
    const detail = 'apparmor profile in annotation and field must match';
    errors.push(fieldForbidden(`${field}.localhostProfile`, detail));
  }
}
