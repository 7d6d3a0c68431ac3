/** Plugins about workloads and their groups of pods, as the list has them (../../README.md). */
import { writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const podGroupWorkloadExists = {
  isOnByDefault: true,
  gate: 'GenericWorkload',
  concerns: writes('scheduling.cluster.io', 'podgroups', 'CREATE'),
  load: async (context) => {
    const { PodGroupWorkloadExists } = await import('./pod-group-workload-exists.ts');
    return new PodGroupWorkloadExists(context);
  },
} as const satisfies PluginEntry;

export const jobValidation = {
  isOnByDefault: true,
  // As in the reference, which names another feature but looks at this one too.
  gate: 'GenericWorkload',
  concerns: writes('batch', 'jobs', 'UPDATE'),
  load: async (context) => {
    const { JobValidation } = await import('./job-validation.ts');
    return new JobValidation(context);
  },
} as const satisfies PluginEntry;
