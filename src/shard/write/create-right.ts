/**
 * Whether who was let update or patch what is not there may create it
 * (../README.md#who-may-create).
 */
import type { Decision } from '../../auth/authorizer.ts';
import { forbidden, internalError } from '../../semantics/errors/status.ts';
import { userOfText } from '../../semantics/user.ts';
import type { Shard } from '../state/shard.ts';
import type { ChangeRequest } from '../../protocol/shard-protocol.ts';
import type { Steps } from '../../proposals/steps.ts';

/** Nobody is asked twice for a request, though its write may begin again. */
const DECISIONS = new WeakMap<ChangeRequest, Decision>();

/** Throws StatusError 403, and 500 where it could not be decided. */
export function* mayCreate(shard: Shard, request: ChangeRequest): Steps<void> {
  const { user, namespace, name, subresource } = request;
  if (user === undefined) return;
  const { kind } = shard;
  const { resource, version } = kind.version(request.version);
  if (!DECISIONS.has(request)) {
    const asked = shard.authorizer().authorize({
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
    if (asked instanceof Promise) yield asked.then((known) => DECISIONS.set(request, known));
    else DECISIONS.set(request, asked);
  }
  const { verdict, reason, error } = DECISIONS.get(request) as Decision;
  if (verdict === 'allow') return;
  throw error === undefined ? forbidden(resource, name, reason) : internalError(error);
}
