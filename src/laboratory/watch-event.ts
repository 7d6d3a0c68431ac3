/** Reads what rules need of the events of a watch, one after another in JSON or in protobuf. */
import { endOfEvent, FRAME_LENGTH_BYTES } from '../codec/event-ends.ts';
import { unwrapProtobuf } from '../codec/protobuf/protobuf-envelope.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import { fieldsOf, NO_BYTES, textOf } from './message-fields.ts';

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

const ENDS_STATE = 'initial-events-end';

/** The events in some bytes, which hold them whole. */
export function readEvents(bytes: Uint8Array, encoding: EventEncoding): WatchEvent[] {
  const events: WatchEvent[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = endOfEvent(bytes, start, encoding);
    const part = Uint8Array.from(bytes.subarray(start, end));
    events.push(encoding === 'protobuf' ? ofFrame(part) : ofLine(part, encoding));
    start = end;
  }
  return events;
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
  const event = fieldsOf(bytes.subarray(FRAME_LENGTH_BYTES));
  const type = textOf(event.get(1));
  const raw = fieldsOf(event.get(2)).get(1) ?? NO_BYTES;
  // Of each kind of object the member 1 is its metadata.
  const metadata = fieldsOf(fieldsOf(unwrapProtobuf(raw).raw).get(1));
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
  const rest = bytes.subarray(FRAME_LENGTH_BYTES + 2 + old.length);
  const frame = Buffer.alloc(FRAME_LENGTH_BYTES + 2 + type.length + rest.length);
  frame.writeUInt32BE(frame.length - FRAME_LENGTH_BYTES);
  frame[FRAME_LENGTH_BYTES] = bytes[FRAME_LENGTH_BYTES] ?? 0;
  frame[FRAME_LENGTH_BYTES + 1] = type.length;
  frame.write(type, FRAME_LENGTH_BYTES + 2);
  frame.set(rest, FRAME_LENGTH_BYTES + 2 + type.length);
  return { ...event, type, bytes: frame };
}

function keyOf(namespace: string, name: string): string {
  return name === '' ? '' : `${namespace}/${name}`;
}
