/** Checks of the parts of its node that a pod uses. */
import {
  containersThat,
  counted,
  distinctSorted,
  named,
  sayers,
  type CheckedPod,
  type Violation,
} from '../pod-check.ts';

const NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

export function hostNamespaces({ spec = {} }: CheckedPod): Violation | undefined {
  const shared = NAMESPACES.filter((member) => spec[member] === true);
  if (shared.length === 0) return undefined;
  const detail = shared.map((member) => `${member}=true`).join(', ');
  return { reason: 'host namespaces', detail };
}

export function hostPathVolumes({ spec = {} }: CheckedPod): Violation | undefined {
  const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  if (volumes.length === 0) return undefined;
  const names = volumes.map(({ name = '' }) => name);
  return { reason: 'hostPath volumes', detail: named('volume', names) };
}

export function hostPorts(pod: CheckedPod): Violation | undefined {
  const all = new Set<string>();
  const containers = containersThat(pod, (_context, { ports = [] }) => {
    const taken = ports.filter(({ hostPort = 0 }) => hostPort !== 0);
    for (const { hostPort } of taken) all.add(String(hostPort));
    return taken.length > 0;
  });
  if (containers.length === 0) return undefined;
  const ports = distinctSorted(all);
  const verb = containers.length === 1 ? 'uses' : 'use';
  const what = `${counted('hostPort', ports)} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail: `${named('container', containers)} ${verb} ${what}` };
}

/** Processes of Windows nodes. */
export function hostProcess(pod: CheckedPod): Violation | undefined {
  const podSays = pod.spec?.securityContext?.windowsOptions?.hostProcess === true;
  const containers = containersThat(pod, ({ windowsOptions = {} }) => {
    return windowsOptions.hostProcess === true;
  });
  const who = sayers(podSays, containers);
  if (who === '') return undefined;
  const detail = `${who} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
}

const SAFE_SYSCTLS: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]);

export function sysctls({ spec = {} }: CheckedPod): Violation | undefined {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name);
  const unsafe = names.filter((name) => !SAFE_SYSCTLS.has(name));
  if (unsafe.length === 0) return undefined;
  return { reason: 'forbidden sysctls', detail: unsafe.join(', ') };
}
