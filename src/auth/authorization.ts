/** Makes the authorizer of the ways that the options name (README.md#who-may). */
import { assert } from '../base/assert.ts';
import { WebhookClient } from '../webhooks/webhook-client.ts';
import { WebhookError } from '../webhooks/webhook-errors.ts';
import type {
  AuthorizationConfig,
  AuthorizationMode,
  AuthorizationWebhook,
} from './authorization-config.ts';
import type { Authorizer } from './authorizer.ts';
import { AuthorizerUnion } from './authorizer-union.ts';
import { ALWAYS_ALLOW, ALWAYS_DENY, PrivilegedFirst } from './fixed-authorizers.ts';
import type { FollowType } from '../replicas/follow-type.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import { WebhookAuthorizer } from './webhook/webhook-authorizer.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';

export interface AuthorizationNeeds {
  readonly follow: FollowType;
  /** Roles and bindings, if the caller follows them already. */
  readonly rbac?: RbacAuthorizer;
}

/** One for a thread: it follows the types that it goes by from then on. */
export function authorizationOf(
  config: AuthorizationConfig,
  needs: AuthorizationNeeds,
): Authorizer {
  const authorizers = config.modes.map((mode) => authorizerOf(mode, config, needs));
  return new PrivilegedFirst(new AuthorizerUnion(authorizers));
}

/** Asks over the network, with connections of its own. */
function webhookOf(options: AuthorizationWebhook | undefined): WebhookAuthorizer {
  assert(options !== undefined, 'the mode Webhook has a webhook');
  const client = new WebhookClient(async ({ name }) => {
    throw new WebhookError(`the service ${name} is not looked up`);
  });
  return new WebhookAuthorizer(options, {
    call: (target, document, timeoutMs) => client.call(target, document, timeoutMs),
    nowMs: () => performance.now(),
    wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  });
}

function authorizerOf(
  mode: AuthorizationMode,
  { webhook }: AuthorizationConfig,
  { follow, rbac }: AuthorizationNeeds,
): Authorizer {
  switch (mode) {
    case 'Node':
      return new NodeAuthorizer(follow);
    case 'RBAC':
      return rbac ?? new RbacAuthorizer(follow);
    case 'Webhook':
      return webhookOf(webhook);
    case 'AlwaysAllow':
      return ALWAYS_ALLOW;
    case 'AlwaysDeny':
      return ALWAYS_DENY;
  }
}
