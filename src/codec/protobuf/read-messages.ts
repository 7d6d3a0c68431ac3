/** Keeps messages that were read before: copying a decoded object takes a third of decoding it. */
import { KnownMessages } from './known-messages.ts';
import type { Reader } from './protobuf-item.ts';
import type { Members } from '../model/schema-model.ts';

interface ReadMessage {
  readonly bytes: Buffer;
  /** The depth at which it was read: deeper down it might nest too deep. */
  readonly depth: number;
  /** Made when the bytes come a second time, which most never do. */
  copy?: Copy<Members>;
}

interface Place {
  readonly reader: Reader;
  readonly depth: number;
}

type Copy<T> = () => T;

/** The kept messages of one type. */
export class ReadMessages extends KnownMessages<ReadMessage, Place> {
  /** A new object of the message to which the reader is confined. Throws the errors of `decode`. */
  read(reader: Reader, depth: number, decode: () => Members): Members {
    const known = this.find({ reader, depth });
    if (known?.copy !== undefined) {
      reader.pos = reader.len;
      return known.copy();
    }
    const start = reader.pos;
    const object = decode();
    // The caller may change the object from now on, so the copy is made first.
    if (known !== undefined) known.copy = copierOf(object);
    else {
      const { buf, pos } = reader;
      this.keep(pos - start, () => ({ bytes: Buffer.from(buf.subarray(start, pos)), depth }));
    }
    return object;
  }

  protected isAt({ reader, depth }: Place, { bytes, depth: itsDepth }: ReadMessage): boolean {
    const { buf, pos, len } = reader;
    if (len - pos !== bytes.length || depth !== itsDepth) return false;
    return bytes.compare(buf, pos, len) === 0;
  }
}

/** Decoded values that may change: objects and lists. */
type Changing = Members | unknown[];

function isChanging(value: unknown): value is Changing {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Makes copies of the value as it is now. */
function copierOf<T extends Changing>(value: T): Copy<T> {
  const copy = shallowCopierOf(value);
  const parts = Object.entries(value as Members).flatMap(([name, part]) =>
    isChanging(part) ? [{ name, copyPart: copierOf(part) }] : [],
  );
  return () => {
    const copied = copy();
    for (let index = 0; index < parts.length; index += 1) {
      const { name, copyPart } = parts[index] as (typeof parts)[number];
      (copied as Members)[name] = copyPart();
    }
    return copied as T;
  };
}

/** Copies are made as the decoders make objects, so that code that handles them is as fast. */
function shallowCopierOf(value: Changing): Copy<Changing> {
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    return () => [...list];
  }
  const members = { ...value };
  if (Object.getPrototypeOf(value) === null) {
    return () => Object.assign(Object.create(null) as Members, members);
  }
  // `Object.assign` keeps the hidden class, which a spread does not.
  return () => Object.assign({}, members);
}
