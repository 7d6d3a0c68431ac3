/** How a pod shows in a Table: above all in one word what it does or why it does not. */
import type { ContainerStateTerminated, ContainerStatus, Pod, PodStatus } from '#messages/core.v1';
import { ageSince } from '../../semantics/age-text.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  NAME_COLUMN,
  nameOf,
  NONE,
  wideColumn,
} from '../printer-cells.ts';
import { definePrinter, type RowCondition } from '../printer.ts';

interface Progress {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
}

const COMPLETED = completed('Succeeded', 'The pod has completed successfully.');
const FAILED = completed('Failed', 'The pod failed.');

/** The reason of pods whose node no longer answers. */
const NODE_LOST = 'NodeLost';
/** The reason of containers that are about to start. */
const POD_INITIALIZING = 'PodInitializing';

/** What is looked at of the status of a container. */
const STATUS_MEMBERS = {
  state: {
    waiting: { reason: true },
    running: {},
    terminated: { exitCode: true, signal: true, reason: true },
  },
  lastState: { terminated: { finishedAt: true } },
  ready: true,
  restartCount: true,
} as const;

export const POD_PRINTER = definePrinter<Pod>()({
  columns: [
    NAME_COLUMN,
    column('Ready', 'string', 'How many of its containers are ready, of how many.'),
    column('Status', 'string', 'What the pod does, or why it does not run.'),
    column('Restarts', 'string', 'How often its containers have been restarted, and when last.'),
    AGE_COLUMN,
    wideColumn('IP', 'string', 'The first of the addresses of the pod.'),
    wideColumn('Node', 'string', 'The node that the pod runs on.'),
    wideColumn('Nominated Node', 'string', 'The node where others are to make room for the pod.'),
    wideColumn('Readiness Gates', 'string', 'How many of its readiness gates hold, of how many.'),
  ],
  members: {
    spec: {
      containers: {},
      initContainers: {},
      nodeName: true,
      readinessGates: { conditionType: true },
    },
    status: {
      phase: true,
      conditions: { type: true, status: true },
      reason: true,
      nominatedNodeName: true,
      podIPs: { ip: true },
      initContainerStatuses: STATUS_MEMBERS,
      containerStatuses: STATUS_MEMBERS,
    },
  },
  cells(pod) {
    const { spec = {}, status = {} } = pod;
    const { reason, ready, restarts } = progressOf(pod);
    const restarted = lastEnd(status);
    return [
      nameOf(pod),
      `${ready}/${spec.containers?.length ?? 0}`,
      reason,
      restarted === '' ? String(restarts) : ageSince(restarted, `${restarts} (`, ' ago)'),
      ageOf(pod),
      status.podIPs?.[0]?.ip || NONE,
      spec.nodeName || NONE,
      status.nominatedNodeName || NONE,
      gatesText(spec.readinessGates, status.conditions),
    ];
  },
  conditions({ status }) {
    if (status?.phase === 'Succeeded') return COMPLETED;
    return status?.phase === 'Failed' ? FAILED : [];
  },
});

function completed(reason: string, message: string): readonly RowCondition[] {
  return [{ type: 'Completed', status: 'True', reason, message }];
}

function progressOf({ metadata, spec, status = {} }: Pod): Progress {
  const initial = spec?.initContainers?.length ?? 0;
  const progress = initialProgress(status.initContainerStatuses, initial) ?? mainProgress(status);
  if (metadata.deletionTimestamp === undefined) return progress;
  return { ...progress, reason: status.reason === NODE_LOST ? 'Unknown' : 'Terminating' };
}

/** The state of the first init container that has not succeeded; undefined when all have. */
function initialProgress(
  statuses: readonly ContainerStatus[] = [],
  count: number,
): Progress | undefined {
  let restarts = 0;
  for (const [index, { state = {}, restartCount = 0 }] of statuses.entries()) {
    restarts += restartCount;
    const { terminated, waiting } = state;
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    const held = waiting?.reason === POD_INITIALIZING ? undefined : waiting?.reason;
    const reason = terminated ? endText(terminated) : held || `${index}/${count}`;
    return { reason: `Init:${reason}`, ready: 0, restarts };
  }
  return undefined;
}

/** The reason of the first container that does not run. */
function mainProgress(status: PodStatus): Progress {
  const { containerStatuses = [], conditions = [] } = status;
  let reason = status.reason || (status.phase ?? '');
  let ready = 0;
  let restarts = 0;
  for (let index = containerStatuses.length - 1; index >= 0; index--) {
    const { state = {}, restartCount = 0, ready: isReady } = containerStatuses[index]!;
    restarts += restartCount;
    if (state.waiting?.reason) reason = state.waiting.reason;
    else if (state.terminated) reason = endText(state.terminated);
    else if (isReady === true && state.running) ready++;
  }
  // One container has ended and another still runs.
  if (reason === 'Completed' && ready > 0) {
    const isPodReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
    reason = isPodReady ? 'Running' : 'NotReady';
  }
  return { reason, ready, restarts };
}

/** When a container ended last that was started again; '' when none was. */
function lastEnd({ initContainerStatuses, containerStatuses }: PodStatus): string {
  let last = '';
  let lastMs = 0;
  const look = (statuses: readonly ContainerStatus[] = []): boolean =>
    statuses.every(({ state: { terminated } = {}, lastState }) => {
      const { finishedAt } = lastState?.terminated ?? {};
      const endMs = finishedAt === undefined ? Number.NaN : Date.parse(finishedAt);
      if (finishedAt !== undefined && (last === '' || endMs > lastMs)) {
        last = finishedAt;
        lastMs = endMs;
      }
      return terminated !== undefined && (terminated.exitCode ?? 0) === 0;
    });
  // Init containers behind the one at work do not count, nor do the containers before it is done.
  if (look(initContainerStatuses)) containerStatuses?.forEach((status) => look([status]));
  return last;
}

function endText({ reason, signal = 0, exitCode = 0 }: ContainerStateTerminated): string {
  if (reason) return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

function gatesText(
  gates: readonly { readonly conditionType?: string }[] = [],
  conditions: NonNullable<PodStatus['conditions']> = [],
): string {
  if (gates.length === 0) return NONE;
  const holding = gates.filter(
    ({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status === 'True',
  );
  return `${holding.length}/${gates.length}`;
}
