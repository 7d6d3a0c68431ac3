/**
 * deletecollection: deletes, one by one, what a list with the same options holds
 * (../README.md#delete-collection).
 */
import type { Answer } from '../../actors/link.ts';
import { whenKnown } from '../../base/turns/when-known.ts';
import { COLLECTED_WARNINGS_CHARACTERS_MAX } from '../../limits.ts';
import { StatusError, successStatus, type Said } from '../../semantics/errors/status.ts';
import { deleteMany, type DeleteOne } from '../write/delete-many.ts';
import { deleteOptions } from '../write/delete-options.ts';
import { findList, parseListRequest } from '../read/find-list.ts';
import type { Shard } from '../state/shard.ts';
import type { DeleteCollectionRequest, ObjectReply, View } from '../../protocol/shard-protocol.ts';
import type { Verb } from '../write/driver.ts';
import { storageFailure } from '../write/storage-failure.ts';
import { writeInternally } from '../write/internal-write.ts';
import { deleteStored, deleteWarnings } from './delete.ts';

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
  const said = new SaidOfAll(deleteWarnings(shard, options));
  const failed = (error: unknown): void => answer.fail(said.of(storageFailure(error as Error)));
  const deleteOne: DeleteOne = (key, fail) => {
    const goesOn = (refusal: StatusError | undefined): boolean => {
      // An object that is gone by now was deleted by somebody else.
      const isDone = refusal === undefined || refusal.code === 404;
      if (!isDone) fail(refusal);
      return isDone;
    };
    const deletion: Verb = (write) => deleteStored(write, key, options);
    return whenKnown(
      writeInternally(shard, deletion, fail, (reply) => said.add(reply)),
      goesOn,
    );
  };
  findList(
    shard,
    said.telling(() => parseListRequest(shard, request)),
    ({ keys, continueToken }) => {
      deleteMany(shard, keys, deleteOne).then(
        () => answer.reply(said.reply(200), deletedStatus(shard, options.view, continueToken)),
        failed,
      );
    },
    failed,
  );
}

/** Collects warnings and annotations of all deletions: the answer has each of them once. */
class SaidOfAll {
  readonly #warnings = new Set<string>();
  #warningCharacters = 0;
  readonly #annotations = new Map<string, string>();
  #webhookMs = 0;

  constructor(warnings: readonly string[] = []) {
    this.add({ warnings });
  }

  add({ warnings = [], annotations = {}, webhookMs = 0 }: Said): void {
    this.#webhookMs += webhookMs;
    for (const text of warnings) {
      if (this.#warnings.has(text)) continue;
      this.#warningCharacters += text.length;
      if (this.#warningCharacters > COLLECTED_WARNINGS_CHARACTERS_MAX) break;
      this.#warnings.add(text);
    }
    // The first of two values for a key stays.
    for (const [key, value] of Object.entries(annotations)) {
      if (!this.#annotations.has(key)) this.#annotations.set(key, value);
    }
  }

  reply(code: number): ObjectReply {
    return { code, ...this.#all };
  }

  get #all(): Said {
    return {
      ...(this.#warnings.size > 0 && { warnings: [...this.#warnings] }),
      ...(this.#annotations.size > 0 && { annotations: Object.fromEntries(this.#annotations) }),
      ...(this.#webhookMs > 0 && { webhookMs: this.#webhookMs }),
    };
  }

  /** Does work, and throws what it throws with what was said before. */
  telling<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.of(error as Error);
    }
  }

  /** The error, which tells, if it is a refusal, what was said before it, too. */
  of(error: Error): Error {
    if (!(error instanceof StatusError)) return error;
    this.add(error.said);
    error.said = { ...error.said, ...this.#all };
    return error;
  }
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
