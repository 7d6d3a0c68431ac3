/**
 * The bodies of answers to writes. They are functions of their own, so that a write that waits for
 * the commit keeps no more than the answer needs.
 */
import type { Representation } from '../representation/representation.ts';
import type { Shard } from '../state/shard.ts';
import type { AnswerBody } from './write.ts';

type Document = Pick<Representation, 'document'>;

/** The object as it was written at that version. */
export function writtenObject(shard: Shard, representation: Document, rv: number): AnswerBody {
  return (record) => {
    if (record === undefined) throw new Error('nothing was written');
    return representation.document(shard.writtenWire(record), shard.keptAs(rv));
  };
}

/** An object that is not written, or not like that: its stored bytes, at that version if any. */
export function shownObject(representation: Document, bytes: Uint8Array, keptAs = 0): AnswerBody {
  return () => representation.document(bytes, keptAs);
}
