/** Writes that create an object in a namespace, which must be there (../README.md#namespaces). */
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import type { Shard } from '../state/shard.ts';
import type { ChangeRequest } from '../../protocol/shard-protocol.ts';

/**
 * Looks again, in the turn in which a create is staged, whether its namespace has begun to end
 * since it was admitted. Throws StatusError 403 or 404.
 */
export function checkNamespace(
  shard: Shard,
  request: Pick<ChangeRequest, 'namespace' | 'version'>,
  { name, generateName }: Pick<ObjectMeta, 'name' | 'generateName'>,
): void {
  if (!shard.admission.has('NamespaceLifecycle')) return;
  shard.namespaces?.checkCreate(
    request.namespace,
    shard.kind.version(request.version).resource,
    name || generateName || '',
  );
}
