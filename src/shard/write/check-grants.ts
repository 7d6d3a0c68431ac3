import type { GrantChange } from '../../auth/rbac/grant-check.ts';
import type { Shard } from '../state/shard.ts';
import type { ChangeRequest } from '../../protocol/shard-protocol.ts';
import type { Steps } from '../../proposals/steps.ts';

/**
 * Roles and bindings, which nobody may use to give more than they have
 * (src/auth/rbac/README.md#grants). Throws StatusError 400, 403, 404 or 500.
 */
export function* checkGrants(
  shard: Shard,
  request: ChangeRequest,
  change: Omit<GrantChange, 'plural'>,
): Steps<void> {
  if (shard.grants === undefined || request.subresource !== '') return;
  const { plural } = shard.kind.definition;
  yield* shard.grants.check(request, { plural, ...change });
}
