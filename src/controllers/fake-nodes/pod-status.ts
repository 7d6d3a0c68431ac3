/** The status of a pod on a fake node: as a kubelet writes it, without any container. */
import type { Container, Pod, PodCondition, PodStatus } from '#messages/core.v1';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { parseDuration } from '../../codec/leaves/duration-text.ts';
import { ownRelease } from '../../release/release.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';

/** After how long a pod that is not to be restarted ends, and with which code. */
const ENDS_AFTER = 'shardplane.io/ends-after';
const EXIT_CODE = 'shardplane.io/exit-code';
const NANOS_PER_MS = 1e6;
const EXIT_CODE_MAX = 255;

/** What a pod gets of its node. */
export interface RunsOn {
  readonly hostIP: string;
  readonly podIP: string;
  readonly nowMs: number;
  readonly featureGates: FeatureGates;
}

export function isFinal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function runningStatus(pod: Pod, { hostIP, podIP, nowMs, featureGates }: RunsOn): PodStatus {
  const time = utcSeconds(nowMs);
  const {
    spec,
    status = {},
    metadata: { uid = '' },
  } = pod;
  const { initContainers = [], containers = [] } = spec ?? {};
  const running = { running: { startedAt: time } };
  const done = { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time };
  const statusOf = (container: Container, state: object, isReady: boolean): object => ({
    name: container.name,
    image: container.image ?? '',
    imageID: `fake://${container.image ?? ''}`,
    containerID: `fake://${uid}/${container.name}`,
    ready: isReady,
    restartCount: 0,
    started: !('terminated' in state),
    state,
  });
  const gates = spec?.readinessGates ?? [];
  const isReady = gates.every(({ conditionType }) =>
    status.conditions?.some((one) => one.type === conditionType && one.status === 'True'),
  );
  const conditions = [
    ...(featureGates.has('PodReadyToStartContainersCondition')
      ? [condition('PodReadyToStartContainers', true, time)]
      : []),
    condition('Initialized', true, time),
    condition('Ready', isReady, time),
    condition('ContainersReady', true, time),
    condition('PodScheduled', true, time),
  ];
  return {
    ...status,
    phase: 'Running',
    hostIP,
    ...(ownRelease().has('listedHostAddresses') && { hostIPs: [{ ip: hostIP }] }),
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: time,
    conditions: merged(status.conditions, conditions),
    ...(initContainers.length > 0 && {
      initContainerStatuses: initContainers.map((one) => {
        const isSidecar = one.restartPolicy === 'Always';
        return statusOf(one, isSidecar ? running : { terminated: done }, true);
      }),
    }),
    containerStatuses: containers.map((one) => statusOf(one, running, true)),
  } as PodStatus;
}

/** When a running pod ends by itself; undefined for never. What is no duration says nothing. */
export function endMsOf({ metadata, spec, status }: Pod): number | undefined {
  const after = metadata?.annotations?.[ENDS_AFTER];
  if (after === undefined || (spec?.restartPolicy ?? 'Always') === 'Always') return undefined;
  try {
    return Date.parse(status?.startTime ?? '') + Number(parseDuration(after)) / NANOS_PER_MS;
  } catch {
    return undefined;
  }
}

/** The status of one that ends now. */
export function endedStatus(pod: Pod, nowMs: number): PodStatus {
  const { metadata, status = {} } = pod;
  const finishedAt = utcSeconds(nowMs);
  const exitCode = exitCodeOf(metadata?.annotations?.[EXIT_CODE]);
  const isWell = exitCode === 0;
  const reason = isWell ? 'PodCompleted' : 'PodFailed';
  const ended = (status.containerStatuses ?? []).map((one) => ({
    ...one,
    ready: false,
    started: false,
    state: {
      terminated: {
        exitCode,
        reason: isWell ? 'Completed' : 'Error',
        startedAt: one.state?.running?.startedAt,
        finishedAt,
        containerID: one.containerID,
      },
    },
  }));
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({
    ...condition(type, false, finishedAt),
    reason,
  }));
  return {
    ...status,
    phase: isWell ? 'Succeeded' : 'Failed',
    conditions: merged(status.conditions, conditions),
    containerStatuses: ended,
  } as PodStatus;
}

function exitCodeOf(text: string | undefined): number {
  const code = Number(text ?? '0');
  return Number.isInteger(code) && code >= 0 && code <= EXIT_CODE_MAX ? code : 1;
}

function condition(type: string, isTrue: boolean, lastTransitionTime: string): PodCondition {
  return { type, status: isTrue ? 'True' : 'False', lastTransitionTime } as PodCondition;
}

function merged(before: PodStatus['conditions'], now: readonly PodCondition[]): PodCondition[] {
  const types = new Set(now.map(({ type }) => type));
  return [...(before ?? []).filter(({ type }) => !types.has(type)), ...now];
}
