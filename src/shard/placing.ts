/** Writes that may create an object in a namespace, which must be there (README.md#namespaces). */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { later } from './converting.ts';
import type { Shard } from './shard.ts';
import type { ChangeRequest } from './shard-protocol.ts';

/** Throws StatusError 403 or 404 for a namespace that ends, or does not exist. */
export function checkNamespace(
  shard: Shard,
  request: ChangeRequest,
  { metadata }: ApiObject,
): void {
  shard.namespaces?.checkCreate(
    request.namespace,
    shard.kind.version(request.version).resource,
    metadata.name || metadata.generateName || '',
  );
}

/**
 * Handles a request when every change of namespaces is known that was answered before it: at once
 * most often, and otherwise in a later turn.
 */
export function placing(shard: Shard, answer: Answer<never>, handle: () => void): void {
  const { namespaces } = shard;
  if (namespaces === undefined || namespaces.isCurrent) {
    handle();
    return;
  }
  namespaces.whenCurrent().then(
    () => later(shard, answer, handle),
    (error: unknown) => answer.fail(error),
  );
}
