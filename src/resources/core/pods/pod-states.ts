/**
 * The state of a pod as Tables of newer releases tell it: init containers may run beside the others
 * (sidecars), and pods may wait for something before a node is looked for.
 */
import type { Container, ContainerStateTerminated, ContainerStatus, Pod } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { ageSince, type Age } from '../../../semantics/age-text.ts';
import { isSidecar } from './containers/restart-policy.ts';

const GATED = 'SchedulingGated';
const NODE_LOST = 'NodeLost';
const POD_INITIALIZING = 'PodInitializing';
const ENDED: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed']);

const RELEASE = ownRelease();
const HAS_SIDECARS = RELEASE.has('sidecars');
const TELLS_FAILURES = RELEASE.has('failuresOfPods');
const ENDED_PODS_END = RELEASE.has('endedPodsStayEnded');

const STATE =
  'state{waiting{reason} running{} terminated{exitCode signal reason}} ' +
  'lastState{terminated{finishedAt}} ready restartCount';
/** The members that the functions here read. */
export const STATE_READS =
  `{metadata{deletionTimestamp} ` +
  `spec{containers{} initContainers{name${HAS_SIDECARS ? ' restartPolicy' : ''}}} ` +
  `status.initContainerStatuses{name started ${STATE}} status.containerStatuses{${STATE}} ` +
  'status{phase reason conditions{type status reason}}}';

/** How far a pod has come. */
interface Progress {
  /** The init containers whose states count: up to the first that has not come to its end. */
  readonly begun: readonly ContainerStatus[];
  /** The last of those, where it holds the pod up. */
  readonly held: ContainerStatus | undefined;
  /** Whether the states of the containers of the pod count. */
  readonly runs: boolean;
  isSidecar(status: ContainerStatus): boolean;
}

function progressOf({ spec = {}, status = {} }: Pod): Progress {
  const { initContainerStatuses: init = [], conditions = [] } = status;
  const sidecars = HAS_SIDECARS ? sidecarNames(spec.initContainers) : NONE;
  const isOne = ({ name = '' }: ContainerStatus): boolean => sidecars.has(name);
  const at = init.findIndex(
    (one) => !hasSucceeded(one.state?.terminated) && !(isOne(one) && one.started === true),
  );
  const isInitialized =
    HAS_SIDECARS && conditions.find(({ type }) => type === 'Initialized')?.status === 'True';
  return {
    begun: at < 0 ? init : init.slice(0, at + 1),
    held: init[at],
    runs: at < 0 || isInitialized,
    isSidecar: isOne,
  };
}

const NONE: ReadonlySet<string> = new Set();

function sidecarNames(containers: readonly Container[] = []): ReadonlySet<string> {
  return new Set(containers.filter(isSidecar).map(({ name = '' }) => name));
}

function hasSucceeded(end: ContainerStateTerminated | undefined): boolean {
  return end !== undefined && (end.exitCode ?? 0) === 0;
}

/** How many containers are ready, of how many. */
export function readyText(pod: Pod): string {
  const { spec = {}, status = {} } = pod;
  const { begun, held, runs, isSidecar: isOne } = progressOf(pod);
  let ready = 0;
  for (const one of begun) {
    const counts = one !== held && isOne(one) && !hasSucceeded(one.state?.terminated);
    if (counts && one.ready === true) ready += 1;
  }
  if (runs) for (const one of status.containerStatuses ?? []) if (isReady(one)) ready += 1;
  const { containers = [], initContainers = [] } = spec;
  const sidecars = HAS_SIDECARS ? initContainers.filter(isSidecar).length : 0;
  return `${ready}/${containers.length + sidecars}`;
}

function isReady({ state: { waiting, terminated, running } = {}, ready }: ContainerStatus) {
  return ready === true && running !== undefined && !waiting?.reason && terminated === undefined;
}

/** How often containers have been restarted, and when last. */
export function restartCountText(pod: Pod): Age | string {
  const { begun, runs, isSidecar: isOne } = progressOf(pod);
  const main = pod.status?.containerStatuses ?? [];
  const counted = runs ? [...begun.filter(isOne), ...main] : begun;
  const dated = runs && !HAS_SIDECARS ? [...begun, ...main] : counted;
  let restarts = 0;
  for (const { restartCount = 0 } of counted) restarts += restartCount;
  const last = lastEnd(dated);
  if (last === undefined || (restarts === 0 && HAS_SIDECARS)) return String(restarts);
  return ageSince(last, `${restarts} (`, ' ago)');
}

/** The latest of the times at which containers ended before their last restart. */
function lastEnd(statuses: readonly ContainerStatus[]): string | undefined {
  let last: string | undefined;
  for (const { lastState } of statuses) {
    const finishedAt = lastState?.terminated?.finishedAt;
    if (finishedAt === undefined) continue;
    if (last === undefined || Date.parse(finishedAt) > Date.parse(last)) last = finishedAt;
  }
  return last;
}

/** The one word for what a pod does, or why it does not run. */
export function stateText(pod: Pod): string {
  const { metadata, status = {} } = pod;
  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === NODE_LOST) return 'Unknown';
    if (!ENDED_PODS_END || !ENDED.has(status.phase)) return 'Terminating';
  }
  const { begun, held, runs } = progressOf(pod);
  const reason = held === undefined ? plainReason(pod) : heldText(pod, held, begun.length - 1);
  return runs ? mainText(pod, reason) : reason;
}

function plainReason({ status = {} }: Pod): string {
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === GATED,
  );
  return isGated === true ? GATED : status.reason || (status.phase ?? '');
}

function heldText({ spec }: Pod, { state = {} }: ContainerStatus, at: number): string {
  const { terminated, waiting } = state;
  const why = waiting?.reason === POD_INITIALIZING ? undefined : waiting?.reason;
  const reason = why || `${at}/${spec?.initContainers?.length ?? 0}`;
  return `Init:${terminated ? endText(terminated) : reason}`;
}

/** The reason of the first container that does not run, else `reason`. */
function mainText({ status = {} }: Pod, reason: string): string {
  const { containerStatuses = [], conditions = [] } = status;
  let held = '';
  let failure = '';
  for (const { state: { waiting, terminated } = {} } of containerStatuses) {
    const own = waiting?.reason || (terminated && endText(terminated));
    held ||= own ?? '';
    if (!waiting?.reason && terminated && (terminated.exitCode ?? 0) !== 0) failure ||= own ?? '';
  }
  const text = held || reason;
  if (text !== 'Completed') return text;
  // One container has completed, but another one may still run, or have failed.
  const isRunning = containerStatuses.some(isReady);
  const isPodReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  if (isRunning && isPodReady) return 'Running';
  if (TELLS_FAILURES && failure !== '') return failure;
  return isRunning ? 'NotReady' : text;
}

function endText({ reason, signal = 0, exitCode = 0 }: ContainerStateTerminated): string {
  if (reason) return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}
