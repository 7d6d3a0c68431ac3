/** Checks the status that a node reports about its pod (README.md#pods). */
import type { HostIP, Pod, PodIP, PodStatus } from '#messages/core.v1';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  fieldForbidden,
  fieldInternalError,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { dnsSubdomain, qualifiedName } from '../../../semantics/metadata/names.ts';
import { ipWarnings } from '../../../semantics/validation/address-warnings.ts';
import { addressRules, checkIp } from '../../../semantics/validation/network-validation.ts';
import { checkReported, checkTransitions } from './containers/container-statuses.ts';
import { checkClaimStatuses, checkVolumeHealth, keepClaimStatuses } from './pod-claim-statuses.ts';

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

/** Rules for the status of a pod that is written. */
export function checkPodStatus(
  { status = {}, spec = {} }: Pod,
  { status: stored = {}, spec: before = {} }: Pod,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const rules = { gates, stored: before };
  checkConditions(status.conditions ?? [], errors);
  checkNomination(status, stored, before.nodeName, gates, errors);
  checkGeneration(status.observedGeneration, 'status.observedGeneration', errors);
  if (ownRelease().has('fixedServiceClasses') && status.qosClass !== stored.qosClass) {
    errors.push(invalid('status.qosClass', status.qosClass ?? '', FIELD_IMMUTABLE));
  }
  checkTransitions(status, stored, before, rules, errors);
  checkClaimStatuses(status, spec, errors);
  if (status.volumeHealth) {
    checkVolumeHealth(status.volumeHealth, spec, 'status.volumeHealth', errors);
  }
  checkAddresses(status.podIPs ?? [], stored.podIPs, gates, 'status.podIPs', errors);
  checkSameAddress(status, errors);
  checkHostAddresses(status, stored.hostIPs, gates, errors);
  checkReported(status, spec, rules, errors);
}

function checkConditions(
  conditions: NonNullable<PodStatus['conditions']>,
  errors: FieldError[],
): void {
  const release = ownRelease();
  const isOld = !release.has('typesOfPodConditions');
  const member = isOld ? 'Condition' : 'Type';
  const list = isOld || release.has('generationsInPodStatus') ? 'status' : 'metadata';
  conditions.forEach(({ type = '', observedGeneration }, index) => {
    const at = `${list}.conditions[${index}]`;
    checkGeneration(observedGeneration, `${at}.observedGeneration`, errors);
    if (SYSTEM_CONDITIONS.has(type)) return;
    addProblems(qualifiedName(type), `${at}.${member}`, type, errors);
  });
}

/** The node where others make room for the pod, which has one already when it is bound. */
function checkNomination(
  { nominatedNodeName: nominated = '' }: PodStatus,
  { nominatedNodeName: before = '' }: PodStatus,
  nodeName = '',
  gates: FeatureGates,
  errors: FieldError[],
): void {
  if (nominated === '' || nominated === before) return;
  const field = 'status.nominatedNodeName';
  addProblems(dnsSubdomain(nominated), field, nominated, errors);
  if (nodeName === '' || !gates.has('ClearingNominatedNodeNameAfterBinding')) return;
  errors.push(fieldForbidden(field, 'may not be set on pods that are already bound to a node'));
}

/** Undefined in releases that have none. */
function checkGeneration(
  generation: number | bigint | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (generation === undefined || generation >= 0) return;
  errors.push(invalid(field, generation, 'must be a non-negative integer'));
}

function checkHostAddresses(
  { hostIP = '', hostIPs = [] }: PodStatus,
  stored: readonly HostIP[] | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const field = 'status.hostIPs';
  const [first] = hostIPs;
  if (first === undefined) return;
  if (hostIP !== (first.ip ?? '')) {
    errors.push(invalid(`${field}[0].ip`, first.ip ?? '', 'must be equal to `hostIP`'));
  }
  checkAddresses(hostIPs, stored, gates, field, errors);
}

/** The one address is the first of the list. */
function checkSameAddress({ podIP = '', podIPs = [] }: PodStatus, errors: FieldError[]): void {
  if (!ownRelease().has('samePodAddresses')) return;
  const field = 'status.podIPs';
  const [first] = podIPs;
  if ((podIP !== '') !== (first !== undefined)) {
    const detail = 'podIP and podIPs must either both be set or both be unset';
    errors.push(invalid(field, podIPs, detail));
  } else if (first !== undefined && podIP !== (first.ip ?? '')) {
    errors.push(invalid(`${field}[0].ip`, first.ip ?? '', 'must be equal to `podIP`'));
  }
}

/** Restores what a status does not say, because its writer does not know it. */
export function keepStatusMembers(status: PodStatus, stored: PodStatus): void {
  const release = ownRelease();
  const { qosClass } = stored;
  const isUnsaid = (status.qosClass ?? '') === '';
  if (release.has('fixedServiceClasses') && isUnsaid && qosClass !== undefined) {
    status.qosClass = qosClass;
  }
  keepClaimStatuses(status, stored);
  if (!release.has('generationsInPodStatus')) return;
  keepGeneration(status, stored);
  // There may be several conditions of one type: each has the generation of the one before it.
  const rest = [...(stored.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const at = rest.findIndex(({ type }) => type === condition.type);
    const [before] = at < 0 ? [] : rest.splice(at, 1);
    if (before !== undefined) keepGeneration(condition, before);
  }
}

interface Observing {
  observedGeneration?: number | bigint;
}

function keepGeneration(now: Observing, { observedGeneration }: Observing): void {
  if (observedGeneration !== undefined) now.observedGeneration ??= observedGeneration;
}

/** One address of each family at most. */
function checkAddresses(
  addresses: readonly PodIP[],
  stored: readonly PodIP[] = [],
  gates: FeatureGates,
  field: string,
  errors: FieldError[],
): void {
  const isNewer = ownRelease().has('addressWarnings');
  const rules = isNewer
    ? addressRules(
        gates,
        stored.map(({ ip = '' }) => ip),
      )
    : undefined;
  const families = new Set(addresses.map(({ ip = '' }) => parseIp(ip)?.family));
  addresses.forEach(({ ip = '' }, index) => checkIp(ip, `${field}[${index}]`, errors, rules));
  const isUnclear = addresses.length > 1 && families.has(undefined);
  if (isUnclear) {
    const at = addresses.findIndex(({ ip = '' }) => parseIp(ip) === undefined);
    const problem = ownRelease().has('placesOfPodAddresses')
      ? `invalid IP[${at}]: ${addresses[at]?.ip ?? ''}`
      : 'ip <nil> is invalid';
    errors.push(fieldInternalError(field, `failed to check for dual stack with error:${problem}`));
  }
  if (isUnclear || addresses.length > families.size) {
    const detail = 'may specify no more than one IP for each IP family';
    errors.push(invalid(field, addresses, detail));
  }
  if (isNewer) return;
  const seen = new Set<string>();
  addresses.forEach((address, index) => {
    const { ip = '' } = address;
    if (seen.has(ip)) errors.push(duplicate(`${field}[${index}]`, address));
    seen.add(ip);
  });
}

/** Warnings about addresses that are taken, and that are not written as they should be. */
export function podStatusWarnings({ podIPs = [], hostIPs = [] }: PodStatus = {}): string[] {
  return [
    ...podIPs.flatMap(({ ip = '' }, index) => ipWarnings(ip, `status.podIPs[${index}].ip`)),
    ...hostIPs.flatMap(({ ip = '' }, index) => ipWarnings(ip, `status.hostIPs[${index}].ip`)),
  ];
}
