/** Kubeconfig files by which options name webhooks. */
import { KubeconfigError, kubeconfigTarget } from '../webhooks/kubeconfig.ts';
import type { WebhookTarget } from '../webhooks/webhook-target.ts';
import { ConfigError } from './config-error.ts';

/** Where the current context of a file leads. Throws ConfigError that names the option. */
export function webhookTargetOf(option: string, file: string): WebhookTarget {
  try {
    return kubeconfigTarget(file);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new ConfigError(`--${option}: ${error.message}`);
  }
}
