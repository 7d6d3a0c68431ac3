/** Decoders of messages: bytes to objects in the shapes that `json-codec.ts` documents. */
import { DecodeError } from '../json/go-errors.ts';
import { KNOWN_MEMBERS_MIN } from './known-messages.ts';
import { fieldReader, inlineReader, readFields } from './protobuf-decode.ts';
import type { FieldReader, FieldReaders, Slots } from './protobuf-decode.ts';
import { enterMessage } from './protobuf-item.ts';
import type { ItemDecoder, Reader } from './protobuf-item.ts';
import { leafDecoder } from './protobuf-leaf.ts';
import { ReadMessages } from './read-messages.ts';
import type { VariantCodecs } from './protobuf-variants.ts';
import type { FieldSchema, Members, MessageSchema, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, messageNamed } from '../model/schema-walk.ts';

/** Deeper messages are refused: far more than any schema nests, far less than the stack holds. */
export const PROTOBUF_DEPTH_MAX = 500;

export interface MessageDecoder {
  /** Reads all bytes to which the reader is confined. `before` is the message so far. */
  read(reader: Reader, depth: number, before?: Members): Members;
  /** The value of an absent message that is always there. */
  empty(): Members;
}

/** A member of the object, in declaration order. */
interface Member {
  readonly name: string;
  /** For messages that are there even when the bytes do not mention them. */
  readonly empty: (() => Members) | undefined;
}

interface Layout {
  readonly members: readonly Member[];
  readonly readers: FieldReaders;
  /** A reusable list with a slot for each member, all absent; undefined while it is in use. */
  free: Slots | undefined;
}

/**
 * Reading a shorter message takes no longer than finding it among known ones; longer ones are rare.
 */
const READ_BYTES_MIN = 192;
const READ_BYTES_MAX = 4 * 1024;

/** Compiles messages, each once, on first use. */
export class DecoderCompiler {
  readonly #model: SchemaModel;
  readonly #variants: VariantCodecs;
  readonly #messages = new Map<string, MessageDecoder>();

  constructor(model: SchemaModel, variants: VariantCodecs) {
    this.#model = model;
    this.#variants = variants;
  }

  message(name: string): MessageDecoder {
    const known = this.#messages.get(name);
    if (known !== undefined) return known;
    const decoder = this.#compile(messageNamed(this.#model, name));
    this.#messages.set(name, decoder);
    return decoder;
  }

  /** The message with its length. */
  item(name: string): ItemDecoder {
    let compiled: MessageDecoder | undefined;
    const message = (): MessageDecoder => (compiled ??= this.message(name));
    const isLong = messageNamed(this.#model, name).fields.length >= KNOWN_MEMBERS_MIN;
    const known = isLong ? new ReadMessages(READ_BYTES_MIN, READ_BYTES_MAX) : undefined;
    return {
      wireType: 2,
      read: (reader, depth, before) => {
        const outer = enterMessage(reader);
        const looked = before === undefined ? known?.next(reader.len - reader.pos) : undefined;
        const value =
          looked === undefined
            ? message().read(reader, depth + 1, before as Members | undefined)
            : looked.read(reader, depth, () => message().read(reader, depth + 1));
        reader.len = outer;
        return value;
      },
      zero: () => message().empty(),
    };
  }

  #compile(message: MessageSchema): MessageDecoder {
    let compiledLayout: Layout | undefined;
    const type = message.name.slice(message.name.lastIndexOf('.') + 1);
    return {
      read: (reader, depth, before) => {
        if (depth > PROTOBUF_DEPTH_MAX) throw new DecodeError('proto: exceeded max depth');
        compiledLayout ??= this.#layout(message);
        const slots = takeSlots(compiledLayout, before);
        readFields(reader, compiledLayout.readers, slots, depth, type);
        const object = objectOf(compiledLayout.members, slots);
        compiledLayout.free = slots;
        return object;
      },
      empty: () => {
        compiledLayout ??= this.#layout(message);
        return objectOf(compiledLayout.members, []);
      },
    };
  }

  #layout(message: MessageSchema): Layout {
    const members: Member[] = [];
    const readers = this.#readers(message, members);
    return { members, readers, free: undefined };
  }

  /** Appends to `members` those of the message, inline ones in the place of their message. */
  #readers(message: MessageSchema, members: Member[]): FieldReaders {
    const readers: (FieldReader | undefined)[] = [];
    for (const field of message.fields) {
      if (field.inline === true) {
        const inner = this.#readers(messageNamed(this.#model, field.type), members);
        readers[field.number] = inlineReader(field, inner);
      } else {
        const item = this.#item(message, field);
        readers[field.number] = fieldReader(field, item, members.length);
        members.push({ name: field.name, empty: this.#empty(field) });
      }
    }
    // Copied into an array without holes, which is faster.
    return Array.from(readers);
  }

  #empty(field: FieldSchema): (() => Members) | undefined {
    if (field.container !== 'single' || field.presence === true) return undefined;
    if (field.mustBeSent === true) return undefined;
    return isMessageType(field.type) ? () => this.message(field.type).empty() : undefined;
  }

  #item(message: MessageSchema, field: FieldSchema): ItemDecoder {
    if (isMessageType(field.type)) return this.item(field.type);
    return this.#variants.decoder(message.name, field.name) ?? leafDecoder(field.type);
  }
}

function takeSlots(layout: Layout, before: Members | undefined): Slots {
  const { members, free } = layout;
  layout.free = undefined;
  if (before !== undefined) return members.map(({ name }) => before[name]);
  // A list without holes.
  return free ?? members.map(() => undefined);
}

/** Makes the object, and leaves all slots absent. */
function objectOf(members: readonly Member[], slots: Slots): Members {
  const object: Members = {};
  // A counting loop, because an iterator would cost more than the rest of this function.
  for (let index = 0; index < members.length; index += 1) {
    const { name, empty } = members[index] as Member;
    const value = slots[index];
    if (value !== undefined) {
      object[name] = value;
      slots[index] = undefined;
    } else if (empty !== undefined) object[name] = empty();
  }
  return object;
}
