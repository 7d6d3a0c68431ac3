/**
 * Objects, lists and events in binary (../README.md#representations). A list says how long it is
 * before its first item, so all of them are encoded before it begins.
 */
import { assert } from '../../base/assert.ts';
import type { ProtobufCodec } from '../../codec/protobuf/protobuf-codec.ts';
import {
  EMPTY_CONTENT_FIELDS,
  envelopeStart,
  wrapProtobuf,
} from '../../codec/protobuf/protobuf-envelope.ts';
import {
  PROTOBUF_LIST_TAIL,
  protobufBetaListHead,
  protobufBetaListTail,
  protobufListHead,
  protobufWatchFrame,
} from '../../codec/protobuf/protobuf-frames.ts';
import type { EncodingCache } from './encoding-cache.ts';
import type { ListMeta, ListWriter, Representation } from './representation.ts';
import type { Content } from './content.ts';

export function protobufRepresentation(
  id: string,
  content: Content,
  cache: EncodingCache,
): Representation {
  const { apiVersion, kind } = content;
  const items = itemsOf(id, content, cache);
  const start = envelopeStart({ apiVersion, kind });
  const document = (wire: Uint8Array, rv: number): Uint8Array[] => {
    const item = items.known(rv) ?? items.made(content.members(wire, rv), rv);
    return [start, content.itemsFirst ? asField(MESSAGE_FIELD, item) : item, EMPTY_CONTENT_FIELDS];
  };
  return {
    id,
    needed: content.needed,
    document,
    list: protobufList(content, items),
    event: (type, wire, rv) => [protobufWatchFrame(type, Buffer.concat(document(wire, rv)))],
    bookmark: (rv, annotations) => {
      const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
      const raw = codecOf(content).encode(content.bareMembers(metadata));
      return [protobufWatchFrame('BOOKMARK', wrapProtobuf({ apiVersion, kind, raw }))];
    },
  };
}

/** Requests for what has no binary form are refused before they get here. */
function codecOf({ kind, protobuf }: Content): ProtobufCodec {
  assert(protobuf !== undefined, `${kind} has no binary form`);
  return protobuf;
}

/** The first byte of the message's field in an envelope. */
const MESSAGE_FIELD = 0x12;

function asField(first: number, item: Uint8Array): Uint8Array {
  const field = Uint8Array.from(item);
  field[0] = first;
  return field;
}

/** Objects as items of lists have them: their messages, after number and length. */
interface Items {
  known(rv: number): Uint8Array | undefined;
  /** Valid until the next one is made. */
  make(members: Uint8Array): Uint8Array;
  /** Returns whether it is kept. */
  keep(rv: number, item: Uint8Array): boolean;
  /** Makes an item and keeps it. */
  made(members: Uint8Array, rv: number): Uint8Array;
}

function itemsOf(id: string, content: Content, cache: EncodingCache): Items {
  const number = content.itemsFirst ? 1 : 2;
  const make = (members: Uint8Array): Uint8Array => codecOf(content).encodeField(number, members);
  // This cache keeps no objects that a webhook converted: their own cache forgets them soon.
  const isKept = content.needed === undefined;
  const keep = (rv: number, item: Uint8Array): boolean => isKept && cache.set(id, rv, item);
  return {
    known: (rv) => (isKept ? cache.get(id, rv) : undefined),
    make,
    keep,
    made: (members, rv) => {
      const item = make(members);
      keep(rv, item);
      return item;
    },
  };
}

function protobufList(content: Content, { known, make, keep }: Items): ListWriter {
  const { itemsFirst, tellsRemaining } = content;
  const type = { apiVersion: content.apiVersion, kind: content.listKind };
  const headOf = itemsFirst ? protobufBetaListHead : protobufListHead;
  const told = (meta: ListMeta): ListMeta => (tellsRemaining ? meta : { ...meta, remaining: 0 });
  const itemAt: (...args: Parameters<Content['membersAt']>) => Uint8Array | undefined = (
    rv,
    wireAt,
  ) => {
    const item = known(rv);
    if (item !== undefined) return item;
    const members = content.membersAt(rv, wireAt);
    // It was offered to be kept when it was measured.
    return members && make(members);
  };
  return {
    measuring: {
      keptLength: (rv) => known(rv)?.length,
      make: (sink, rv, wireAt) => {
        const members = content.membersAt(rv, wireAt);
        if (members === undefined) return undefined;
        const item = make(members);
        if (!keep(rv, item)) sink.add(item);
        return item.length;
      },
    },
    head: (meta, { bytes }) => headOf(type, told(meta), bytes),
    addItem: (sink, rv, wireAt) => {
      const item = itemAt(rv, wireAt);
      if (item !== undefined) sink.add(item);
      return item !== undefined;
    },
    tail: (meta) => (itemsFirst ? protobufBetaListTail(told(meta)) : PROTOBUF_LIST_TAIL),
  };
}
