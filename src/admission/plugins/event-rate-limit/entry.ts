/** The plugin EventRateLimit, as the list has it (src/admission/README.md). */
import { writes } from '../../concerns.ts';
import type { PluginEntry } from '../../plugin.ts';

export const eventRateLimit = {
  isOnByDefault: false,
  keeps: () => true,
  concerns: writes('', 'events', 'CREATE', 'UPDATE'),
  check: async (settings) => (await import('./event-rate-limit.ts')).checkEventRateLimit(settings),
  load: async (context, settings) => {
    const { EventRateLimit } = await import('./event-rate-limit.ts');
    return new EventRateLimit(context, settings);
  },
} as const satisfies PluginEntry;
