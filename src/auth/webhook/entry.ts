/** The mode `Webhook` (README.md#the-webhook). */
import { ConfigError } from '../../base/options/config-error.ts';
import { durationOf } from '../../base/options/option-values.ts';
import { webhookTargetOf } from '../../webhooks/kubeconfig.ts';
import { WEBHOOK_MS_MAX } from '../../limits.ts';
import { authorizer } from '../authorizer-entry.ts';
import type { Conditions } from './webhook-authorizer.ts';
import type { AuthorizationWebhook } from './authorization-webhook.ts';

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
      name: 'default',
      target: webhookTargetOf(FILE, file),
      tellsSelectors: gates.has('AuthorizeWithSelectors'),
      version: versionOf(values[VERSION]),
      timeoutMs: WEBHOOK_MS_MAX,
      onFailure: 'noOpinion',
      conditions: [],
      allowedMs: durationOf(ALLOWED, values[ALLOWED]),
      refusedMs: durationOf(REFUSED, values[REFUSED]),
    };
  },
  load: async (settings) => {
    const { WebhookAuthorizer } = await import('./webhook-authorizer.ts');
    const { WebhookClient } = await import('../../webhooks/webhook-client.ts');
    const { WebhookError } = await import('../../webhooks/webhook-errors.ts');
    const conditions = await conditionsOf(settings);
    return () => {
      // It asks over the network, with connections of its own.
      const client = new WebhookClient(async ({ name }) => {
        throw new WebhookError(`the service ${name} is not looked up`);
      });
      return new WebhookAuthorizer(settings, {
        conditions,
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

/** The code that evaluates expressions is loaded where there are some. */
async function conditionsOf(settings: AuthorizationWebhook): Promise<Conditions | undefined> {
  if (settings.conditions.length === 0) return undefined;
  const { MatchConditions } = await import('./match-conditions.ts');
  return new MatchConditions(settings);
}
