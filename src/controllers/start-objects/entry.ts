/** Makes the objects that each cluster begins with (src/controllers/README.md). */
import { ownRelease } from '../../release/release.ts';
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

const ROLES = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(
  (plural) => `${plural}.rbac.authorization.cluster.io`,
);

export const bootstrapPolicy: ControllerEntry = {
  concerns: oneOf(...ROLES),
  requiredBy: ['RBAC'],
  steps: ['poststarthook/rbac/bootstrap-roles'],
  run: async (ports, { featureGates, logError }) => {
    const { StartObjects } = await import('./start-objects.ts');
    const { bootstrapPolicy } = await import('../../auth/bootstrap-policy/bootstrap-policy.ts');
    const objects = bootstrapPolicy({ minor: ownRelease().minor, gates: featureGates });
    await new StartObjects(ports, { objects, what: 'the bootstrap policy', logError }).run();
  },
};

export const systemPriorityClasses: ControllerEntry = {
  concerns: oneOf('priorityclasses.scheduling.cluster.io'),
  requiredBy: [],
  steps: ['poststarthook/scheduling/bootstrap-system-priority-classes'],
  run: async (ports, { logError }) => {
    const { StartObjects } = await import('./start-objects.ts');
    const { systemPriorityClasses } = await import('./system-priority-classes.ts');
    const objects = systemPriorityClasses();
    await new StartObjects(ports, { objects, what: 'system priorities', logError }).run();
  },
};
