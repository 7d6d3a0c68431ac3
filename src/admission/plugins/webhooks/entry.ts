/** Plugins that ask webhooks, as the list has them (src/admission/README.md). */
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { isOfAdmission, isReview } from '../../concerns.ts';
import { manifestsIn, type PluginEntry, type PluginSettings } from '../../plugin.ts';
import type { ProposedWrite } from '../../proposal.ts';
import type { Sort } from './webhook-settings.ts';

/** The gate with which webhooks are not asked about reviews. */
const REVIEWS_ARE_LEFT_OUT = 'ExcludeAdmissionWebhookVirtualResources';

function ofSort(
  sort: Sort,
): Pick<PluginEntry, 'concerns' | 'keeps' | 'check' | 'read' | 'readManifests'> {
  return {
    concerns: mayHaveWebhooks,
    keeps: () => true,
    check: async (settings, gates) => {
      const { checkWebhookSettings } = await import('./webhook-settings.ts');
      return checkWebhookSettings(settings, gates);
    },
    read: async (settings, tools) => {
      const { readWebhookSettings } = await import('./webhook-settings.ts');
      return readWebhookSettings(sort, settings, tools);
    },
    readManifests: async (from, tools) => {
      const { readStaticWebhooks } = await import('./webhook-settings.ts');
      return readStaticWebhooks(sort, from, tools);
    },
  };
}

export const mutatingAdmissionWebhook = {
  isOnByDefault: true,
  showsSent: () => true,
  ...ofSort('mutating'),
  load: async (context, settings) => {
    const { MutatingWebhooks } = await import('./mutating-webhooks.ts');
    return new MutatingWebhooks(context, settings);
  },
} as const satisfies PluginEntry;

export const validatingAdmissionWebhook = {
  isOnByDefault: true,
  ...ofSort('validating'),
  load: async (context, settings) => {
    const { ValidatingWebhooks } = await import('./validating-webhooks.ts');
    return new ValidatingWebhooks(context, settings);
  },
} as const satisfies PluginEntry;

/**
 * Webhooks never see what says who looks at writes, so that a wrong one can be removed, but those
 * in files do; nor, where the gate is on, reviews, without which nobody could ask anything.
 */
function mayHaveWebhooks(
  write: ProposedWrite,
  settings: PluginSettings | undefined,
  gates: FeatureGates,
): boolean {
  if (isReview(write)) return !gates.has(REVIEWS_ARE_LEFT_OUT);
  return manifestsIn(settings) !== undefined || !isOfAdmission(write);
}
