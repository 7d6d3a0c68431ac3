/** Options about who may do what. */
import { AUTHORIZATION_MODES, REVIEW_VERSIONS } from '../auth/authorization-config.ts';
import type {
  AuthorizationConfig,
  AuthorizationMode,
  AuthorizationWebhook,
  ReviewVersion,
} from '../auth/authorization-config.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { webhookTargetOf } from '../webhooks/kubeconfig.ts';
import { durationOf } from '../base/options/option-values.ts';

export const AUTHORIZATION_FLAGS = {
  'authorization-mode': {
    value: 'LIST',
    preset: 'Node,RBAC',
    help: `who decides, in order: some of ${AUTHORIZATION_MODES.join(', ')}`,
  },
  'authorization-webhook-config-file': {
    value: 'FILE',
    preset: '',
    help: 'kubeconfig that says where the webhook of the mode Webhook is',
  },
  'authorization-webhook-version': {
    value: 'VERSION',
    preset: 'v1beta1',
    help: 'of the SubjectAccessReviews that it is sent: v1 or v1beta1',
  },
  'authorization-webhook-cache-authorized-ttl': {
    value: 'DURATION',
    preset: '5m',
    help: 'how long its answers are kept that allow',
  },
  'authorization-webhook-cache-unauthorized-ttl': {
    value: 'DURATION',
    preset: '30s',
    help: 'how long its other answers are kept',
  },
} as const satisfies Record<string, Flag>;

type Values = FlagValues<typeof AUTHORIZATION_FLAGS>;

/** Reads the kubeconfig of the webhook. Throws ConfigError. */
export function authorizationConfig(values: Values): AuthorizationConfig {
  const modes = modesOf(values['authorization-mode']);
  const option = 'authorization-webhook-config-file';
  const file = values[option];
  if (modes.includes('Webhook') !== (file !== '')) {
    throw new ConfigError(`--authorization-mode Webhook and --${option} need each other`);
  }
  return { modes, ...(file !== '' && { webhook: webhookOf(values) }) };
}

function modesOf(value: string): readonly AuthorizationMode[] {
  const modes = value.split(',').map((mode) => mode.trim());
  const isMode = (mode: string): mode is AuthorizationMode =>
    (AUTHORIZATION_MODES as readonly string[]).includes(mode);
  if (modes.every(isMode) && new Set(modes).size === modes.length) return modes;
  throw new ConfigError(
    `--authorization-mode is "${value}": give some of ${AUTHORIZATION_MODES.join(', ')}, ` +
      'each once, with commas between them',
  );
}

function webhookOf(values: Values): AuthorizationWebhook {
  const option = 'authorization-webhook-config-file';
  const allowed = 'authorization-webhook-cache-authorized-ttl';
  const refused = 'authorization-webhook-cache-unauthorized-ttl';
  return {
    target: webhookTargetOf(option, values[option]),
    version: versionOf(values['authorization-webhook-version']),
    allowedMs: durationOf(allowed, values[allowed]),
    refusedMs: durationOf(refused, values[refused]),
  };
}

function versionOf(value: string): ReviewVersion {
  const version = REVIEW_VERSIONS.find((one) => one === value);
  if (version !== undefined) return version;
  const choices = REVIEW_VERSIONS.join(' or ');
  throw new ConfigError(`--authorization-webhook-version is "${value}": give ${choices}`);
}
