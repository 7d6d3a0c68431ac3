/** Reads of answers what shows that a server did its work, without parsing all that is in them. */
import { gunzipSync } from 'node:zlib';
import { unwrapProtobuf } from '../src/codec/protobuf/protobuf-envelope.ts';
import { readerOf, tagOf } from '../src/codec/protobuf/protobuf-item.ts';
import { FORMS, type FormName } from './representation-forms.ts';

/** Each item has this text once, in its metadata, its row, or both. */
const UID = '"uid":"';
const YAML_UID = '\n    uid: ';
const CELLS = '"cells":[';

/** Numbers of fields. */
const LIST_ITEMS = 2;
const EVENT_OBJECT = 2;
const RAW_OBJECT = 1;
const METADATA = 1;
const RESOURCE_VERSION = 6;
const CONTINUE = 3;

const LIST_METADATA_BYTES_MAX = 4_096;

/** How many items a list has; throws for a body that is no list of this form. */
export function countItems(name: FormName, body: Buffer): number {
  const text = isPacked(body) ? gunzipSync(body) : body;
  if (FORMS[name].encoding === 'protobuf') return countFields(listMessage(text), LIST_ITEMS);
  const [mark = UID, ...others] = marksOf(name);
  const count = countMarks(text, mark);
  for (const other of others) {
    const found = countMarks(text, other);
    if (found !== count) throw new Error(`${count} times ${mark} and ${found} times ${other}`);
  }
  return count;
}

/** Short lists are not, though they may be. */
function isPacked(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

function marksOf(name: FormName): readonly string[] {
  if (name === 'YAML') return [YAML_UID];
  if (name === 'Table without objects') return [CELLS];
  return name === 'Table' || name === 'Table with gzip' ? [CELLS, UID] : [UID];
}

/** The token for the page after this one, in JSON or protobuf; empty when it is the last. */
export function continueTokenOf(name: FormName, body: Buffer): string {
  if (FORMS[name].encoding === 'protobuf') {
    return Buffer.from(
      fieldBytes(fieldBytes(listMessage(body), METADATA), CONTINUE, Buffer.alloc(0)),
    ).toString();
  }
  // The metadata of a list stands before its items.
  const text = body.toString('latin1', 0, LIST_METADATA_BYTES_MAX);
  const [metadata = ''] = /"metadata":\{[^}]*/.exec(text) ?? [];
  return /"continue":"([^"]*)"/.exec(metadata)?.[1] ?? '';
}

function countMarks(text: Buffer, mark: string): number {
  const bytes = Buffer.from(mark);
  let count = 0;
  for (let at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, at + bytes.length)) {
    count += 1;
  }
  return count;
}

function listMessage(body: Buffer): Uint8Array {
  const { kind, raw } = unwrapProtobuf(body);
  if (!kind.endsWith('List')) throw new Error(`a list is a ${kind}`);
  return raw;
}

function countFields(message: Uint8Array, number: number): number {
  const reader = readerOf(message);
  const wanted = tagOf(number, 2);
  let count = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === wanted) count += 1;
    reader.skipType(tag & 7);
  }
  return count;
}

/** The version of the object of a watch event in protobuf; throws for bytes that are none. */
export function versionOfEvent(event: Uint8Array): number {
  const { raw } = unwrapProtobuf(fieldBytes(fieldBytes(event, EVENT_OBJECT), RAW_OBJECT));
  const text = Buffer.from(fieldBytes(fieldBytes(raw, METADATA), RESOURCE_VERSION)).toString();
  if (!/^\d+$/.test(text)) throw new Error(`the version of an event is ${JSON.stringify(text)}`);
  return Number(text);
}

/** Throws for a message without the field, unless there is something in its place. */
function fieldBytes(message: Uint8Array, number: number, absent?: Uint8Array): Uint8Array {
  const reader = readerOf(message);
  const wanted = tagOf(number, 2);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === wanted) return reader.bytes();
    reader.skipType(tag & 7);
  }
  if (absent !== undefined) return absent;
  throw new Error(`a message has no field ${number}`);
}
