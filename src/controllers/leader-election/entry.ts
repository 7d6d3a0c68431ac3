/** Elects the holders of leases (src/controllers/README.md#coordinated-leader-election). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const coordinatedLeaderElection: ControllerEntry = {
  concerns: oneOf('leases.coordination.cluster.io', 'leasecandidates.coordination.cluster.io'),
  requiredBy: ['CoordinatedLeaderElection'],
  steps: ['poststarthook/start-kube-apiserver-coordinated-leader-election-controller'],
  run: async (ports, { leadership, nowMs, logError }) => {
    const { SYSTEM_TIMERS } = await import('../../base/time/timers.ts');
    const { SERVER_TIMERS } = await import('../../base/time/server-clock.ts');
    const { electLeaders } = await import('./coordinated-election.ts');
    await electLeaders(ports, {
      ...leadership,
      timers: SYSTEM_TIMERS,
      leaseTimers: SERVER_TIMERS,
      nowMs,
      logError,
    });
  },
};
