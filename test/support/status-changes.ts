/** A status that a kind accepts for a new object. */
import type { Change } from './kind-cases.ts';
import type { ServedKind } from './served-kind.ts';

const STATUSES: Readonly<Record<string, Change>> = {
  APIService: { conditions: [{ type: 'Available', status: 'True', reason: 'Passed' }] },
  // Controllers leave these alone.
  CustomResourceDefinition: { storedVersions: ['v1', 'v1'] },
  FlowSchema: { conditions: [{ type: 'Dangling', status: 'False', reason: 'Found' }] },
  HorizontalPodAutoscaler: { currentReplicas: 1, desiredReplicas: 2 },
  PodDisruptionBudget: {
    disruptionsAllowed: 0,
    currentHealthy: 3,
    desiredHealthy: 3,
    expectedPods: 3,
  },
  PriorityLevelConfiguration: { conditions: [{ type: 'Known', status: 'True' }] },
  // An address is dropped by each write of a Service that is no load balancer.
  Service: {
    conditions: [
      {
        type: 'Known',
        status: 'True',
        lastTransitionTime: '2024-05-01T08:15:00Z',
        reason: 'Known',
        message: '',
      },
    ],
  },
};

/** That of its catalogue file, where there is one that suits. */
export function statusChange({ cases }: ServedKind): Change {
  const row = cases.statusUpdates?.find(
    ([, first, change, causes]) =>
      Object.keys(first).length === 0 && causes.length === 0 && change['status'] !== undefined,
  );
  const status = STATUSES[cases.kind] ?? (row?.[2]['status'] as Change | undefined);
  if (status === undefined) throw new Error(`no status for ${cases.kind}`);
  return { status };
}
