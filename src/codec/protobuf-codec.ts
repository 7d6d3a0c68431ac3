/**
 * Protobuf of built-in kinds (README.md#protobuf): bytes to objects and back, compiled from the
 * schema model. Objects have the shape that `json-codec.ts` documents, so that one that is decoded
 * here encodes to the same JSON and the other way round. One thing has no bytes: a list or map that
 * is always written in JSON comes back absent when it is empty.
 */
import { DecodeError } from './go-errors.ts';
import { compileJsonCodec } from './json-codec.ts';
import { fieldReader, inlineReader, readFields } from './protobuf-decode.ts';
import type { FieldReader, FieldReaders, Slots } from './protobuf-decode.ts';
import { fieldWriter, inlineWriter } from './protobuf-encode.ts';
import type { WriteField } from './protobuf-encode.ts';
import { decodingBytes, enterMessage, newWriter, readerOf } from './protobuf-item.ts';
import type { ItemCodec, Reader, Writer } from './protobuf-item.ts';
import { leafCodec } from './protobuf-leaf.ts';
import { VariantCodecs } from './protobuf-variants.ts';
import type { FieldSchema, Members, MessageSchema, SchemaModel } from './schema-model.ts';
import { isMessageType, messageNamed } from './schema-walk.ts';

export interface ProtobufCodec {
  /** The bare message bytes of a decoded object (no envelope). */
  encode(object: object): Uint8Array;
  /** Unknown fields are dropped. Throws `DecodeError` for bytes that are no such message. */
  decode(bytes: Uint8Array): Record<string, unknown>;
}

/** Deeper messages are refused: far more than any schema nests, far less than the stack holds. */
export const PROTOBUF_DEPTH_MAX = 500;

/** The codec of a message such as `core.v1.ConfigMap`; nested ones compile on first use. */
export function compileProtobufCodec(model: SchemaModel, messageName: string): ProtobufCodec {
  const message = new MessageCompiler(model).message(messageName);
  return {
    encode: (object) => {
      const writer = newWriter();
      message.write(object as Members, writer);
      return writer.finish();
    },
    decode: (bytes) => decodingBytes(() => message.read(readerOf(bytes), 0)),
  };
}

interface MessageCodec {
  write(object: Members, writer: Writer): void;
  /** All that the reader is confined to, on top of what came before for the same message. */
  read(reader: Reader, depth: number, before?: Members): Members;
  /** What an absent message that is always there decodes to. */
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
}

/** Compiles messages, each once, on first use. */
class MessageCompiler {
  readonly #model: SchemaModel;
  readonly #messages = new Map<string, MessageCodec>();
  readonly #variants: VariantCodecs;

  constructor(model: SchemaModel) {
    this.#model = model;
    this.#variants = new VariantCodecs({
      json: (name) => compileJsonCodec(model, name),
      item: (name) => messageItem(() => this.message(name)),
    });
  }

  message(name: string): MessageCodec {
    const known = this.#messages.get(name);
    if (known !== undefined) return known;
    const codec = this.#compile(messageNamed(this.#model, name));
    this.#messages.set(name, codec);
    return codec;
  }

  #compile(message: MessageSchema): MessageCodec {
    let compiledWriters: readonly WriteField[] | undefined;
    let compiledLayout: Layout | undefined;
    const layout = (): Layout => (compiledLayout ??= this.#layout(message));
    const type = message.name.slice(message.name.lastIndexOf('.') + 1);
    return {
      write: (object, writer) => {
        compiledWriters ??= this.#writers(message);
        for (const write of compiledWriters) write(object, writer);
      },
      read: (reader, depth, before) => {
        if (depth > PROTOBUF_DEPTH_MAX) throw new DecodeError('proto: exceeded max depth');
        const { members, readers } = layout();
        const slots = slotsOf(members, before);
        readFields(reader, readers, slots, depth, type);
        return objectOf(members, slots);
      },
      empty: () => objectOf(layout().members, []),
    };
  }

  /** In the order of their numbers. */
  #writers(message: MessageSchema): WriteField[] {
    const fields = [...message.fields].sort((a, b) => a.number - b.number);
    return fields.map((field) => {
      if (field.inline !== true) return fieldWriter(field, this.#item(message, field));
      let inner: readonly WriteField[] | undefined;
      const inline = messageNamed(this.#model, field.type);
      return inlineWriter(field, () => (inner ??= this.#writers(inline)));
    });
  }

  #layout(message: MessageSchema): Layout {
    const members: Member[] = [];
    return { readers: this.#readers(message, members), members };
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
    // Without holes: they are slow.
    return Array.from(readers);
  }

  #empty(field: FieldSchema): (() => Members) | undefined {
    if (field.container !== 'single' || field.presence === true) return undefined;
    if (field.mustBeSent === true) return undefined;
    return isMessageType(field.type) ? () => this.message(field.type).empty() : undefined;
  }

  #item(message: MessageSchema, field: FieldSchema): ItemCodec {
    if (isMessageType(field.type)) return messageItem(() => this.message(field.type));
    return this.#variants.find(message.name, field.name) ?? leafCodec(field.type);
  }
}

function messageItem(compile: () => MessageCodec): ItemCodec {
  let compiled: MessageCodec | undefined;
  const message = (): MessageCodec => (compiled ??= compile());
  return {
    wireType: 2,
    write: (value, writer) => {
      writer.fork();
      message().write((value ?? NOTHING) as Members, writer);
      writer.ldelim();
    },
    read: (reader, depth, before) => {
      const outer = enterMessage(reader);
      const value = message().read(reader, depth + 1, before as Members | undefined);
      reader.len = outer;
      return value;
    },
    zero: () => message().empty(),
  };
}

const NOTHING: Members = {};

function slotsOf(members: readonly Member[], before: Members | undefined): Slots {
  return members.map(({ name }) => before?.[name]);
}

function objectOf(members: readonly Member[], slots: Slots): Members {
  const object: Members = {};
  // Counted: an iterator costs more than all else here.
  for (let index = 0; index < members.length; index += 1) {
    const { name, empty } = members[index] as Member;
    const value = slots[index];
    if (value !== undefined) object[name] = value;
    else if (empty !== undefined) object[name] = empty();
  }
  return object;
}
