/**
 * Writes of roles and bindings, which nobody may use to give more than they have
 * (src/auth/rbac/README.md#grants).
 */
import type { ApiObject } from '../resources/kind.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest } from './shard-protocol.ts';

/**
 * Throws StatusError 400, 403, 404 or 500, and GrantUndecided. `sentName` is what the client gave.
 */
export function checkGrants(
  shard: Shard,
  request: ChangeRequest,
  object: ApiObject,
  stored: ApiObject | undefined,
  sentName = object.metadata.name ?? '',
): void {
  if (request.subresource !== '') return;
  const { plural } = shard.kind.definition;
  shard.grants?.check(request, { plural, object, stored, sentName });
}
