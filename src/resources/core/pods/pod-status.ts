/** Checks the status that a node reports about its pod (README.md#pods). */
import type { ContainerStatus, PodStatus } from '#messages/core.v1';
import {
  addProblems,
  duplicate,
  fieldForbidden,
  fieldInternalError,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { dnsSubdomain, qualifiedName } from '../../../semantics/metadata/names.ts';
import { checkIp } from '../../../semantics/validation/network-validation.ts';

const SYSTEM_CONDITIONS: ReadonlySet<string> = new Set([
  'ContainersReady',
  'Initialized',
  'PodScheduled',
  'Ready',
]);

/** One address is also the first of the list; `podIP` counts where they differ. */
export function syncAddresses(status: PodStatus): void {
  const { podIP = '', podIPs = [] } = status;
  const first = podIPs[0]?.ip ?? '';
  if (podIP === first) return;
  if (podIP !== '') status.podIPs = [{ ip: podIP }];
  else status.podIP = first;
}

/** Rules for a status at the path `status`; `restartPolicy` is the pod's. */
export function checkPodStatus(
  status: PodStatus,
  stored: PodStatus,
  restartPolicy: string | undefined,
  errors: FieldError[],
): void {
  const { conditions = [], nominatedNodeName: nominated = '', podIPs = [] } = status;
  conditions.forEach(({ type = '' }, index) => {
    if (SYSTEM_CONDITIONS.has(type)) return;
    addProblems(qualifiedName(type), `status.conditions[${index}].Condition`, type, errors);
  });
  if (nominated !== '' && nominated !== stored.nominatedNodeName) {
    addProblems(dnsSubdomain(nominated), 'status.nominatedNodeName', nominated, errors);
  }
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    checkTransitions(status[list], stored[list], restartPolicy, `status.${list}`, errors);
  }
  // Ephemeral containers never restart.
  const list = 'ephemeralContainerStatuses';
  checkTransitions(status[list], stored[list], 'Never', `status.${list}`, errors);
  checkAddresses(podIPs, 'status.podIPs', errors);
}

/** A container that has ended and is not restarted may not leave that state. */
function checkTransitions(
  statuses: readonly ContainerStatus[] = [],
  stored: readonly ContainerStatus[] = [],
  restartPolicy: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (restartPolicy === 'Always') return;
  stored.forEach((before, index) => {
    const { terminated } = before.state ?? {};
    if (terminated === undefined) return;
    if ((terminated.exitCode ?? 0) !== 0 && restartPolicy === 'OnFailure') return;
    const returns = statuses.some(
      (now) => now.name === before.name && now.state?.terminated === undefined,
    );
    if (!returns) return;
    const detail = 'may not be transitioned to non-terminated state';
    errors.push(fieldForbidden(`${field}[${index}].state`, detail));
  });
}

/** One address of each family at most. */
function checkAddresses(
  addresses: readonly { readonly ip?: string }[],
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  const families = new Set(addresses.map(({ ip = '' }) => parseIp(ip)?.family));
  addresses.forEach(({ ip = '' }, index) => checkIp(ip, `${field}[${index}]`, errors));
  const isUnclear = addresses.length > 1 && families.has(undefined);
  if (isUnclear) {
    const problem = 'failed to check for dual stack with error:ip <nil> is invalid';
    errors.push(fieldInternalError(field, problem));
  }
  if (isUnclear || addresses.length > families.size) {
    const detail = 'may specify no more than one IP for each IP family';
    errors.push(invalid(field, addresses, detail));
  }
  addresses.forEach((address, index) => {
    const { ip = '' } = address;
    if (seen.has(ip)) errors.push(duplicate(`${field}[${index}]`, address));
    seen.add(ip);
  });
}
