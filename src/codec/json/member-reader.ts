/**
 * Reads a few members of an object from its stored bytes, and skips the rest without making
 * anything of it. The result is that of decoding the whole object (`json-codec.ts`), except that
 * messages that are not in the text are absent.
 */
import { setMember } from '../../base/set-member.ts';
import { enclosingEnd, stringEnd, valueEnd } from './json-bytes.ts';
import { ZERO_OF } from './json-decode.ts';
import type { MemberSelection } from './member-selection.ts';
import { managedFieldsEnd } from './object-metadata.ts';
import type { FieldSchema, Members, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../model/schema-walk.ts';
import { SkippedValues } from './skipped-values.ts';
import { decodeUtf8 } from '../text-body.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const CLOSE_BRACE = 0x7d;

/** The selected members of an object, from its stored ones: `"metadata":{…},…}`. */
export type MemberReader = (members: Uint8Array) => Members;

/** The bytes that are read, and the place that reading has come to. */
class Cursor {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * Reads the value at the cursor and moves behind it; undefined for a value that counts as absent.
 */
type ReadValue = (cursor: Cursor) => unknown;

interface FieldReader {
  readonly name: string;
  /** Its name as a member begins with it. */
  readonly start: Uint8Array;
  readonly isSelected: boolean;
  readonly read: ReadValue;
}

/** Reads the members of a message. */
interface MessageReader {
  /** All that the message can have, in the order in which they are stored. */
  readonly fields: readonly FieldReader[];
  /** The number of selected members. */
  readonly selected: number;
  /** Whether a member that is not selected may be long. */
  readonly hasOthers: boolean;
}

/** Throws an Error for members that the message does not have: that is a bug. */
export function compileMemberReader(
  model: SchemaModel,
  messageName: string,
  selection: MemberSelection,
): MemberReader {
  const reader = membersReader(model, messageName, selection);
  return (members) => readMembers(new Cursor(members), reader, true);
}

function membersReader(
  model: SchemaModel,
  messageName: string,
  selection: MemberSelection,
): MessageReader {
  const all = jsonFields(model, messageNamed(model, messageName));
  const selectionOf = (name: string): MemberSelection | undefined =>
    selection === true ? true : (selection as Record<string, MemberSelection>)[name];
  const unknown = Object.keys(selection).find((name) => !all.some((field) => field.name === name));
  if (unknown !== undefined) throw new Error(`${messageName} has no ${unknown}`);
  const fields = all.map((field): FieldReader => {
    const { name } = field;
    const below = selectionOf(name);
    const isSelected = below !== undefined;
    const read = isSelected ? fieldReader(model, field, below) : skipped(messageName, field);
    return { name, start: Buffer.from(`"${name}":`), isSelected, read };
  });
  const selected = fields.filter(({ isSelected }) => isSelected).length;
  const hasOthers = all.some((field) => selectionOf(field.name) === undefined && isLong(field));
  return { fields, selected, hasOthers };
}

/** Values of other fields are short: finding their end takes no longer than comparing them. */
function isLong({ container, type }: FieldSchema): boolean {
  return container !== undefined || LEAF_READERS[type] === undefined;
}

/** Steps over a member that is not selected. */
function skipped(messageName: string, field: FieldSchema): ReadValue {
  if (messageName === 'meta.v1.ObjectMeta' && field.name === 'managedFields') {
    return (cursor) => {
      cursor.at = managedFieldsEnd(cursor.bytes, cursor.at);
    };
  }
  if (!isLong(field)) return skipValue;
  const others = new SkippedValues();
  return (cursor) => {
    cursor.at = others.end(cursor.bytes, cursor.at);
  };
}

function fieldReader(
  model: SchemaModel,
  field: FieldSchema,
  selection: MemberSelection,
): ReadValue {
  const keepZero = field.presence === true || field.mustBeSent === true;
  if (selection === 'keys') {
    return (cursor) => readMap(cursor, skipValue, keepZero || field.always === true);
  }
  const item = isMessageType(field.type)
    ? messageReader(membersReader(model, field.type, selection))
    : LEAF_READERS[field.type];
  if (item === undefined) throw new Error(`members of type ${field.type} cannot be read alone`);
  const keepEmpty = keepZero || field.always === true;
  if (field.container === 'list') return (cursor) => readList(cursor, item, keepEmpty);
  if (field.container === 'map') return (cursor) => readMap(cursor, item, keepEmpty);
  if (keepZero || isMessageType(field.type)) return item;
  const zero = ZERO_OF[field.type];
  return (cursor) => {
    const value = item(cursor);
    return value === zero ? undefined : value;
  };
}

const LEAF_READERS: Readonly<Record<string, ReadValue>> = {
  string: readText,
  bool: readBoolean,
  int32: readNumber,
  int64: readInteger,
  double: readNumber,
  bytes: readText,
  Time: readText,
  MicroTime: readText,
  Duration: readText,
  Quantity: readText,
  IntOrString: (cursor) =>
    cursor.bytes[cursor.at] === QUOTE ? readText(cursor) : readNumber(cursor),
};

function messageReader(reader: MessageReader): ReadValue {
  if (reader.selected > 0) {
    return (cursor) => (isNull(cursor) ? undefined : readMembers(cursor, reader, false));
  }
  const values = new SkippedValues();
  return (cursor) => {
    if (isNull(cursor)) return undefined;
    cursor.at = values.end(cursor.bytes, cursor.at);
    return {};
  };
}

/** `isRoot` is for stored objects: they lack the first brace, and their end is not needed. */
function readMembers(cursor: Cursor, reader: MessageReader, isRoot: boolean): Members {
  const { bytes } = cursor;
  const { fields, hasOthers } = reader;
  const found: Members = {};
  let missing = reader.selected;
  let index = -1;
  let at = isRoot ? 0 : cursor.at + 1;
  while (bytes[at] !== CLOSE_BRACE) {
    if (missing === 0 && (isRoot || !hasOthers)) {
      if (!isRoot) cursor.at = enclosingEnd(bytes, at);
      return found;
    }
    index = indexOfField(fields, index + 1, bytes, at);
    const field = fields[index];
    if (field === undefined) {
      // After the colon.
      cursor.at = valueEnd(bytes, stringEnd(bytes, at) + 1);
    } else {
      cursor.at = at + field.start.length;
      const value = field.read(cursor);
      if (field.isSelected) {
        missing--;
        if (value !== undefined) found[field.name] = value;
      }
    }
    at = cursor.at;
    if (bytes[at] === COMMA) at++;
  }
  cursor.at = at + 1;
  return found;
}

/** The field of the member at `at`; -1 for none. Mostly it is soon after the one before. */
function indexOfField(
  fields: readonly FieldReader[],
  from: number,
  bytes: Uint8Array,
  at: number,
): number {
  const { length } = fields;
  for (let index = from; index < length; index++) {
    if (startsWith(bytes, at, fields[index]!.start)) return index;
  }
  for (let index = 0; index < from && index < length; index++) {
    if (startsWith(bytes, at, fields[index]!.start)) return index;
  }
  return -1;
}

function startsWith(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  const { length } = start;
  // The quote is always the same.
  for (let same = 1; same < length; same++) if (start[same] !== bytes[at + same]) return false;
  return true;
}

function readList(cursor: Cursor, item: ReadValue, keepEmpty: boolean): unknown[] | undefined {
  if (isNull(cursor)) return undefined;
  const { bytes } = cursor;
  const items: unknown[] = [];
  cursor.at++;
  while (bytes[cursor.at] !== CLOSE_BRACKET) {
    items.push(item(cursor));
    if (bytes[cursor.at] === COMMA) cursor.at++;
  }
  cursor.at++;
  return items.length === 0 && !keepEmpty ? undefined : items;
}

function readMap(cursor: Cursor, item: ReadValue, keepEmpty: boolean): Members | undefined {
  if (isNull(cursor)) return undefined;
  const { bytes } = cursor;
  // Without a prototype `__proto__` is a key like any other.
  const map = Object.create(null) as Members;
  let isEmpty = true;
  cursor.at++;
  while (bytes[cursor.at] !== CLOSE_BRACE) {
    const key = readString(cursor);
    // The colon.
    cursor.at++;
    setMember(map, key, item(cursor));
    isEmpty = false;
    if (bytes[cursor.at] === COMMA) cursor.at++;
  }
  cursor.at++;
  return isEmpty && !keepEmpty ? undefined : map;
}

/** Whether null is at the cursor, which then moves behind it. */
function isNull(cursor: Cursor): boolean {
  if (cursor.bytes[cursor.at] !== LOWER_N) return false;
  cursor.at += 4;
  return true;
}

function readText(cursor: Cursor): string | undefined {
  return isNull(cursor) ? undefined : readString(cursor);
}

function readString(cursor: Cursor): string {
  const { bytes, at: start } = cursor;
  const end = stringEnd(bytes, start);
  cursor.at = end;
  for (let at = start + 1; at < end; at++) {
    if (bytes[at] === BACKSLASH) return JSON.parse(decodeUtf8(bytes, start, end)) as string;
  }
  return decodeUtf8(bytes, start + 1, end - 1);
}

function readBoolean(cursor: Cursor): boolean | undefined {
  if (isNull(cursor)) return undefined;
  const isTrue = cursor.bytes[cursor.at] === LOWER_T;
  cursor.at += isTrue ? 4 : 5;
  return isTrue;
}

function readNumber(cursor: Cursor): number | undefined {
  return isNull(cursor) ? undefined : Number(numberText(cursor));
}

/** Returns a bigint for an integer that no number holds. */
function readInteger(cursor: Cursor): number | bigint | undefined {
  if (isNull(cursor)) return undefined;
  const text = numberText(cursor);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function numberText(cursor: Cursor): string {
  const { bytes, at } = cursor;
  cursor.at = valueEnd(bytes, at);
  return decodeUtf8(bytes, at, cursor.at);
}

function skipValue(cursor: Cursor): true {
  cursor.at = valueEnd(cursor.bytes, cursor.at);
  return true;
}
