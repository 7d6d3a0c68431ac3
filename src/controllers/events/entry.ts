/** Removes old events (src/controllers/README.md). */
import { oneOf, type ControllerEntry } from '../controller-entry.ts';

export const eventExpiry: ControllerEntry = {
  concerns: oneOf('events'),
  hasOwnVerbs: true,
  run: async (ports, { eventTtlMs, nowMs, logError }) => {
    const { EventExpiry } = await import('./event-expiry.ts');
    await new EventExpiry(ports, { eventTtlMs, nowMs, logError }).run();
  },
};
