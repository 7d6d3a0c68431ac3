/**
 * Documents of every kind in JSON and in protobuf, made by the public Go client's codec from its
 * own types (`golden/`): for each kind one with every field, one with some, and one with nothing;
 * for each list, one with two items and an empty one; in `edges.json`, what clients may send that
 * is null, empty or not canonical. Only the groups in `apiVersion` are neutral.
 *
 * Text and bytes are compared as they are. What differs all the same:
 * - `volumeClaimTemplates` of the Go types have a kind only if somebody has set it. Servers do, so
 *   the documents have it.
 * - An object without any member has no comma after its type, see `documentOf`.
 * - `verbs` of discovery are a list of strings in JSON, but a message in the model, which does not
 *   write discovery in JSON; see `VERBS`.
 * What no document has, since objects here say less than the Go types:
 * - Nested free JSON with spaces or needless escapes, whose text Go keeps in protobuf.
 * - Empty bytes that are there (`caBundle: ""`): here they are absent. Null bytes in a map: here
 *   they are empty, as Go's are once they were in protobuf.
 * - Optional times that are there and zero: here they are absent, not null.
 * - In schemas, `items` and `dependencies` that are an empty list, which Go makes null in JSON.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { unwrapProtobuf, wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import type { FieldSchema } from '../../src/codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../src/codec/model/schema-walk.ts';
import { groupVersionOf } from '../../src/resources/kind.ts';
import { isReleased } from '../../src/resources/kind-lives.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { model } from './proto-model.ts';

interface Golden {
  readonly message: string;
  /** Both are '' for what has no type inside: a watch event. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Text, as large numbers lose digits when they are parsed. */
  readonly json: string;
  /** Base64. */
  readonly protobuf: string;
  /** The source of both, when it is not `json`. */
  readonly sent?: string;
  /** The JSON made of `protobuf`, when it is not `json`: empty lists are lost. */
  readonly back?: string;
}

const FOLDER = join(import.meta.dirname, 'golden');
const GOLDEN = readdirSync(FOLDER).flatMap(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Golden[],
);

const VERBS: readonly (readonly [document: RegExp, model: string])[] = [
  [/"verbs":(\[[^\]]*\])/g, '"verbs":{"items":$1}'],
  [/"verbs":\{"items":(\[[^\]]*\])\}/g, '"verbs":$1'],
];

function withVerbs({ message }: Golden, text: string, direction: 0 | 1): string {
  const [pattern, replacement] = VERBS[direction] ?? [/^$/, ''];
  return message === 'meta.v1.APIResourceList' ? text.replaceAll(pattern, replacement) : text;
}

/** Writes these members as the reference does. */
function documentOf(golden: Golden, members: string): string {
  const { apiVersion, kind } = golden;
  const type = kind === '' ? '' : `"kind":"${kind}","apiVersion":"${apiVersion}"`;
  const comma = type === '' || members === '}' ? '' : ',';
  return withVerbs(golden, `{${type}${comma}${members}`, 1);
}

for (const [message, documents] of Map.groupBy(GOLDEN, (golden) => golden.message)) {
  t.test(`${message}: ${documents.length} documents`, async (t) => {
    const jsonCodec = compileJsonCodec(model, message);
    const protobufCodec = compileProtobufCodec(model, message);
    for (const golden of documents) {
      const { apiVersion, kind, json, protobuf, sent = json, back = json } = golden;
      const decoded = jsonCodec.decode(withVerbs(golden, sent, 0));
      const raw = protobufCodec.encodeObject(decoded.object);
      const bytes = Buffer.from(wrapProtobuf({ apiVersion, kind, raw }));
      t.equal(bytes.toString('base64'), protobuf, 'JSON to protobuf');

      const envelope = unwrapProtobuf(Buffer.from(protobuf, 'base64'));
      t.strictSame([envelope.apiVersion, envelope.kind], [apiVersion, kind]);
      const object = protobufCodec.decode(envelope.raw);
      t.equal(documentOf(golden, jsonCodec.encode(object)), back, 'protobuf to JSON');
      t.equal(documentOf(golden, jsonCodec.encode(decoded.object)), json, 'JSON to JSON');
      const again = Buffer.from(protobufCodec.encodeObject(object));
      t.ok(again.equals(envelope.raw), 'protobuf to protobuf');
    }
  });
}

/** Kinds that are no resources: `apiVersion kind`. */
const OTHER_KINDS = [
  'autoscaling/v1 Scale',
  'policy/v1 Eviction',
  'policy/v1beta1 Eviction',
  'authentication.cluster.io/v1 TokenRequest',
  'v1 ComponentStatusList',
  'v1 DeleteOptions',
  'v1 List',
  'v1 Status',
  'meta.cluster.io/v1 PartialObjectMetadata',
  'meta.cluster.io/v1 PartialObjectMetadataList',
  'meta.cluster.io/v1beta1 PartialObjectMetadata',
];

t.test('there are documents of everything that is served', async (t) => {
  const found = new Set<string>();
  for (const { message, apiVersion, kind } of GOLDEN) {
    found.add(`${apiVersion} ${kind}`).add(`${apiVersion} ${kind} ${message}`);
  }
  const expected = [...OTHER_KINDS];
  for (const { group, version, kind } of VIRTUAL_KINDS) {
    expected.push(`${groupVersionOf({ group, version })} ${kind}`);
  }
  for (const definition of KINDS) {
    const { kind } = definition;
    for (const { group = definition.group, version, message = definition.message } of [
      definition,
      ...(definition.otherVersions ?? []),
    ]) {
      if (!isReleased({ group, version, kind })) continue;
      const start = `${groupVersionOf({ group, version })} ${definition.kind}`;
      expected.push(`${start} ${message}`, `${start}List ${message}List`);
    }
  }
  t.same(
    expected.filter((name) => !found.has(name)),
    [],
  );
});

t.test('every field of every message that a document can have is in one', async (t) => {
  const seen = new Set<string>();
  for (const { message, protobuf } of GOLDEN) {
    const { raw } = unwrapProtobuf(Buffer.from(protobuf, 'base64'));
    collectFields(message, compileProtobufCodec(model, message).decode(raw), seen);
  }
  const reached = new Set(GOLDEN.map(({ message }) => message));
  const missing: string[] = [];
  for (const message of reached) {
    for (const field of fieldsOf(message)) {
      if (isMessageType(field.type)) reached.add(field.type);
      if (!seen.has(`${message}.${field.name}`)) missing.push(`${message}.${field.name}`);
    }
  }
  t.same(missing, []);
});

/** With those of inline messages in their place. */
function fieldsOf(message: string): readonly FieldSchema[] {
  return jsonFields(model, messageNamed(model, message));
}

/** Adds `message.field` for each field with a value. */
function collectFields(message: string, object: object, seen: Set<string>): void {
  for (const { name, type, container } of fieldsOf(message)) {
    const value = (object as Record<string, unknown>)[name];
    if (value === undefined) continue;
    seen.add(`${message}.${name}`);
    if (!isMessageType(type)) continue;
    const items = container === 'single' ? [value] : Object.values(value as object);
    for (const item of items) collectFields(type, item as object, seen);
  }
}
