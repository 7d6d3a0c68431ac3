/** Tokens that a service outside knows (../../README.md#webhook-tokens). */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../base/options/config-error.ts';
import { durationOf } from '../../../base/options/option-values.ts';
import { webhookTargetOf } from '../../../webhooks/kubeconfig.ts';
import { authenticator } from '../authenticator-entry.ts';
import type { TokenWebhookSettings } from './webhook-tokens.ts';

const FILE = 'authentication-token-webhook-config-file';
const VERSION = 'authentication-token-webhook-version';
const KEPT = 'authentication-token-webhook-cache-ttl';

interface TokenWebhookConfig extends Omit<TokenWebhookSettings, 'target'> {
  /** '' where there is none. */
  readonly file: string;
}

export const webhook = authenticator({
  flags: {
    [FILE]: { value: 'FILE', preset: '', help: 'kubeconfig of a service that knows tokens' },
    [VERSION]: {
      value: 'VERSION',
      preset: 'v1beta1',
      help: 'version of the TokenReviews that it is sent: v1 or v1beta1',
    },
    [KEPT]: { value: 'DURATION', preset: '2m', help: 'how long its answers count' },
  },
  read: (values): TokenWebhookConfig => {
    const version = values[VERSION];
    if (version !== 'v1' && version !== 'v1beta1') {
      throw new ConfigError(`--${VERSION} is "${version}": give v1 or v1beta1`);
    }
    return { file: values[FILE], version, keptMs: durationOf(KEPT, values[KEPT]) };
  },
  load: ({ file, ...settings }): TokenWebhookSettings | undefined =>
    file === '' ? undefined : { target: webhookTargetOf(FILE, file), ...settings },
  make: async (settings, { tokens: { apiAudiences }, nowMs, logError }) => {
    const { WebhookTokens } = await import('./webhook-tokens.ts');
    const { WebhookClient } = await import('../../../webhooks/webhook-client.ts');
    const { WebhookError } = await import('../../../webhooks/webhook-errors.ts');
    // A kubeconfig names addresses alone.
    const client = new WebhookClient(async () => {
      throw new WebhookError('services are not looked up for tokens');
    });
    const wait = (ms: number): Promise<void> => sleep(ms);
    const options = { settings, client, apiAudiences, nowMs, logError, wait };
    return { ofToken: new WebhookTokens(options) };
  },
});
