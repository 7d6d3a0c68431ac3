/**
 * Requests in versions that a webhook converts to: what they need of it is prepared, and then they
 * are handled without waiting, as all others are (src/types/README.md#conversion).
 */
import type { Answer } from '../../actors/link.ts';
import { CONVERSION_BATCH_CHARACTERS_MAX } from '../../limits.ts';
import { ConversionNeeded, markedText } from '../../types/conversion.ts';
import type { Needed, WireAt } from '../representation/representation.ts';

/** Text of members as representations take it: marked with its version, '' for the stored one. */
export function shownAs(markedAs: string, wire: string): Buffer {
  return Buffer.from(markedAs === '' ? wire : markedText(wire, markedAs));
}

interface Ahead {
  readonly needed: ConversionNeeded | undefined;
  readonly end: number;
  /** The bytes that were looked at. */
  readonly bytes: number;
}

/**
 * The conversion that objects need which are about to be written one after the other, from `start`
 * on and for about a page, up to before `end`.
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
