/** Reads what rules need of the events of a watch, one after another in JSON or in protobuf. */
import type { Form } from '../semantics/options/answer-form.ts';

type EventEncoding = Form['encoding'];

export interface WatchEvent {
  /** The line or frame. */
  readonly bytes: Uint8Array;
  readonly encoding: EventEncoding;
  readonly type: string;
  /** Namespace and name; '' where it has none. */
  readonly key: string;
  /** The bookmark that ends the state with which a watch begins. */
  readonly endsState: boolean;
}

const LINE_FEED = 0x0a;
const LENGTH_BYTES = 4;
/** `k8s` and a zero, or what stands in the place of it: the mark before an object. */
const MAGIC_BYTES = 4;
const ENDS_STATE = 'initial-events-end';

/** The events in some bytes, which hold them whole. */
export function readEvents(bytes: Uint8Array, encoding: EventEncoding): WatchEvent[] {
  const events: WatchEvent[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = encoding === 'protobuf' ? endOfFrame(bytes, start) : endOfLine(bytes, start);
    const part = Uint8Array.from(bytes.subarray(start, end));
    events.push(encoding === 'protobuf' ? ofFrame(part) : ofLine(part, encoding));
    start = end;
  }
  return events;
}

function endOfLine(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start) + 1;
  return end === 0 ? bytes.length : end;
}

function endOfFrame(bytes: Uint8Array, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return start + LENGTH_BYTES + view.getUint32(start);
}

interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface EventDocument {
  readonly type?: string;
  readonly object?: {
    readonly metadata?: Metadata;
    readonly rows?: readonly { readonly object?: { readonly metadata?: Metadata } }[];
  };
}

function ofLine(bytes: Uint8Array, encoding: EventEncoding): WatchEvent {
  const { type = '', object } = JSON.parse(Buffer.from(bytes).toString()) as EventDocument;
  const {
    namespace = '',
    name = '',
    annotations,
  } = object?.rows?.[0]?.object?.metadata ?? object?.metadata ?? {};
  const endsState = Object.keys(annotations ?? {}).some((key) => key.endsWith(ENDS_STATE));
  return { bytes, encoding, type, key: keyOf(namespace, name), endsState };
}

/** `WatchEvent`: its type is the member 1, its object in 2, of which the member 1 is the bytes. */
function ofFrame(bytes: Uint8Array): WatchEvent {
  const event = fieldsOf(bytes.subarray(LENGTH_BYTES));
  const type = textOf(event.get(1));
  const raw = fieldsOf(event.get(2)).get(1) ?? new Uint8Array(0);
  // The envelope has the object in its member 2, which has its metadata in the member 1.
  const object = fieldsOf(raw.subarray(MAGIC_BYTES)).get(2);
  const metadata = fieldsOf(fieldsOf(object).get(1));
  const endsState = type === 'BOOKMARK' && Buffer.from(raw).includes(ENDS_STATE);
  const key = keyOf(textOf(metadata.get(3)), textOf(metadata.get(1)));
  return { bytes, encoding: 'protobuf', type, key, endsState };
}

/** The same event under another type. */
export function withType(event: WatchEvent, type: string): WatchEvent {
  if (event.type === type) return event;
  const { bytes, encoding, type: old } = event;
  if (encoding !== 'protobuf') {
    const text = Buffer.from(bytes).toString().replace(`"type":"${old}"`, `"type":"${type}"`);
    return { ...event, type, bytes: Buffer.from(text) };
  }
  // The type is the first member: a tag, a length of one byte, the text.
  const rest = bytes.subarray(LENGTH_BYTES + 2 + old.length);
  const frame = Buffer.alloc(LENGTH_BYTES + 2 + type.length + rest.length);
  frame.writeUInt32BE(frame.length - LENGTH_BYTES);
  frame[LENGTH_BYTES] = bytes[LENGTH_BYTES] ?? 0;
  frame[LENGTH_BYTES + 1] = type.length;
  frame.write(type, LENGTH_BYTES + 2);
  frame.set(rest, LENGTH_BYTES + 2 + type.length);
  return { ...event, type, bytes: frame };
}

function keyOf(namespace: string, name: string): string {
  return name === '' ? '' : `${namespace}/${name}`;
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString();
}

const LENGTH_DELIMITED = 2;

/** The first of each member of a message that has a length; the others are passed over. */
function fieldsOf(message: Uint8Array = new Uint8Array(0)): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  let at = 0;
  const number = (): number => {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 128;
    }
  };
  while (at < message.length) {
    const tag = number();
    const wire = tag % 8;
    if (wire === 0) number();
    else if (wire === LENGTH_DELIMITED) {
      const length = number();
      const field = Math.floor(tag / 8);
      if (!fields.has(field)) fields.set(field, message.subarray(at, at + length));
      at += length;
    } else at += wire === 1 ? 8 : 4;
  }
  return fields;
}
