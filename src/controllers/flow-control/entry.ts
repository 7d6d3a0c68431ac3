/** Keeps the objects of flow control (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const flowControl: ControllerEntry = {
  concerns: oneOf(
    'flowschemas.flowcontrol.apiserver.cluster.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.cluster.io',
  ),
  steps: ['poststarthook/priority-and-fairness-config-producer'],
  run: async (ports, { nowMs, logError }) => {
    const { SYSTEM_TIMERS } = await import('../../base/time/timers.ts');
    const { FlowUpkeep } = await import('./flow-upkeep.ts');
    await new FlowUpkeep(ports, { timers: SYSTEM_TIMERS, nowMs, logError }).run();
  },
};
