/** Who decides what a user may do, put together as the options say (README.md#who-may). */
import type { AuthorizationConfig, AuthorizationMode } from './authorization-config.ts';
import { NO_OPINION } from './authorizer.ts';
import type { Authorizer } from './authorizer.ts';
import { AuthorizerUnion } from './authorizer-union.ts';
import { ALLOW_PRIVILEGED, ALWAYS_ALLOW, ALWAYS_DENY, NO_RULES } from './fixed-authorizers.ts';
import type { FollowType } from './follow-type.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import { RbacAuthorizer } from './rbac/rbac-authorizer.ts';

export interface AuthorizationNeeds {
  readonly follow: FollowType;
  /** What is known of roles and bindings already. */
  readonly rbac?: RbacAuthorizer;
}

/** One for a thread: it follows the types that it goes by from then on. */
export function authorizationOf(
  { modes }: AuthorizationConfig,
  needs: AuthorizationNeeds,
): Authorizer {
  const authorizers = modes.map((mode) => authorizerOf(mode, needs));
  return new AuthorizerUnion([ALLOW_PRIVILEGED, ...authorizers]);
}

function authorizerOf(mode: AuthorizationMode, { follow, rbac }: AuthorizationNeeds): Authorizer {
  switch (mode) {
    case 'Node':
      return new NodeAuthorizer(follow);
    case 'RBAC':
      return rbac ?? new RbacAuthorizer(follow);
    case 'AlwaysAllow':
      return ALWAYS_ALLOW;
    case 'AlwaysDeny':
      return ALWAYS_DENY;
    default:
      return { authorize: () => NO_OPINION, rulesFor: () => NO_RULES };
  }
}
