/** How a pod shows in a Table: most of this finds the one word for its status. */
import type { ContainerStateTerminated, ContainerStatus, Pod, PodStatus } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { ageSince, type Age } from '../../../semantics/age-text.ts';
import { AGE, NAME, NONE, orNone } from '../../printer-cells.ts';
import { definePrinter, text, wide, type KindColumn, type RowCondition } from '../../printer.ts';
import { readyText, stateText, restartCountText, STATE_READS } from './pod-states.ts';

const COMPLETED = completed('Succeeded', 'The pod has completed successfully.');
const FAILED = completed('Failed', 'The pod failed.');

/** The reason of pods whose node no longer answers. */
const NODE_LOST = 'NodeLost';
/** The reason of containers that are about to start. */
const POD_INITIALIZING = 'PodInitializing';

/** The members of container statuses that cells are made of. */
const STATE =
  'state{waiting{reason} running{} terminated{exitCode signal reason}} ' +
  'lastState{terminated{finishedAt}} ready restartCount';
const INIT = `status.initContainerStatuses{${STATE}}`;
const MAIN = `status.containerStatuses{${STATE}}`;

// Cells read the whole pod, since its properties are found faster than those of many kinds by name.
// prettier-ignore
export const POD_PRINTER = definePrinter(
  [
    NAME,
    ...stateColumns(),
    AGE,
    wide('IP', 'The first of the addresses of the pod.', '{status{podIPs{ip}}}',
      ({ status }: Pod) => orNone(status?.podIPs?.[0]?.ip)),
    wide('Node', 'The node that the pod runs on.', '{spec{nodeName}}',
      ({ spec }: Pod) => orNone(spec?.nodeName)),
    wide('Nominated Node', 'The node where others are to make room for the pod.',
      '{status{nominatedNodeName}}', ({ status }: Pod) => orNone(status?.nominatedNodeName)),
    wide('Readiness Gates', 'How many of its readiness gates hold, of how many.',
      '{spec{readinessGates{conditionType}} status{conditions{type status}}}', gatesText),
  ],
  {
    reads: 'status.phase',
    make: (phase) => (phase === 'Succeeded' ? COMPLETED : phase === 'Failed' ? FAILED : []),
  },
);

/** Describes the state of containers; where some may run beside others, it takes more members. */
// prettier-ignore
function stateColumns(): readonly KindColumn[] {
  const ready = 'How many of its containers are ready, of how many.';
  const status = 'What the pod does, or why it does not run.';
  const restarts = 'How often its containers have been restarted, and when last.';
  if (ownRelease().has('gatedPods')) {
    return [
      text('Ready', ready, STATE_READS, readyText),
      text('Status', status, STATE_READS, stateText),
      text('Restarts', restarts, STATE_READS, restartCountText),
    ];
  }
  return [
    text('Ready', ready, `{spec{containers{}} ${INIT} ${MAIN}}`, readyContainersText),
    text('Status', status, `{metadata{deletionTimestamp} spec{initContainers{}}
        ${INIT} ${MAIN} status{phase reason conditions{type status}}}`, statusText),
    text('Restarts', restarts, `{${INIT} ${MAIN}}`, restartsText),
  ];
}

function completed(reason: string, message: string): readonly RowCondition[] {
  return [{ type: 'Completed', status: 'True', reason, message }];
}

/** The place of the first init container that has not succeeded; -1 when all have. */
function unfinished(statuses: readonly ContainerStatus[]): number {
  for (let at = 0; at < statuses.length; at++) {
    if (!hasSucceeded(statuses[at]?.state?.terminated)) return at;
  }
  return -1;
}

function hasSucceeded(end: ContainerStateTerminated | undefined): boolean {
  return end !== undefined && (end.exitCode ?? 0) === 0;
}

function readyContainersText({ spec, status = {} }: Pod): string {
  const { initContainerStatuses: init = [], containerStatuses: main = [] } = status;
  let ready = 0;
  if (unfinished(init) === -1) for (const one of main) if (isReady(one)) ready++;
  return `${ready}/${spec?.containers?.length ?? 0}`;
}

function isReady({ state: { waiting, terminated, running } = {}, ready }: ContainerStatus) {
  return ready === true && running !== undefined && !waiting?.reason && terminated === undefined;
}

function statusText({ metadata, spec, status = {} }: Pod): string {
  if (metadata.deletionTimestamp !== undefined) {
    return status.reason === NODE_LOST ? 'Unknown' : 'Terminating';
  }
  const { initContainerStatuses: init = [] } = status;
  const at = unfinished(init);
  if (at === -1) return mainReason(status);
  const { terminated, waiting } = init[at]?.state ?? {};
  const held = waiting?.reason === POD_INITIALIZING ? undefined : waiting?.reason;
  const reason = held || `${at}/${spec?.initContainers?.length ?? 0}`;
  return `Init:${terminated ? endText(terminated) : reason}`;
}

/** The reason of the first container that does not run. */
function mainReason(status: PodStatus): string {
  const { containerStatuses = [], conditions = [] } = status;
  const reason = heldReason(containerStatuses) || status.reason || (status.phase ?? '');
  // One container has completed, but another one still runs.
  if (reason !== 'Completed' || !containerStatuses.some(isReady)) return reason;
  const isPodReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  return isPodReady ? 'Running' : 'NotReady';
}

function heldReason(statuses: readonly ContainerStatus[]): string {
  for (const { state: { waiting, terminated } = {} } of statuses) {
    const reason = waiting?.reason || (terminated && endText(terminated));
    if (reason) return reason;
  }
  return '';
}

function restartsText({ status = {} }: Pod): Age | string {
  const { initContainerStatuses: init = [], containerStatuses: main = [] } = status;
  const at = unfinished(init);
  const counted = at === -1 ? main : init.slice(0, at + 1);
  let restarts = 0;
  for (const { restartCount = 0 } of counted) restarts += restartCount;
  // While an init container runs, neither later init containers nor the main containers count.
  const last = at === -1 ? lastEnd(main, lastEnd(init)) : lastEnd(counted);
  return last === undefined ? String(restarts) : ageSince(last, `${restarts} (`, ' ago)');
}

/** The latest of that time and those at which containers ended before their last restart. */
function lastEnd(statuses: readonly ContainerStatus[], before?: string): string | undefined {
  let last = before;
  for (const { lastState } of statuses) {
    const finishedAt = lastState?.terminated?.finishedAt;
    if (finishedAt === undefined) continue;
    if (last === undefined || Date.parse(finishedAt) > Date.parse(last)) last = finishedAt;
  }
  return last;
}

function endText({ reason, signal = 0, exitCode = 0 }: ContainerStateTerminated): string {
  if (reason) return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

function gatesText({ spec, status }: Pod): string {
  const { readinessGates: gates = [] } = spec ?? {};
  if (gates.length === 0) return NONE;
  const { conditions = [] } = status ?? {};
  const holding = gates.filter(
    ({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status === 'True',
  );
  return `${holding.length}/${gates.length}`;
}
