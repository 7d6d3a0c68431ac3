/** Checks of the privileges of a pod's containers. */
import {
  containersThat,
  distinctSorted,
  inQuotes,
  named,
  type CheckedPod,
  type Violation,
} from '../pod-check.ts';

export function privileged(pod: CheckedPod): Violation | undefined {
  const containers = containersThat(pod, (context) => context.privileged === true);
  if (containers.length === 0) return undefined;
  const rule = 'must not set securityContext.privileged=true';
  return { reason: 'privileged', detail: `${named('container', containers)} ${rule}` };
}

export function allowPrivilegeEscalation(pod: CheckedPod): Violation | undefined {
  const containers = containersThat(pod, (context) => context.allowPrivilegeEscalation !== false);
  if (containers.length === 0) return undefined;
  const rule = 'must set securityContext.allowPrivilegeEscalation=false';
  const detail = `${named('container', containers)} ${rule}`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

export function procMount(pod: CheckedPod): Violation | undefined {
  const types: string[] = [];
  const containers = containersThat(pod, (context) => {
    if (context.procMount === undefined || context.procMount === 'Default') return false;
    types.push(context.procMount);
    return true;
  });
  if (containers.length === 0) return undefined;
  const rule = `must not set securityContext.procMount to ${inQuotes(distinctSorted(types))}`;
  return { reason: 'procMount', detail: `${named('container', containers)} ${rule}` };
}

/** Capabilities that runtimes give a container that asks for nothing, without NET_RAW. */
const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const RESTRICTED_CAPABILITIES: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

export function defaultCapabilities(pod: CheckedPod): Violation | undefined {
  const detail = addingOthers(pod, DEFAULT_CAPABILITIES);
  return detail === '' ? undefined : { reason: 'non-default capabilities', detail };
}

export function restrictedCapabilities(pod: CheckedPod): Violation | undefined {
  const keeping = containersThat(pod, ({ capabilities }) => !capabilities?.drop?.includes('ALL'));
  const details: string[] = [];
  if (keeping.length > 0) {
    const rule = 'must set securityContext.capabilities.drop=["ALL"]';
    details.push(`${named('container', keeping)} ${rule}`);
  }
  const adding = addingOthers(pod, RESTRICTED_CAPABILITIES);
  if (adding !== '') details.push(adding);
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

/** '' where no container adds others than those. */
function addingOthers(pod: CheckedPod, allowed: ReadonlySet<string>): string {
  const all = new Set<string>();
  const containers = containersThat(pod, ({ capabilities }) => {
    const others = (capabilities?.add ?? []).filter((capability) => !allowed.has(capability));
    for (const capability of others) all.add(capability);
    return others.length > 0;
  });
  if (containers.length === 0) return '';
  const others = inQuotes(distinctSorted(all));
  const rule = `must not include ${others} in securityContext.capabilities.add`;
  return `${named('container', containers)} ${rule}`;
}
