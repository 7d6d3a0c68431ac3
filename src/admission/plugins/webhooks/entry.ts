/** Plugins that ask webhooks, as the list has them (src/admission/README.md). */
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { PluginEntry } from '../../plugin.ts';
import type { ProposedWrite } from '../../proposal.ts';

const WEBHOOK_SETTINGS: Pick<PluginEntry, 'keeps' | 'check' | 'read'> = {
  keeps: () => true,
  check: async (settings) => {
    const { checkWebhookSettings } = await import('./webhook-settings.ts');
    return checkWebhookSettings(settings);
  },
  read: async (settings) => {
    const { readWebhookSettings } = await import('./webhook-settings.ts');
    return readWebhookSettings(settings);
  },
};

export const mutatingAdmissionWebhook = {
  isOnByDefault: true,
  concerns: isNoWebhookConfiguration,
  showsSent: () => true,
  ...WEBHOOK_SETTINGS,
  load: async (context, settings) => {
    const { MutatingWebhooks } = await import('./mutating-webhooks.ts');
    return new MutatingWebhooks(context, settings);
  },
} as const satisfies PluginEntry;

export const validatingAdmissionWebhook = {
  isOnByDefault: true,
  concerns: isNoWebhookConfiguration,
  ...WEBHOOK_SETTINGS,
  load: async (context, settings) => {
    const { ValidatingWebhooks } = await import('./validating-webhooks.ts');
    return new ValidatingWebhooks(context, settings);
  },
} as const satisfies PluginEntry;

/** Webhooks never see configurations of webhooks: else a wrong one could not be removed. */
function isNoWebhookConfiguration({ group, resource }: ProposedWrite): boolean {
  return (
    group !== ownGroup('admissionregistration.cluster.io') ||
    !resource.endsWith('webhookconfigurations')
  );
}
