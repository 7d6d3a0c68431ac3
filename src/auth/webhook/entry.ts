/** The mode `Webhook` (README.md#the-webhook). */
import { ConfigError } from '../../base/options/config-error.ts';
import { durationOf } from '../../base/options/option-values.ts';
import { webhookTargetOf } from '../../webhooks/kubeconfig.ts';
import { authorizer } from '../authorizer-entry.ts';
import type { AuthorizationWebhook } from './webhook-authorizer.ts';

const FILE = 'authorization-webhook-config-file';
const VERSION = 'authorization-webhook-version';
const ALLOWED = 'authorization-webhook-cache-authorized-ttl';
const REFUSED = 'authorization-webhook-cache-unauthorized-ttl';

export const webhook = authorizer({
  flags: {
    [FILE]: {
      value: 'FILE',
      preset: '',
      help: 'kubeconfig that says where the webhook of the mode Webhook is',
    },
    [VERSION]: {
      value: 'VERSION',
      preset: 'v1beta1',
      help: 'of the SubjectAccessReviews that it is sent: v1 or v1beta1',
    },
    [ALLOWED]: {
      value: 'DURATION',
      preset: '5m',
      help: 'how long its answers are kept that allow',
    },
    [REFUSED]: { value: 'DURATION', preset: '30s', help: 'how long its other answers are kept' },
  },
  read: (values, isOn, gates): AuthorizationWebhook | undefined => {
    const { [FILE]: file } = values;
    if (isOn !== (file !== '')) {
      throw new ConfigError(`--authorization-mode Webhook and --${FILE} need each other`);
    }
    if (!isOn) return undefined;
    return {
      target: webhookTargetOf(FILE, file),
      tellsSelectors: gates.has('AuthorizeWithSelectors'),
      version: versionOf(values[VERSION]),
      allowedMs: durationOf(ALLOWED, values[ALLOWED]),
      refusedMs: durationOf(REFUSED, values[REFUSED]),
    };
  },
  load: async () => {
    const { WebhookAuthorizer } = await import('./webhook-authorizer.ts');
    const { WebhookClient } = await import('../../webhooks/webhook-client.ts');
    const { WebhookError } = await import('../../webhooks/webhook-errors.ts');
    return (settings) => {
      // It asks over the network, with connections of its own.
      const client = new WebhookClient(async ({ name }) => {
        throw new WebhookError(`the service ${name} is not looked up`);
      });
      return new WebhookAuthorizer(settings, {
        call: (target, document, timeoutMs) => client.call(target, document, timeoutMs),
        nowMs: () => performance.now(),
        wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
      });
    };
  },
});

function versionOf(value: string): AuthorizationWebhook['version'] {
  if (value === 'v1' || value === 'v1beta1') return value;
  throw new ConfigError(`--${VERSION} is "${value}": give v1 or v1beta1`);
}
