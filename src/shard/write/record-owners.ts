/**
 * Who a request makes the owner of the fields that it changes
 * (src/semantics/fields/README.md#entries and src/semantics/fields/README.md#managers).
 */
import { writerOf } from '../../proposals/writer-of.ts';
import { ownersOfUpdate } from '../../types/field-owners.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import type { ChangeRequest } from '../../protocol/shard-protocol.ts';

/**
 * Records the owners of the fields of `updated`, with which the server itself replaces `stored`.
 */
export function trackWrite(
  shard: Shard,
  updated: ApiObject,
  { object: stored }: Pick<Latest, 'object'>,
  by: Pick<ChangeRequest, 'manager' | 'subresource'>,
): void {
  const writer = writerOf(shard, by);
  updated.metadata.managedFields = ownersOfUpdate(shard.kind, updated, stored, undefined, writer);
}
