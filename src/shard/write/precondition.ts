import { conflict } from '../../semantics/errors/status.ts';
import type { GroupResource, StatusError } from '../../semantics/errors/status.ts';
import { referenceKey } from './reference-key.ts';
import { splitKey } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';

/** A 409 in the words of the reference's store; `failed` says what was not met. */
export function preconditionFailed(
  shard: Shard,
  resource: GroupResource,
  key: string,
  failed: string,
): StatusError {
  const [, name] = splitKey(key);
  const why =
    `StorageError: invalid object, Code: 4, Key: ${referenceKey(shard.kind.definition, key)}, ` +
    `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${failed}`;
  return conflict(resource, name, why);
}
