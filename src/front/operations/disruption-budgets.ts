/**
 * Asks pod disruption budgets about an eviction (src/front/README.md#evictions). A disruption is
 * taken from a budget by writing its status at the version that was read, so that no two evictions
 * take the same one.
 */
import type { LabelSelector } from '#messages/meta.v1';
import { utcSeconds } from '../../base/time/utc-time.ts';
import { labelMatcher } from '../../semantics/selectors/label-matcher.ts';
import { toLabelSelector } from '../../semantics/selectors/object-label-selector.ts';
import { forbidden, isRefusal, StatusError } from '../../semantics/errors/status.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import type { OperationContext } from '../operation.ts';
import { getStored, listStored, writeStatus } from './shard-requests.ts';
import type { Stored } from './shard-requests.ts';

export const BUDGETS: GroupResource = { group: 'policy', resource: 'poddisruptionbudgets' };
/** As the reference names the type when it refuses. */
const BUDGET_IN_ERRORS: GroupResource = { group: 'policy', resource: 'poddisruptionbudget' };

/** The most evictions that a budget may have unconfirmed. */
const DISRUPTED_PODS_MAX = 2_000;
/** The number of tries for a disruption while others take theirs from the same budget. */
const TRIES_MAX = 20;
/** The longest random delay before another attempt. */
const RETRY_SPREAD_MS = 50;
const RETRY_AFTER_SECONDS = 10;

interface Condition {
  readonly type: string;
  readonly status: string;
}

export interface BudgetStatus {
  readonly observedGeneration?: number;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly conditions?: readonly Condition[];
}

export interface Budget extends Stored {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: BudgetStatus;
}

/** The budgets of the namespace whose selector matches the labels. An absent one matches none. */
export async function budgetsFor(
  { shards }: OperationContext,
  { namespace = '', labels = {} }: Stored['metadata'],
): Promise<readonly Budget[]> {
  if (Object.keys(labels).length === 0) return [];
  const budgets = await listStored<Budget>(shards, BUDGETS, namespace);
  return budgets.filter(({ spec }) => {
    const selector = spec?.selector === undefined ? undefined : toLabelSelector(spec.selector);
    return selector !== undefined && labelMatcher(selector)(labels);
  });
}

/** The 429 with a time after which to try again. */
export function budgetNotReady(name: string): StatusError {
  const why = `The disruption budget ${name} is still being processed by the server.`;
  return violation(why, RETRY_AFTER_SECONDS);
}

function violation(why: string, retryAfterSeconds: number): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return new StatusError(429, 'TooManyRequests', message, {
    causes: [{ reason: 'DisruptionBudget', message: why }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

/**
 * Takes a disruption for the pod from the budget. Rejects with StatusError 403 or 429 when it
 * allows none, and with 409 when others were faster again and again.
 */
export async function takeDisruption(
  context: OperationContext,
  budget: Budget,
  podName: string,
  dryRun: boolean,
): Promise<void> {
  const { shards, nowMs } = context;
  const { namespace = '', name = '' } = budget.metadata;
  let current = budget;
  for (let tries = 1; ; tries++) {
    const status = disrupted(current, podName, nowMs());
    if (dryRun) return;
    try {
      await writeStatus(shards, BUDGETS, { ...current, status } as Budget);
      return;
    } catch (error) {
      if (!isRefusal(error, 409) || tries === TRIES_MAX) throw error;
    }
    const waitMs = Math.random() * RETRY_SPREAD_MS;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    current = await getStored<Budget>(shards, BUDGETS, namespace, name);
  }
}

/** The status with one disruption less. Throws StatusError 403 or 429 when it allows none. */
export function disrupted(
  { metadata, status = {} }: Budget,
  podName: string,
  nowMs: number,
): BudgetStatus {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  if (observedGeneration < generation) throw budgetNotReady(name);
  if (disruptionsAllowed < 0) {
    throw forbidden(BUDGET_IN_ERRORS, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(disruptedPods).length > DISRUPTED_PODS_MAX) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(BUDGET_IN_ERRORS, name, why);
  }
  if (disruptionsAllowed === 0) {
    const { desiredHealthy = 0, currentHealthy = 0 } = status;
    const needs = `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw violation(`The disruption budget ${name} ${needs}`, 0);
  }
  const now = utcSeconds(nowMs);
  const left = disruptionsAllowed - 1;
  return {
    ...status,
    disruptionsAllowed: left,
    disruptedPods: { ...disruptedPods, [podName]: now },
    ...(left === 0 && { conditions: withoutDisruptions(status, now) }),
  };
}

/** The condition DisruptionAllowed says no from now on. */
function withoutDisruptions(
  { conditions = [], observedGeneration = 0 }: BudgetStatus,
  now: string,
): readonly Condition[] {
  const type = 'DisruptionAllowed';
  const known = conditions.find((condition) => condition.type === type);
  const condition = {
    lastTransitionTime: now,
    message: '',
    ...(known?.status === 'False' && known),
    type,
    status: 'False',
    reason: 'InsufficientPods',
    observedGeneration,
  };
  return known === undefined
    ? [...conditions, condition]
    : conditions.map((one) => (one === known ? condition : one));
}
