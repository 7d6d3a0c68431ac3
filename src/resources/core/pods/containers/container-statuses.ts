/** Checks the statuses of containers, which a node reports. */
import type {
  Container,
  ContainerStatus,
  PodExtendedResourceClaimStatus,
  PodSpec,
  PodStatus,
  ResourceStatus,
} from '#messages/core.v1';
import { quantitySign } from '../../../../codec/leaves/quantity.ts';
import { ownRelease } from '../../../../release/release.ts';
import {
  duplicate,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import type { PodRules } from '../../pod-rules.ts';
import { allowsRestartOfAll, allowsRules, isRestarted, restartsAll } from './restart-policy.ts';

const MAIN = 'containerStatuses';
const INIT = 'initContainerStatuses';
const EPHEMERAL = 'ephemeralContainerStatuses';

/** Whether a container may run again after it has ended. */
type MayRestart = (name: string, exitCode: number) => boolean;

/** A container that has ended and is not restarted may not leave that state. */
export function checkTransitions(
  status: PodStatus,
  stored: PodStatus,
  spec: PodSpec,
  rules: PodRules,
  errors: FieldError[],
): void {
  const check = (list: typeof MAIN | typeof INIT | typeof EPHEMERAL, may: MayRestart): void => {
    checkEnds(status[list], stored[list], may, `status.${list}`, errors);
  };
  check(MAIN, restartRule(spec, spec.containers, rules));
  check(INIT, restartRule(spec, spec.initContainers, rules));
  check(EPHEMERAL, () => false);
}

function restartRule(
  spec: PodSpec,
  containers: readonly Container[] = [],
  rules: PodRules,
): MayRestart {
  const hasRules = allowsRules(rules);
  const ofAll = hasRules && allowsRestartOfAll(rules);
  if (ofAll && restartsAll(spec)) return () => true;
  return (name, exitCode) => {
    const container = containers.find((one) => (one.name ?? '') === name);
    if (container === undefined && hasRules) return false;
    return isRestarted(container ?? {}, spec.restartPolicy, exitCode, ofAll);
  };
}

function checkEnds(
  statuses: readonly ContainerStatus[] = [],
  stored: readonly ContainerStatus[] = [],
  mayRestart: MayRestart,
  field: string,
  errors: FieldError[],
): void {
  stored.forEach(({ name = '', state }, index) => {
    if (state?.terminated === undefined) return;
    const returns = statuses.some(
      (now) => (now.name ?? '') === name && now.state?.terminated === undefined,
    );
    if (!returns || mayRestart(name, state.terminated.exitCode ?? 0)) return;
    const detail = 'may not be transitioned to non-terminated state';
    errors.push(fieldForbidden(`${field}[${index}].state`, detail));
  });
}

/** Checks as whom the containers run, what they were given, and what their volumes are. */
export function checkReported(
  status: PodStatus,
  spec: PodSpec,
  rules: PodRules,
  errors: FieldError[],
): void {
  const { [MAIN]: main = [], [INIT]: init = [], [EPHEMERAL]: ephemeral = [] } = status;
  const os = spec.os?.name ?? 'linux';
  checkUsers(main, os, `status.${MAIN}`, errors);
  checkUsers(init, os, `status.${INIT}`, errors);
  checkUsers(ephemeral, os, `status.${EPHEMERAL}`, errors);
  const ofPod = status.extendedResourceClaimStatus;
  checkAllocated(main, spec.containers, ofPod, `status.${MAIN}`, errors);
  checkAllocated(init, spec.initContainers, ofPod, `status.${INIT}`, errors);
  ephemeral.forEach(({ allocatedResourcesStatus = [] }, index) => {
    if (allocatedResourcesStatus.length === 0) return;
    const at = `status.${EPHEMERAL}[${index}].allocatedResourcesStatus`;
    errors.push(fieldForbidden(at, 'must not be specified in container status'));
  });
  if (!rules.gates.has('ImageVolumeWithDigest')) return;
  checkImages(main, `status.${MAIN}`, errors);
  checkImages(init, `status.${INIT}`, errors);
  checkImages(ephemeral, `status.${EPHEMERAL}`, errors);
}

const GROUP_MAX = 2 ** 31 - 1;

function checkUsers(
  statuses: readonly ContainerStatus[],
  os: string,
  field: string,
  errors: FieldError[],
): void {
  const release = ownRelease();
  const userMax = release.has('anyUsersOfContainers') ? 2 ** 32 - 1 : GROUP_MAX;
  const member = release.has('pathsOfContainerUsers') ? 'user.linux' : 'linux';
  statuses.forEach(({ user }, index) => {
    if (user?.linux === undefined) return;
    const at = `${field}[${index}].${member}`;
    if (os === 'windows') errors.push(fieldForbidden(at, 'cannot be set for a windows pod'));
    if (os !== 'linux') return;
    const { uid = 0, gid = 0, supplementalGroups = [] } = user.linux;
    checkId(uid, userMax, `${at}.uid`, errors);
    checkId(gid, GROUP_MAX, `${at}.gid`, errors);
    supplementalGroups.forEach((group, place) => {
      checkId(group, GROUP_MAX, `${at}.supplementalGroups[${place}]`, errors);
    });
  });
}

function checkId(id: number | bigint, idMax: number, field: string, errors: FieldError[]): void {
  if (id >= 0 && id <= idMax) return;
  errors.push(invalid(field, id, `must be between 0 and ${idMax}, inclusive`));
}

function checkAllocated(
  statuses: readonly ContainerStatus[],
  containers: readonly Container[] = [],
  ofPod: PodExtendedResourceClaimStatus | undefined,
  field: string,
  errors: FieldError[],
): void {
  statuses.forEach(({ name, allocatedResourcesStatus = [] }, index) => {
    const container = containers.find((one) => one.name === name);
    allocatedResourcesStatus.forEach((resource, place) => {
      const at = `${field}[${index}].allocatedResourcesStatus[${place}]`;
      if (container !== undefined) checkAsked(resource.name ?? '', container, ofPod, at, errors);
      checkHealth(resource, `${at}.resources`, errors);
    });
  });
}

const CLAIM = 'claim:';

/** Adds an error unless the container has asked for what is told of. */
function checkAsked(
  name: string,
  container: Container,
  ofPod: PodExtendedResourceClaimStatus | undefined,
  field: string,
  errors: FieldError[],
): void {
  const release = ownRelease();
  const { requests = {}, claims = [] } = container.resources ?? {};
  if (!name.startsWith(CLAIM) || !release.has('healthOfClaims')) {
    if (Object.hasOwn(requests, name)) return;
    const what = release.has('healthOfClaims') ? 'requests' : 'requirements';
    errors.push(
      invalid(`${field}.name`, name, `must match one of the container's resource ${what}`),
    );
    return;
  }
  const told = name.slice(CLAIM.length);
  const isClaimed = claims.some(
    ({ name: claim = '', request = '' }) =>
      told === (request === '' ? claim : `${claim}/${request}`),
  );
  if (isClaimed || isMapped(told, container, ofPod)) return;
  const form = release.has('healthOfExtendedClaims')
    ? "as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set " +
      "or 'claim:<claimName>' when it is empty"
    : "in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  const detail = `must match one of the container's resource claims ${form}`;
  errors.push(invalid(`${field}.name`, name, detail));
}

/** Whether `told` is a claim that the scheduler made for extended resources of the container. */
function isMapped(
  told: string,
  { name, resources }: Container,
  ofPod: PodExtendedResourceClaimStatus | undefined,
): boolean {
  if (ofPod === undefined || !ownRelease().has('healthOfExtendedClaims')) return false;
  const slash = told.indexOf('/');
  if (slash <= 0 || told.slice(0, slash) !== ofPod.resourceClaimName) return false;
  const request = told.slice(slash + 1);
  if (request === '') return false;
  return (ofPod.requestMappings ?? []).some(({ containerName, requestName, resourceName = '' }) => {
    const amount = resources?.requests?.[resourceName];
    const isOfThis = containerName === name && requestName === request;
    return isOfThis && amount !== undefined && quantitySign(amount) !== 0;
  });
}

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const HEALTH_MESSAGE_MAX = 1024;

function checkHealth(
  { resources = [] }: ResourceStatus,
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  resources.forEach(({ resourceID: id = '', health = '', message }, index) => {
    const at = `${field}[${index}]`;
    if (!HEALTH.includes(health)) errors.push(notSupported(`${at}.health`, health, HEALTH));
    if (message === '') {
      errors.push(required(`${at}.message`, 'must be non-empty if specified'));
    } else if (message !== undefined && Buffer.byteLength(message) > HEALTH_MESSAGE_MAX) {
      errors.push(tooLong(`${at}.message`, HEALTH_MESSAGE_MAX));
    }
    if (seen.has(id)) errors.push(duplicate(`${at}.resourceID`, id));
    seen.add(id);
  });
}

const IMAGE_REFERENCE_MAX = 256;

function checkImages(
  statuses: readonly ContainerStatus[],
  field: string,
  errors: FieldError[],
): void {
  statuses.forEach(({ volumeMounts = [] }, index) => {
    volumeMounts.forEach(({ volumeStatus }, place) => {
      if (volumeStatus?.image === undefined) return;
      const { imageRef = '' } = volumeStatus.image;
      // The reference names a member that there is not.
      const path = `${field}[${index}].volumeMounts[${place}].volumeStatus.imageVolumeStatus`;
      const at = `${path}.imageRef`;
      if (imageRef === '') errors.push(required(at, 'imageRef must not be empty'));
      if (Buffer.byteLength(imageRef) <= IMAGE_REFERENCE_MAX) return;
      errors.push(tooLong(at, IMAGE_REFERENCE_MAX));
    });
  });
}
