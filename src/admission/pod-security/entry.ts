/** The plugin PodSecurity, as the list has it (src/admission/README.md). */
import { concernsPodSecurity } from './pod-templates.ts';
import type { PluginEntry } from '../plugin.ts';

export const podSecurity = {
  isOnByDefault: true,
  gate: 'PodSecurity',
  atStart: async () => {
    const { beginPodSecuritySeries } = await import('./first-series.ts');
    beginPodSecuritySeries();
  },
  concerns: concernsPodSecurity,
  check: async (settings) => {
    const { checkPodSecuritySettings } = await import('./settings.ts');
    return checkPodSecuritySettings(settings);
  },
  load: async (context, settings) => {
    const { PodSecurity } = await import('./pod-security.ts');
    return new PodSecurity(context, settings);
  },
} as const satisfies PluginEntry;
