/**
 * deletecollection: deletes, one by one, what a list with the same options holds
 * (README.md#delete-collection).
 */
import type { Answer } from '../actors/link.ts';
import { whenKnown } from '../base/when-known.ts';
import { type StatusError, successStatus } from '../semantics/status.ts';
import { deleteUnseen, deleteWarnings } from './delete.ts';
import { deleteMany } from './delete-many.ts';
import { deleteOptions } from './delete-options.ts';
import type { DeleteOptions } from './delete-options.ts';
import { findList, parseListRequest } from './find-list.ts';
import { warned } from './object-reply.ts';
import type { Shard } from './shard.ts';
import type { DeleteCollectionRequest, ObjectReply, View } from './shard-protocol.ts';
import { storageFailure } from './storage-failure.ts';

const OK: ObjectReply = { code: 200 };

/**
 * Throws StatusError 400, 422, 500 or 504 for options that are refused. Otherwise answers 200 when
 * all are deleted, or with the first failure: 410 for a version or token that has expired, 409 for
 * an object that does not meet the preconditions, 500 for a failed commit.
 */
export function deleteCollection(
  shard: Shard,
  request: DeleteCollectionRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const options = { ...deleteOptions(shard, request, body), isOfCollection: true } as const;
  warned(deleteWarnings(shard, options), answer, (told) => {
    findList(
      shard,
      parseListRequest(shard, request),
      ({ keys, continueToken }) => {
        deleteMany(shard, keys, (key, failed) => deleteOne(shard, key, options, failed)).then(
          () => told.reply(OK, deletedStatus(shard, options.view, continueToken)),
          (error: unknown) => told.fail(storageFailure(error as Error)),
        );
      },
      (error) => told.fail(error),
    );
  });
}

/**
 * An object that is gone by now was deleted by somebody else. What a refusal rests on may not be
 * committed yet: if that fails, so does this.
 */
function deleteOne(
  shard: Shard,
  key: string,
  options: DeleteOptions,
  failed: (error: unknown) => void,
): boolean | Promise<boolean> {
  const goesOn = (refusal: StatusError | undefined): boolean => {
    if (refusal === undefined) return true;
    const isGone = refusal.code === 404;
    shard.pipeline.afterPending(key, (failure) => {
      if (failure !== undefined) failed(failure);
      else if (!isGone) failed(refusal);
    });
    return isGone;
  };
  return whenKnown(deleteUnseen(shard, key, options, failed), goesOn);
}

/** With a limit the Status carries the token for the rest, as a list would. */
function deletedStatus(shard: Shard, view: View, continueToken: string): Uint8Array {
  const status = successStatus({
    metadata: continueToken === '' ? {} : { continue: continueToken },
    details: { kind: shard.kind.definition.kind },
    code: 200,
  });
  return shard.representations.status(view, status);
}
