/**
 * Objects, lists and events in binary (API-FACTS 2.5 and 13.2). A list says how long it is before
 * its first item, so all of them are encoded before it begins.
 */
import {
  EMPTY_CONTENT_FIELDS,
  envelopeStart,
  wrapProtobuf,
} from '../../codec/protobuf-envelope.ts';
import {
  PROTOBUF_LIST_TAIL,
  protobufBetaListHead,
  protobufBetaListTail,
  protobufListHead,
  protobufListItemHead,
  protobufWatchFrame,
} from '../../codec/protobuf-frames.ts';
import type { EncodedForms } from './encoded-forms.ts';
import type { ListMeta, ListWriter, Representation } from './representation.ts';
import type { Shape } from './shape.ts';

export function protobufRepresentation(
  id: string,
  shape: Shape,
  forms: EncodedForms,
): Representation {
  const { apiVersion, kind } = shape;
  const items = itemsOf(id, shape, forms);
  const start = envelopeStart({ apiVersion, kind });
  const document = (wire: Uint8Array, rv: number): Uint8Array[] => {
    const item = items.known(rv) ?? items.made(shape.members(wire, rv), rv);
    return [start, shape.itemsFirst ? asField(MESSAGE_FIELD, item) : item, EMPTY_CONTENT_FIELDS];
  };
  return {
    id,
    document,
    list: protobufList(shape, items),
    event: (type, wire, rv) => [protobufWatchFrame(type, Buffer.concat(document(wire, rv)))],
    bookmark: (rv, annotations) => {
      const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
      const raw = shape.protobuf(shape.bareMembers(metadata));
      return [protobufWatchFrame('BOOKMARK', wrapProtobuf({ apiVersion, kind, raw }))];
    },
  };
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
  made(members: Uint8Array, rv: number): Uint8Array;
}

function itemsOf(id: string, shape: Shape, forms: EncodedForms): Items {
  const number = shape.itemsFirst ? 1 : 2;
  return {
    known: (rv) => forms.get(id, rv),
    made: (members, rv) => {
      const message = shape.protobuf(members);
      const item = Buffer.concat([protobufListItemHead(message.length, number), message]);
      forms.set(id, rv, item);
      return item;
    },
  };
}

function protobufList(shape: Shape, { known, made }: Items): ListWriter {
  const { itemsFirst, tellsRemaining } = shape;
  const type = { apiVersion: shape.apiVersion, kind: `${shape.kind}List` };
  const headOf = itemsFirst ? protobufBetaListHead : protobufListHead;
  const told = (meta: ListMeta): ListMeta => (tellsRemaining ? meta : { ...meta, remaining: 0 });
  const itemAt: (...args: Parameters<Shape['membersAt']>) => Uint8Array | undefined = (
    rv,
    wireAt,
  ) => {
    const item = known(rv);
    if (item !== undefined) return item;
    const members = shape.membersAt(rv, wireAt);
    return members && made(members, rv);
  };
  return {
    lengthOf: (rv, wireAt) => itemAt(rv, wireAt)?.length,
    head: (meta, { bytes }) => headOf(type, told(meta), bytes),
    addItem: (sink, rv, wireAt) => {
      const item = itemAt(rv, wireAt);
      if (item !== undefined) sink.add(item);
      return item !== undefined;
    },
    tail: (meta) => (itemsFirst ? protobufBetaListTail(told(meta)) : PROTOBUF_LIST_TAIL),
  };
}
