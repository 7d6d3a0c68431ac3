/** Random objects of every kind, made from the schema itself. */
import fc from 'fast-check';
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { countMembers, membersWithin } from '../../src/codec/json/member-count.ts';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import { compileStrictCheck } from '../../src/codec/json/strict-check.ts';
import { SCHEMA_MESSAGE, SCHEMA_VARIANTS } from '../../src/codec/model/schema-model.ts';
import type { FieldSchema } from '../../src/codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../src/codec/model/schema-walk.ts';
import { model } from './proto-model.ts';

const KINDS = [
  'core.v1.Namespace',
  'core.v1.ConfigMap',
  'core.v1.Secret',
  'core.v1.PersistentVolume',
  'batch.v1.CronJob',
  'storage.v1.StorageClass',
  'storage.v1.VolumeAttachment',
  'storage.v1beta1.CSIStorageCapacity',
  'apps.v1.ControllerRevision',
  'coordination.v1.Lease',
  'core.v1.Node',
  'core.v1.Service',
  'core.v1.LimitRange',
  'apps.v1.StatefulSet',
  'autoscaling.v2.HorizontalPodAutoscaler',
  'authorization.v1.SubjectAccessReview',
  'networking.v1.Ingress',
  'policy.v1.PodDisruptionBudget',
  'apiextensions.v1.CustomResourceDefinition',
];

const text = fc.string({ unit: 'grapheme', maxLength: 6 });
/** Decoded values that are not zero. */
const LEAVES: Record<string, fc.Arbitrary<unknown>> = {
  string: text.map((value) => `x${value}`),
  bool: fc.constant(true),
  int32: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  int64: fc.oneof(
    fc.integer({ min: -(2 ** 40), max: -1 }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  ),
  double: fc.constantFrom(1, -2.5, 1e21, 1e-7),
  bytes: fc.constantFrom('YQ==', 'YWJj', '/+8='),
  Time: fc.constantFrom('2021-12-07T10:11:12Z', '1999-01-01T00:00:00Z'),
  MicroTime: fc.constantFrom('2021-12-07T10:11:12.000001Z'),
  Quantity: fc.constantFrom('1Gi', '500m', '1e3', '-2k'),
  IntOrString: fc.oneof(fc.integer({ min: 1, max: 65535 }), text),
  RawExtension: fc
    .jsonValue()
    .filter((value) => value !== null)
    .map(RawJson.ofValue),
  FieldsV1: fc.constant(new RawJson('{"f:data":{".":{},"f:<":{}}}'.replace('<', '\\u003c'))),
};

function itemOf(
  messageName: string,
  { name, type }: FieldSchema,
  depth: number,
): fc.Arbitrary<unknown> | undefined {
  const variant = SCHEMA_VARIANTS.get(`${messageName}.${name}`);
  if (variant !== undefined) {
    const schema = fc.constant(null).chain(() => objectOf(SCHEMA_MESSAGE, depth + 1));
    if (variant === 'bool') return fc.oneof(fc.boolean(), schema);
    const item: fc.Arbitrary<unknown> = variant === 'list' ? schema : text;
    return fc.oneof(schema, fc.array(item, { minLength: 1 }));
  }
  if (isMessageType(type)) return objectOf(type, depth + 1);
  // `extra` of users holds lists of texts.
  return name === 'extra' ? fc.array(text).map(RawJson.ofValue) : LEAVES[type];
}

function valueOf(messageName: string, field: FieldSchema, depth: number): fc.Arbitrary<unknown> {
  const item = itemOf(messageName, field, depth);
  if (item === undefined) throw new Error(`no values for ${field.type}`);
  if (field.container === 'list') return fc.array(item, { minLength: 1, maxLength: 2 });
  if (field.container !== 'map') return item;
  return fc.dictionary(text, item, { minKeys: 1, maxKeys: 3, noNullPrototype: false });
}

/** Each member is there one time in four, deep down one time in sixteen; needed messages always. */
function objectOf(messageName: string, depth: number): fc.Arbitrary<object> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of jsonFields(model, messageNamed(model, messageName))) {
    const isNeeded =
      (isMessageType(field.type) && field.container === 'single' && field.presence !== true) ||
      field.mustBeSent === true;
    const present = fc.constant(null).chain(() => valueOf(messageName, field, depth));
    const odds = depth > 3 ? 15 : 3;
    members[field.name] = isNeeded
      ? present
      : fc.oneof(
          { weight: odds, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: present },
        );
  }
  return fc.record(members).map((all) => {
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  });
}

for (const kind of KINDS) {
  const codec = compileJsonCodec(model, kind);
  const objects = objectOf(kind, 0);

  t.test(`${kind}: what is encoded decodes to the same object and the same text`, async (t) => {
    fc.assert(
      fc.property(objects, (object) => {
        const encoded = codec.encode(object);
        const decoded = codec.decode(`{${encoded}`).object;
        t.strictSame(plain(decoded), plain(object));
        return codec.encode(decoded) === encoded;
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  t.test(`${kind}: defaults are there after one pass`, async () => {
    fc.assert(
      fc.property(objects, (object) => {
        codec.applyDefaults(object);
        const once = codec.encode(object);
        codec.applyDefaults(object);
        return codec.encode(object) === once;
      }),
      { seed: 2, numRuns: 20 },
    );
  });
}

for (const kind of KINDS) {
  const codec = compileJsonCodec(model, kind);
  const check = compileStrictCheck(model, kind);

  t.test(`${kind}: a text with no more members than were read has no strict problem`, async (t) => {
    let alike = 0;
    const isAlike = (text: string): boolean => {
      const is = codec.decode(text).membersRead === countMembers(text);
      alike += Number(is);
      return is;
    };
    fc.assert(
      fc.property(objectOf(kind, 0), fc.nat(), fc.boolean(), (object, place, repeats) => {
        const text = `{${codec.encode(object)}`;
        t.equal(membersWithin(JSON.parse(text)), countMembers(text));
        if (isAlike(text)) t.same(check(text), []);
        const at = openings(text)[place % openings(text).length] ?? 0;
        const member = repeats ? /^"(?:[^"\\]|\\.)*":/.exec(text.slice(at)) : undefined;
        const added = `${member?.[0].slice(0, -1) ?? '"unheardOf"'}:null,`;
        const other = `${text.slice(0, at)}${added}${text.slice(at)}`;
        if (isAlike(other)) t.same(check(other), []);
      }),
      { seed: 3, numRuns: 40 },
    );
    t.ok(alike > 0, 'most texts are settled by counting');
  });
}

/** The places after each brace of valid text that opens an object with members. */
function openings(text: string): number[] {
  const strings = /"(?:[^"\\]|\\.)*"/g;
  const bare = text.replace(strings, (found) => '_'.repeat(found.length));
  return [...bare.matchAll(/\{(?!\})/g)].map(({ index }) => index + 1);
}

/** Comparable without regard to prototypes and to the order of map keys. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, member]) => [name, plain(member)]);
}
