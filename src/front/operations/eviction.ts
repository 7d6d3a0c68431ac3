/**
 * Eviction: the deletion of a pod that its disruption budget agrees to
 * (src/front/README.md#evictions).
 */
import { utcSeconds } from '../../base/time/utc-time.ts';
import { DEFAULT_GATES } from '../../release/own-gates.ts';
import { invalid, invalidObject } from '../../semantics/errors/field-error.ts';
import { badRequest, conflict, isRefusal, serverFailure } from '../../semantics/errors/status.ts';
import { readAsked, sendDone } from './body.ts';
import { budgetNotReady, budgetsFor, takeDisruption } from './disruption-budgets.ts';
import type { Budget } from './disruption-budgets.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { deleteStored, getStored, PODS, writeStatus } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

const EVICTION: OperationKind = {
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  message: 'policy.v1.Eviction',
  accepts: ['policy/v1beta1'],
};

/** The number of tries for a pod that changes while it is deleted. */
const TRIES_MAX = 20;
const OUT_OF_BUDGET_PHASES: readonly unknown[] = ['Pending', 'Succeeded', 'Failed'];

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

interface Pod extends Stored {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
  };
}

interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  readonly [member: string]: unknown;
}

export const evictPod: Operation = {
  methods: ['post'],
  describedAs: { kind: { group: 'policy', version: 'v1', kind: 'Eviction' }, action: 'create' },
  serve: evict,
};

async function evict(request: OperationRequest): Promise<void> {
  const { name } = request.route;
  const { object, dryRun } = await readAsked(request, EVICTION);
  if (object.metadata.name !== name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const sent = object['deleteOptions'] as DeleteOptions | undefined;
  if (sent?.ignoreStoreReadErrorWithClusterBreakingPotential === true) throw unreadable(name);
  const options = deleteOptions(sent, dryRun);
  const pod = await deleteOutOfBudget(request, options);
  if (pod !== undefined) {
    const budget = await takeFromBudget(request, pod, options);
    // An unready pod takes no disruption, unless it has become ready meanwhile.
    const unready = budget === '' ? options : atVersion(options, pod);
    try {
      await deleteEvicted(request, unready);
    } catch (error) {
      if (unready !== options && isRefusal(error, 409) && isUnversioned(options)) {
        throw budgetNotReady(budget);
      }
      throw error;
    }
  }
  sendDone(request);
}

/** The options of the body; the query may ask for a dry run too. */
function deleteOptions(sent: DeleteOptions = {}, dryRun: boolean): DeleteOptions {
  if (!dryRun || (sent.dryRun?.length ?? 0) > 0) return sent;
  return { ...sent, dryRun: ['All'] };
}

/** Deletes a pod that no budget counts; answers with the pod when there is one that it may. */
async function deleteOutOfBudget(
  request: OperationRequest,
  options: DeleteOptions,
): Promise<Pod | undefined> {
  const { shards, route } = request;
  const { namespace, name } = route;
  for (let tries = 1; ; tries++) {
    const pod = await getStored<Pod>(shards, PODS, namespace, name);
    const { phase } = pod.status ?? {};
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    if (!isTerminating && !OUT_OF_BUDGET_PHASES.includes(phase)) return pod;
    // A pending pod may begin to count at any time, so it is deleted at this version only.
    const mayCount = phase === 'Pending' && !isTerminating && isUnversioned(options);
    try {
      const checked = mayCount ? atVersion(options, pod) : options;
      await deleteEvicted(request, checked);
      return undefined;
    } catch (error) {
      if (!isRefusal(error, 409) || !isUnversioned(options) || tries === TRIES_MAX) throw error;
    }
  }
}

/**
 * Takes a disruption from the budget of the pod, if it has one. Answers with the budget's name
 * when none had to be taken because the pod is not ready, and others are; else with ''.
 */
async function takeFromBudget(
  request: OperationRequest,
  pod: Pod,
  options: DeleteOptions,
): Promise<string> {
  const [budget, ...more] = await budgetsFor(request, pod.metadata);
  if (budget === undefined) return '';
  if (more.length > 0) {
    const message =
      'This pod has more than one PodDisruptionBudget, ' +
      'which the eviction subresource does not support.';
    throw serverFailure(message);
  }
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  const { name = '' } = budget.metadata;
  if (!isReady(pod) && letsUnreadyGo(budget)) return name;
  if (!isReady(pod) && desiredHealthy > 0 && currentHealthy >= desiredHealthy) return name;
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  await takeDisruption(request, budget, pod.metadata.name ?? '', dryRun);
  return '';
}

/** Whether pods that are not ready may go however many others are. */
function letsUnreadyGo({ spec }: Budget): boolean {
  if (!DEFAULT_GATES.has('PDBUnhealthyPodEvictionPolicy')) return false;
  return spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow';
}

/** Deletes the pod, whose status tells why it goes. */
async function deleteEvicted(
  { shards, route, nowMs }: OperationRequest,
  options: DeleteOptions,
): Promise<void> {
  const { namespace, name } = route;
  const isAsked = (options.dryRun?.length ?? 0) > 0;
  if (isAsked || !DEFAULT_GATES.has('PodDisruptionConditions')) {
    await deleteStored(shards, PODS, { namespace, name }, options);
    return;
  }
  for (let tries = 1; ; tries++) {
    const pod = await getStored<Pod>(shards, PODS, namespace, name);
    checkPreconditions(pod, options);
    const conditions = withDisruption(pod.status?.conditions ?? [], utcSeconds(nowMs()));
    try {
      const told: Pod = { ...pod, status: { ...pod.status, conditions } };
      const written = await writeStatus<Pod>(shards, PODS, told);
      const checked = isUnversioned(options) ? options : atVersion(options, written);
      await deleteStored(shards, PODS, { namespace, name }, checked);
      return;
    } catch (error) {
      if (!isRefusal(error, 409) || !isUnversioned(options) || tries === TRIES_MAX) throw error;
    }
  }
}

/** Throws StatusError 409 when the pod is another one, or has changed. */
function checkPreconditions({ metadata }: Pod, { preconditions = {} }: DeleteOptions): void {
  const { uid = '', resourceVersion = '' } = preconditions;
  const check = (what: string, asked: string, stored = '', end: string): void => {
    if (asked === '' || asked === stored) return;
    const why = `the ${what} in the precondition (${asked}) does not match the ${what} in record`;
    const about = { group: '', resource: 'Pod' };
    throw conflict(about, metadata.name ?? '', `${why} (${stored}). ${end}`);
  };
  check('UID', uid, metadata.uid, 'The object might have been deleted and then recreated');
  const changed = 'The object might have been modified';
  check('ResourceVersion', resourceVersion, metadata.resourceVersion, changed);
}

function withDisruption(conditions: readonly Condition[], now: string): readonly Condition[] {
  const type = 'DisruptionTarget';
  const status = 'True';
  const known = conditions.find((condition) => condition.type === type);
  const isSame = known?.status === status && known.lastTransitionTime !== undefined;
  const condition = {
    type,
    status,
    lastTransitionTime: isSame ? known.lastTransitionTime : now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  if (known === undefined) return [...conditions, condition];
  return conditions.map((one) => (one === known ? condition : one));
}

/** A pod that cannot be read has no budget that it could be counted in. */
function unreadable(name: string): Error {
  const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
  const detail = 'can not be set for pod eviction, try after removing the option';
  return invalidObject('policy', 'Eviction', name, [invalid(field, true, detail)]);
}

function isReady({ status }: Pod): boolean {
  const conditions = status?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

function isUnversioned({ preconditions }: DeleteOptions): boolean {
  return preconditions?.resourceVersion === undefined;
}

function atVersion(options: DeleteOptions, { metadata }: Pod): DeleteOptions {
  const { resourceVersion = '' } = metadata;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
}
