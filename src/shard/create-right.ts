/**
 * Whether who was let update or patch what is not there may create it (README.md#who-may-create).
 */
import type { Decision } from '../auth/authorizer.ts';
import { whenKnown } from '../base/when-known.ts';
import { forbidden, internalError } from '../semantics/status.ts';
import { userOfText } from '../semantics/user.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest } from './shard-protocol.ts';

/** Nobody is asked twice for a request, though it may be handled again. */
const DECISIONS = new WeakMap<ChangeRequest, Decision>();

/** Throws or rejects with StatusError 403, and with 500 where it could not be decided. */
export function checkCreateRight(shard: Shard, request: ChangeRequest): Promise<void> | undefined {
  const { user, namespace, name, subresource } = request;
  if (user === undefined) return undefined;
  const { kind } = shard;
  const { resource, version } = kind.version(request.version);
  const decision =
    DECISIONS.get(request) ??
    shard.authorizer().authorize({
      user: userOfText(user),
      verb: 'create',
      isResource: true,
      namespace: kind.definition.namespaced ? namespace : '',
      ...resource,
      version,
      subresource,
      name,
      path: '',
    });
  const obeyed = whenKnown(decision, (known): void => {
    DECISIONS.set(request, known);
    const { verdict, reason, error } = known;
    if (verdict === 'allow') return;
    throw error === undefined ? forbidden(resource, name, reason) : internalError(error);
  });
  return obeyed ?? undefined;
}
