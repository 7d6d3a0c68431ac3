/**
 * Records of a log in the other dialect (../README.md#the-other-dialect). What comes out is what
 * encoding the translated object anew gives, and translated again it is the record that it was.
 */
import { RawJson } from '../../codec/json/raw-json.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { swapDocument } from '../../semantics/dialect/json-edits.ts';
import { CUSTOM_KIND } from '../../semantics/dialect/places.ts';
import { sortedSet } from '../../semantics/fields/field-set.ts';
import { formatManagedFields, parseManagedFields } from '../../semantics/fields/managed-fields.ts';
import { withFields } from '../../semantics/fields/track-update.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import {
  decodeRecordHeader,
  encodeRecord,
  managedFieldsLength,
  wireBytes,
} from '../../storage/record.ts';
import type { RecordDomain, RecordHeader } from '../../storage/record.ts';
import { splitManagedFields } from './stored-text-edits.ts';

const OTHER: Readonly<Record<RecordDomain, RecordDomain>> = {
  'cluster.io': 'k8s.io',
  'k8s.io': 'cluster.io',
};

/** Where `metadata.managedFields` stands, for what finds names by their place. */
const BEFORE_MANAGED = '"metadata":{"managedFields":';
const AFTER_MANAGED = '}}';

/**
 * The record in the dialect that it is not written in. The same array, and so still marked as being
 * in its own one, when it says the same in both: it has no names.
 */
export function translateRecord(kind: ResourceType, record: Uint8Array): Uint8Array {
  const [rest, managed] = splitManagedFields(
    decodeUtf8(wireBytes(record)),
    managedFieldsLength(record),
  );
  const otherRest = swapDocument(kindOfDocuments(kind), rest);
  const otherManaged = translateManagedFields(kind, managed);
  if (otherRest === rest && otherManaged === managed) return record;
  const { codec } = kind.stored;
  // Decoded and encoded, since the keys of maps stand in the order of their names.
  const object = codec.decode(`{${otherRest}`).object as ApiObject;
  if (otherManaged !== '') object.metadata.managedFields = new RawJson(otherManaged);
  const header = decodeRecordHeader(record);
  const translated: RecordHeader = {
    ...translateHeader(kind, header),
    managedFieldsLength: otherManaged.length,
    domain: OTHER[header.domain ?? 'cluster.io'],
  };
  return encodeRecord(translated, codec.encode(object));
}

/** Custom kinds may be called as built-in ones are, and are read as themselves. */
function kindOfDocuments({ definition }: ResourceType): string {
  return definition.message === undefined ? CUSTOM_KIND : definition.kind;
}

/** The list in the order of its managers and names, as it is written anew. */
function translateManagedFields(kind: ResourceType, managed: string): string {
  if (managed === '') return '';
  const whole = BEFORE_MANAGED + managed + AFTER_MANAGED;
  const other = swapDocument(kindOfDocuments(kind), whole);
  if (other === whole) return managed;
  const list = other.slice(BEFORE_MANAGED.length, -AFTER_MANAGED.length);
  const entries = parseManagedFields(list);
  return formatManagedFields(entries.map((entry) => withFields(entry, sortedSet(entry.fields))));
}

/**
 * A header in the other dialect, but for its `domain` and the length of managedFields. Only the
 * header is read: an object that has nothing but what stands in it is translated as any other.
 */
export function translateHeader(kind: ResourceType, header: RecordHeader): RecordHeader {
  const { key, labels, fields } = header;
  const slash = kind.definition.namespaced ? key.indexOf('/') : -1;
  const name = key.slice(slash + 1);
  const namespace = slash < 0 ? undefined : key.slice(0, slash);
  const text = JSON.stringify({
    metadata: { name, namespace, labels },
    ...documentOf(kind.fieldNames, fields),
  });
  const other = swapDocument(kindOfDocuments(kind), text);
  if (other === text) return header;
  const { metadata, ...members } = JSON.parse(other) as { metadata: ObjectMeta };
  return {
    ...header,
    key: keyOf(metadata),
    // Without a prototype, as all labels of a header.
    labels: metadata.labels && Object.assign(Object.create(null), metadata.labels),
    fields: kind.fieldNames.map((path) => valueAt(members, path)),
  };
}

function keyOf({ namespace, name = '' }: ObjectMeta): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

type Node = { [member: string]: Node | string };

/** An object that has these values at these paths, such as `involvedObject.kind`. */
function documentOf(paths: readonly string[], values: readonly string[]): Node {
  const document: Node = {};
  for (const [at, path] of paths.entries()) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let node = document;
    for (const name of names) node = (node[name] ??= {}) as Node;
    node[last] = values[at] ?? '';
  }
  return document;
}

function valueAt(document: object, path: string): string {
  let value: unknown = document;
  for (const name of path.split('.')) value = (value as Readonly<Record<string, unknown>>)[name];
  return value as string;
}
