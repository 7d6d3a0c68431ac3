/** Sums up roles (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const clusterRoleAggregation: ControllerEntry = {
  concerns: oneOf('clusterroles.rbac.authorization.cluster.io'),
  run: async (ports, { logError }) => {
    const { ClusterRoleAggregation } = await import('./cluster-role-aggregation.ts');
    await new ClusterRoleAggregation(ports, logError).run();
  },
};
