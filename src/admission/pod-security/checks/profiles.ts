/** By which profiles the kernel confines the containers of a pod. */
import type { SELinuxOptions } from '#messages/core.v1';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { APP_ARMOR_OF_CONTAINER } from '../../../resources/core/pods/pod-annotations.ts';
import {
  SECCOMP_OF_CONTAINER,
  SECCOMP_OF_POD,
} from '../../../resources/core/pods/seccomp-annotations.ts';
import {
  containersThat,
  counted,
  distinctSorted,
  inQuotes,
  named,
  sayers,
  type CheckedPod,
  type Violation,
} from '../pod-check.ts';

const LOCALHOST = 'localhost/';

export function appArmor({
  metadata: { annotations = {} } = {},
}: CheckedPod): Violation | undefined {
  const forbidden: string[] = [];
  for (const [key, profile] of Object.entries(annotations)) {
    if (!key.startsWith(APP_ARMOR_OF_CONTAINER)) continue;
    if (profile === '' || profile === 'runtime/default' || profile.startsWith(LOCALHOST)) continue;
    forbidden.push(`${key}=${quoteText(profile)}`);
  }
  if (forbidden.length === 0) return undefined;
  const reason = counted('forbidden AppArmor profile', forbidden);
  return { reason, detail: distinctSorted(forbidden).join(', ') };
}

const SELINUX_TYPES: ReadonlySet<string> = new Set([
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
]);

export function seLinuxOptions(pod: CheckedPod): Violation | undefined {
  const types: string[] = [];
  let hasUser = false;
  let hasRole = false;
  const isForbidden = ({ type = '', user = '', role = '' }: SELinuxOptions): boolean => {
    const isOtherType = !SELINUX_TYPES.has(type);
    if (isOtherType) types.push(type);
    hasUser ||= user !== '';
    hasRole ||= role !== '';
    return isOtherType || user !== '' || role !== '';
  };
  const podSays = isForbidden(pod.spec?.securityContext?.seLinuxOptions ?? {});
  const containers = containersThat(pod, (context) => isForbidden(context.seLinuxOptions ?? {}));
  const who = sayers(podSays, containers);
  if (who === '') return undefined;
  const what: string[] = [];
  // As in the reference, a user and a role are told of beside a type only.
  if (types.length > 0) {
    what.push(named('type', distinctSorted(types)));
    if (hasUser) what.push('user may not be set');
    if (hasRole) what.push('role may not be set');
  }
  const detail = `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`;
  return { reason: 'seLinuxOptions', detail };
}

const SECCOMP_ANNOTATIONS: ReadonlySet<string> = new Set(['runtime/default', 'docker/default']);
const SECCOMP_TYPES: ReadonlySet<string> = new Set(['RuntimeDefault', 'Localhost']);

/** As profiles were named before there were members for them. */
export function seccompAnnotations(pod: CheckedPod): Violation | undefined {
  const { annotations = {} } = pod.metadata ?? {};
  const forbidden: string[] = [];
  const look = (key: string): void => {
    const profile = annotations[key];
    if (profile === undefined) return;
    if (SECCOMP_ANNOTATIONS.has(profile) || profile.startsWith(LOCALHOST)) return;
    forbidden.push(`${key}=${quoteText(profile)}`);
  };
  look(SECCOMP_OF_POD);
  containersThat(pod, (_context, { name = '' }) => {
    look(SECCOMP_OF_CONTAINER + name);
    return false;
  });
  if (forbidden.length === 0) return undefined;
  const texts = distinctSorted(forbidden);
  const detail = `forbidden ${counted('annotation', texts)} ${texts.join(', ')}`;
  return { reason: 'seccompProfile', detail };
}

export function seccompProfile(pod: CheckedPod): Violation | undefined {
  const types: string[] = [];
  const isForbidden = (profile: { type?: string } | undefined): boolean => {
    if (profile === undefined || SECCOMP_TYPES.has(profile.type ?? '')) return false;
    types.push(profile.type ?? '');
    return true;
  };
  const podSays = isForbidden(pod.spec?.securityContext?.seccompProfile);
  const containers = containersThat(pod, (context) => isForbidden(context.seccompProfile));
  const who = sayers(podSays, containers);
  if (who === '') return undefined;
  const values = inQuotes(distinctSorted(types));
  const detail = `${who} must not set securityContext.seccompProfile.type to ${values}`;
  return { reason: 'seccompProfile', detail };
}

/** Like `seccompProfile`, but there must be a profile. */
export function requiredSeccompProfile(pod: CheckedPod): Violation | undefined {
  const forbidden = seccompProfile(pod);
  if (forbidden !== undefined) return forbidden;
  if (pod.spec?.securityContext?.seccompProfile !== undefined) return undefined;
  const containers = containersThat(pod, (context) => context.seccompProfile === undefined);
  if (containers.length === 0) return undefined;
  const rule = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: 'seccompProfile', detail: `pod or ${named('container', containers)} ${rule}` };
}
