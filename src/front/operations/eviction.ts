/**
 * Eviction: the deletion of a pod that its disruption budget agrees to
 * (src/front/README.md#evictions).
 */
import { badRequest, isRefusal, serverFailure } from '../../semantics/errors/status.ts';
import { readAsked, sendDone } from './body.ts';
import { budgetNotReady, budgetsFor, takeDisruption } from './disruption-budgets.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { deleteStored, getStored, PODS } from './shard-requests.ts';
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

interface Pod extends Stored {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
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
  const { shards, route } = request;
  const { namespace, name } = route;
  const { object, dryRun } = await readAsked(request, EVICTION);
  if (object.metadata.name !== name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const options = deleteOptions(object['deleteOptions'] as DeleteOptions | undefined, dryRun);
  const pod = await deleteOutOfBudget(request, options);
  if (pod !== undefined) {
    const budget = await takeFromBudget(request, pod, options);
    // An unready pod takes no disruption, unless it has become ready meanwhile.
    const unready = budget === '' ? options : atVersion(options, pod);
    try {
      await deleteStored(shards, PODS, { namespace, name }, unready);
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
  { shards, route }: OperationRequest,
  options: DeleteOptions,
): Promise<Pod | undefined> {
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
      await deleteStored(shards, PODS, { namespace, name }, checked);
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
  if (!isReady(pod) && desiredHealthy > 0 && currentHealthy >= desiredHealthy) return name;
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  await takeDisruption(request, budget, pod.metadata.name ?? '', dryRun);
  return '';
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
