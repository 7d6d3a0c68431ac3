/** Counts the use of quotas (src/controllers/README.md). */
import type { ControllerEntry } from '../controller-entry.ts';

export const resourceQuota: ControllerEntry = {
  concerns: ({ namespaced }) => namespaced,
  run: async (ports, { nowMs, logError }) => {
    const { QuotaController } = await import('./quota-controller.ts');
    await new QuotaController(ports, { nowMs, logError }).run();
  },
};
