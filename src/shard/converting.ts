/**
 * Requests in versions that a webhook converts to: what they need of it is prepared, and then they
 * are handled without waiting, as all others are (src/types/README.md#conversion).
 */
import type { Answer } from '../actors/link.ts';
import { CONVERSION_BATCH_CHARACTERS_MAX } from '../limits.ts';
import type { ApiObject } from '../resources/kind.ts';
import { storedManagedFields } from '../semantics/object-meta.ts';
import { ConversionNeeded, markedText } from '../types/conversion.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { later } from './attempt.ts';
import { latestOf } from './latest.ts';
import type { Latest } from './latest.ts';
import { ObjectMoved } from './object-moved.ts';
import type { Needed, WireAt } from './representation/representation.ts';
import type { Shard } from './shard.ts';
import type { View } from './shard-protocol.ts';

/** What a request in a version works on: the type as if that version were the stored one. */
export function kindOf(shard: Shard, { version }: View): ResourceType {
  return shard.kind.writtenIn(version);
}

/**
 * The newest state of an object as one of that type, of which `kindOf` tells. Throws
 * ConversionNeeded.
 */
export function latestIn(shard: Shard, key: string, kind: ResourceType): Latest | undefined {
  const latest = shard.latest(key);
  const { conversion, groupVersion, codec } = kind.stored;
  if (latest === undefined || conversion === undefined) return latest;
  const from = latest.markedAs === '' ? shard.kind.stored.groupVersion : latest.markedAs;
  // What clients write is stored as all is now.
  if (from === groupVersion) return { ...latest, writtenAs: undefined };
  const object = conversion.converted(latest.object, from);
  const managedFieldsLength = storedManagedFields(latest.object.metadata).length;
  const wire = codec.encode(object);
  return latestOf(kind, { rv: latest.rv, wire, managedFieldsLength, markedAs: groupVersion });
}

/** Text of members as representations take it: marked with its version, '' for the stored one. */
export function shownAs(markedAs: string, wire: string): Buffer {
  return Buffer.from(markedAs === '' ? wire : markedText(wire, markedAs));
}

interface Ahead {
  readonly needed: ConversionNeeded | undefined;
  readonly end: number;
  /** How much was looked at. */
  readonly bytes: number;
}

/**
 * What has to be prepared for objects that are about to be written one after the other, from
 * `start` on and for about a page, up to before `end`.
 */
export function neededAhead(
  needed: Needed,
  rvs: ArrayLike<number>,
  start: number,
  wireAt: WireAt,
): Ahead {
  let bytes = 0;
  let at = start;
  const all: ConversionNeeded[] = [];
  for (; at < rvs.length && bytes < CONVERSION_BATCH_CHARACTERS_MAX; at++) {
    const one = needed(rvs[at] ?? 0, (rv) => {
      const wire = wireAt(rv);
      bytes += wire?.length ?? 0;
      return wire;
    });
    if (one !== undefined) all.push(one);
  }
  const [first, ...others] = all;
  return { needed: first?.with(others), end: at, bytes };
}

/**
 * Answers with a document that may need a webhook first. `make` is called again then: what it reads
 * has to be there still.
 */
export function replyWith<Reply>(
  answer: Pick<Answer<Reply>, 'reply' | 'fail'>,
  header: Reply,
  make: () => Uint8Array[],
): void {
  let document: Uint8Array[];
  try {
    document = make();
  } catch (error) {
    if (!(error instanceof ConversionNeeded)) throw error;
    error.prepare().then(
      (held) =>
        setImmediate(() => {
          replyWith(answer, header, make);
          held.release();
        }),
      (failure: unknown) => answer.fail(failure),
    );
    return;
  }
  answer.reply(header, ...document);
}

/**
 * Calls `then` with an object of a type that `kindOf` tells of as it is to be stored: at once, or
 * when the webhook has said how it looks. Fails with ObjectMoved when the newest version of `key`
 * is not `rv` any more then; 0 stands for none.
 */
export function inStoredVersion(
  shard: Shard,
  { kind, key, rv }: { readonly kind: ResourceType; readonly key: string; readonly rv: number },
  object: ApiObject,
  answer: Answer<never>,
  then: (object: ApiObject) => void,
): void {
  const target = shard.kind;
  const { conversion } = target.stored;
  if (kind === target || conversion === undefined) {
    then(object);
    return;
  }
  const from = kind.stored.groupVersion;
  const take = (): void => {
    const hasMoved = shard.kind !== target || (shard.newestRv(key) ?? 0) !== rv;
    if (hasMoved) throw new ObjectMoved();
    then(conversion.stored(object, from));
  };
  let needed: ConversionNeeded;
  try {
    take();
    return;
  } catch (error) {
    if (!(error instanceof ConversionNeeded)) throw error;
    needed = error;
  }
  needed.prepare().then(
    (held) =>
      later(shard, answer, () => {
        try {
          take();
        } finally {
          held.release();
        }
      }),
    (error: unknown) => answer.fail(error),
  );
}
