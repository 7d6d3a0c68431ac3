/** Bytes that nobody would write: always an object or a DecodeError, and soon. */
import t from 'tap';
import { DecodeError } from '../../src/codec/json/go-errors.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import type { ProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { PROTOBUF_DEPTH_MAX } from '../../src/codec/protobuf/protobuf-message.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random, seedFrom } from '../support/random.ts';
import { model } from './proto-model.ts';

const SEED = seedFrom('PROTOBUF_SEED');
const KINDS = [
  'core.v1.ConfigMap',
  'core.v1.Pod',
  'core.v1.PersistentVolume',
  'batch.v1.CronJob',
  'coordination.v1.Lease',
  'apps.v1.ControllerRevision',
  'apiextensions.v1.CustomResourceDefinition',
  'authentication.v1.TokenReview',
];

/** Whether the bytes are refused; another exception than the one for that is thrown on. */
function refuses(codec: ProtobufCodec, encode: (object: object) => string, bytes: Uint8Array) {
  let object: Record<string, unknown>;
  try {
    object = codec.decode(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return true;
    throw error;
  }
  // An accepted document is a whole object.
  JSON.parse(`{${encode(object)}`);
  return false;
}

for (const kind of KINDS) {
  t.test(`${kind}: broken bytes`, async (t) => {
    const json = compileJsonCodec(model, kind);
    const codec = compileProtobufCodec(model, kind);
    const random = new Random(SEED);
    let refused = 0;
    const attempt = (bytes: Uint8Array): void => {
      try {
        if (refuses(codec, json.encode, bytes)) refused += 1;
      } catch (error) {
        const hex = Buffer.from(bytes).toString('hex');
        throw new Error(`PROTOBUF_SEED=${SEED} ${hex}`, { cause: error });
      }
    };
    for (let run = 0; run < 4; run += 1) {
      const document = documentText(randomObject(model, kind, random, { depth: 5, bigints: true }));
      const bytes = Buffer.from(codec.encodeObject(json.decode(document).object)).subarray(
        0,
        2_000,
      );
      for (let length = 0; length < bytes.length; length += 1) attempt(bytes.subarray(0, length));
      for (let count = 0; count < 300; count += 1) attempt(mutated(bytes, random));
    }
    for (let count = 0; count < 500; count += 1) attempt(randomBytes(random));
    t.ok(refused > 100, `PROTOBUF_SEED=${SEED}`);
  });
}

function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let count = 0; count <= random.below(3); count += 1) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
}

function randomBytes(random: Random): Uint8Array {
  return Uint8Array.from({ length: random.below(60) }, () => random.below(256));
}

const REFUSED: readonly (readonly [kind: string, hex: string, message: string])[] = [
  ['core.v1.ConfigMap', '0a', 'unexpected EOF'],
  ['core.v1.ConfigMap', '0a05', 'unexpected EOF'],
  ['core.v1.ConfigMap', '0a020a05', 'unexpected EOF'],
  ['core.v1.ConfigMap', '0a020a05 0000000000', 'unexpected EOF'],
  ['core.v1.ConfigMap', '0affffffff07 00', 'unexpected EOF'],
  ['core.v1.ConfigMap', '0affffffff0f 00', 'proto: invalid length encoding'],
  ['core.v1.ConfigMap', '0affffffffffffffffff01 00', 'proto: invalid length encoding'],
  ['core.v1.ConfigMap', 'ffffffffffffffff', 'proto: invalid tag encoding'],
  ['core.v1.ConfigMap', '0800', 'proto: wrong wireType = 0 for field metadata of ConfigMap'],
  ['core.v1.ConfigMap', '2200', 'proto: wrong wireType = 2 for field immutable of ConfigMap'],
  ['core.v1.ConfigMap', '12020a08', 'unexpected EOF'],
  ['core.v1.ConfigMap', '12010a00', 'unexpected EOF'],
  ['core.v1.ConfigMap', '12020801', 'proto: wrong wireType = 0 for field 1 of data entry'],
  ['core.v1.ConfigMap', '0200', 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
  ['core.v1.ConfigMap', '0c', 'proto: wrong wireType = 4 for field metadata of ConfigMap'],
  ['core.v1.ConfigMap', '7c', 'proto: ConfigMap: wiretype end group for non-group'],
  ['core.v1.ConfigMap', '7e', 'proto: invalid wire type 6 at offset 1'],
  ['core.v1.ConfigMap', '7b'.repeat(5_000), 'proto: max depth exceeded'],
  ['meta.v1.ObjectMeta', '38ffffffffffffffffffff01', 'proto: integer overflow'],
  ['meta.v1.ObjectMeta', '38ff', 'unexpected EOF'],
  ['meta.v1.ObjectMeta', '420a 08ffffffffffffffff7f', 'YEAR'],
  ['meta.v1.ObjectMeta', '4207 0880a0eafbf907', 'YEAR'],
  ['apiextensions.v1.JSONSchemaProps', '49000000000000f07f', 'json: unsupported value: +Inf'],
  ['apiextensions.v1.JSONSchemaProps', '49000000000000f8ff', 'json: unsupported value: NaN'],
  ['core.v1.ServicePort', '22020802', 'impossible IntOrString.Type'],
  [
    'core.v1.ResourceQuotaSpec',
    '0a090a01611204 0a026262',
    'quantities must match the regular expression ' +
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ['apps.v1.ControllerRevision', '12030a017b', 'unexpected end of JSON input'],
  [
    'apps.v1.ControllerRevision',
    '12060a046b387300',
    "invalid character 'k' looking for beginning of value",
  ],
];

for (const [kind, hex, message] of REFUSED) {
  t.test(`${kind}: ${hex.slice(0, 40)}`, async (t) => {
    const codec = compileProtobufCodec(model, kind);
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    const expected =
      message === 'YEAR' ? 'Time.MarshalJSON: year outside of range [0,9999]' : message;
    t.throws(() => codec.decode(bytes), new DecodeError(expected));
  });
}

/** Messages in the field of that tag, each in the one before. */
function nested(tag: string, depth: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < depth; level += 1) {
    const part = Buffer.concat([Buffer.from(tag, 'hex'), varint(length)]);
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts.reverse());
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

t.test('messages may nest so deep and no deeper', async (t) => {
  const kind = 'apiextensions.v1.JSONSchemaProps';
  const json = compileJsonCodec(model, kind);
  const codec = compileProtobufCodec(model, kind);
  const tooDeep = new DecodeError('proto: exceeded max depth');
  const NOT = 'e201';
  const deepest = codec.decode(nested(NOT, PROTOBUF_DEPTH_MAX));
  t.equal(
    json.encode(deepest),
    `${'"not":{'.repeat(PROTOBUF_DEPTH_MAX)}${'}'.repeat(PROTOBUF_DEPTH_MAX + 1)}`,
  );
  t.strictSame(codec.decode(codec.encodeObject(deepest)), deepest);
  t.throws(() => codec.decode(nested(NOT, PROTOBUF_DEPTH_MAX + 1)), tooDeep);
  t.throws(() => codec.decode(nested(NOT, 200_000)), tooDeep);
});

t.test('kept text nests as deep as JSON may', async (t) => {
  const codec = compileProtobufCodec(model, 'apps.v1.ControllerRevision');
  const text = Buffer.from(`${'['.repeat(10_001)}${']'.repeat(10_001)}`);
  const raw = Buffer.concat([Buffer.of(0x0a), varint(text.length), text]);
  const bytes = Buffer.concat([Buffer.of(0x12), varint(raw.length), raw]);
  t.throws(() => codec.decode(bytes), new DecodeError('exceeded max depth'));
});

t.test('a message that comes in many parts takes no more than its bytes', async (t) => {
  const codec = compileProtobufCodec(model, 'core.v1.Pod');
  const parts = Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from('12020a00', 'hex')));
  t.equal((codec.decode(parts)['spec'] as { volumes: unknown[] }).volumes.length, 50_000);
});
