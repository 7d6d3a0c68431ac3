/** What controllers write: as a client's requests do, but nobody reads the answer. */
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { StatusError } from '../semantics/status.ts';
import { deleteStored } from './delete.ts';
import type { Latest } from './latest.ts';
import type { Shard } from './shard.ts';
import { CONTROLLER_MANAGER } from './shard-protocol.ts';
import type { ObjectReply } from './shard-protocol.ts';
import type { PropagationPolicy } from './upkeep-protocol.ts';
import { UNSEEN, writeUpdate } from './update.ts';
import { trackWrite } from './record-owners.ts';

/** Called when what was staged could not be committed. */
export type Failed = (error: unknown) => void;

function unread(failed: Failed): Answer<ObjectReply> {
  return { reply: () => undefined, fail: failed };
}

/**
 * Puts `updated` in the place of `stored`; one that nothing holds back any more is removed. It is
 * changed through a subresource, or '' the object itself.
 */
export function replaceStored(
  shard: Shard,
  key: string,
  stored: Latest,
  updated: ApiObject,
  failed: Failed,
  subresource = '',
): void {
  trackWrite(shard, updated, stored, { manager: CONTROLLER_MANAGER, subresource });
  writeUpdate(
    shard,
    { key, stored, updated, dryRun: false, code: 200, representation: UNSEEN },
    unread(failed),
  );
}

/** As a client's DELETE. Returns why it is refused; undefined when it is done or was before. */
export function deleteOrRefuse(
  shard: Shard,
  key: string,
  propagationPolicy: PropagationPolicy,
  failed: Failed,
): StatusError | undefined {
  const options = {
    dryRun: false,
    uid: '',
    resourceVersion: '',
    propagationPolicy,
    orphanDependents: undefined,
    gracePeriodSeconds: undefined,
    view: {},
  };
  try {
    deleteStored(shard, key, options, unread(failed));
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof StatusError)) throw refusal;
    return refusal.code === 404 ? undefined : refusal;
  }
}
