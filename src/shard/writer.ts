/** Who a request makes the owner of the fields that it changes (API-FACTS 6.1 and 6.3). */
import { utcSeconds } from '../base/utc-time.ts';
import { ownersOfUpdate } from '../resources/field-owners.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { Writer } from '../semantics/fields/track-update.ts';
import type { Latest, Shard } from './shard.ts';
import type { ChangeRequest } from './shard-protocol.ts';

export function writerOf(
  shard: Shard,
  { manager, version, subresource }: Pick<ChangeRequest, 'manager' | 'version' | 'subresource'>,
): Writer {
  return {
    manager,
    apiVersion: shard.kind.version(version).groupVersion,
    subresource,
    time: utcSeconds(shard.nowMs()),
  };
}

/** Writes down whose the fields of `updated` are, which the server itself puts for `stored`. */
export function trackWrite(
  shard: Shard,
  updated: ApiObject,
  { object: stored }: Latest,
  by: Pick<ChangeRequest, 'manager' | 'subresource'>,
): void {
  const writer = writerOf(shard, by);
  updated.metadata.managedFields = ownersOfUpdate(shard.kind, updated, stored, undefined, writer);
}
