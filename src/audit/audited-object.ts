/** Objects of requests and answers as events hold them: JSON text on one line. */
import { RawJson } from '../codec/json/raw-json.ts';
import { JsonCursor } from '../codec/json/json-cursor.ts';

/** The members of an object that a reference to it takes; '' for an absent one. */
export interface NamedObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Undefined for what is no JSON. */
export function parsedObject(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function namedIn(object: unknown): NamedObject {
  const { metadata } = (object ?? {}) as { readonly metadata?: unknown };
  const { namespace, name, uid, resourceVersion } = (metadata ?? {}) as Record<string, unknown>;
  return {
    namespace: textOf(namespace),
    name: textOf(name),
    uid: textOf(uid),
    resourceVersion: textOf(resourceVersion),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Valid JSON text on one line. */
export function onOneLine(json: string): string {
  return RawJson.ofText(json).text;
}

/** Objects below which there may be others: those of lists, and of rows of a Table. */
const BELOW: Readonly<Record<string, string>> = { items: '', rows: 'object' };

/** An object, list or Table without the managedFields of all objects; all else stays as it is. */
export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  const cursor = new JsonCursor(json);
  return membersOf(cursor, (name) => {
    if (name === 'metadata') return metadataOf(cursor);
    const below = BELOW[name];
    if (below === undefined || cursor.peek() !== '[') return cursor.takeValue();
    const items: string[] = [];
    cursor.forEachItem(() => {
      items.push(below === '' ? objectOf(cursor) : rowOf(cursor, below));
    });
    return `[${items.join(',')}]`;
  });
}

function rowOf(cursor: JsonCursor, below: string): string {
  return membersOf(cursor, (name) => (name === below ? objectOf(cursor) : cursor.takeValue()));
}

function objectOf(cursor: JsonCursor): string {
  return membersOf(cursor, (name) =>
    name === 'metadata' ? metadataOf(cursor) : cursor.takeValue(),
  );
}

function metadataOf(cursor: JsonCursor): string {
  return membersOf(cursor, (name) => {
    const value = cursor.takeValue();
    return name === 'managedFields' ? undefined : value;
  });
}

/** The object with the members that `valueOf` gives; any other value as it is. */
function membersOf(cursor: JsonCursor, valueOf: (name: string) => string | undefined): string {
  if (cursor.peek() !== '{') return cursor.takeValue();
  const members: string[] = [];
  cursor.forEachMember((name) => {
    const value = valueOf(name);
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${value}`);
  });
  return `{${members.join(',')}}`;
}
