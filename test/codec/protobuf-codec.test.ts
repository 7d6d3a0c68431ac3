/** Bytes of the reference format, by hand and by an independent encoder. */
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import type { FieldSchema } from '../../src/codec/model/schema-model.ts';
import { reachesField } from '../../src/codec/model/schema-walk.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random, seedFrom } from '../support/random.ts';
import { KIND_NAMES, model } from './proto-model.ts';
import { encodeByReflection } from './protobuf-reflection.ts';

const DEMO = loadSchemaModel({
  'demo.proto': `syntax = "proto2";
    package demo.v1;
    message Zeros {
      optional string text = 1; optional bool flag = 2; optional int32 small = 3;
      optional int64 large = 4; optional double real = 5; optional bytes data = 6;
      optional meta.v1.Time time = 7; optional meta.v1.MicroTime micro = 8;
      optional meta.v1.Duration period = 9; optional meta.v1.Quantity amount = 10;
      optional meta.v1.IntOrString port = 11; optional meta.v1.RawExtension raw = 12;
      optional meta.v1.FieldsV1 fields = 13;
    }
    message Tracked {
      optional string text = 1 [(presence) = true]; optional bool flag = 2 [(presence) = true];
      optional int32 small = 3 [(presence) = true]; optional int64 large = 4 [(presence) = true];
      optional double real = 5 [(presence) = true];
      optional meta.v1.Time time = 7 [(presence) = true];
      optional meta.v1.Duration period = 9 [(presence) = true];
      optional meta.v1.Quantity amount = 10 [(presence) = true];
      optional meta.v1.IntOrString port = 11 [(presence) = true];
      optional meta.v1.FieldsV1 fields = 13 [(presence) = true];
      optional Tracked next = 14 [(presence) = true];
    }
    message Many {
      repeated int32 numbers = 16; repeated bool flags = 2; repeated string texts = 3;
      map<string, string> map = 4; repeated Tracked messages = 5; map<string, Tracked> members = 6;
      repeated double reals = 7; repeated meta.v1.RawExtension raws = 8;
    }
    message Inner { optional string b = 2; optional string a = 1; repeated string list = 3; }
    message Outer { optional Inner inner = 2 [(inline) = true]; optional string z = 1; }
    message Holder { optional Outer outer = 1; }`,
  'meta.proto': `syntax = "proto2"; package meta.v1;
    message Time {} message MicroTime {} message Duration {} message Quantity {}
    message IntOrString {} message RawExtension {} message FieldsV1 {}`,
});

function demo(message: string): {
  /** JSON to bytes as hex. */
  encode: (text: string) => string;
  /** And back. */
  decode: (hex: string) => string;
} {
  const json = compileJsonCodec(DEMO, `demo.v1.${message}`);
  const protobuf = compileProtobufCodec(DEMO, `demo.v1.${message}`);
  return {
    encode: (text) => hexOf(protobuf.encodeObject(json.decode(text).object)),
    decode: (hex) => `{${json.encode(protobuf.decode(bytesOf(hex)))}`,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
}

/** Document, and bytes as hex with spaces. */
type Case = readonly [message: string, document: unknown, hex: string];

const ZEROS =
  '0a00 1000 1800 2000 290000000000000000 3a00 4200 4a020800 52030a0130 5a0608001000 1a00 6200 6a00';
const CASES: readonly Case[] = [
  ['Zeros', {}, ZEROS],
  ['Tracked', {}, ''],
  [
    'Zeros',
    {
      text: 'é',
      flag: true,
      small: -1,
      large: 2n ** 63n - 1n,
      real: 1.5,
      data: '/w==',
      time: '1970-01-01T00:00:01Z',
      micro: '1969-12-31T23:59:59.000001Z',
      period: '1.5s',
      amount: '1Gi',
      port: 80,
      raw: { a: [1] },
      fields: { f: {} },
    },
    `0a02c3a9 1001 18ffffffffffffffffff01 20ffffffffffffffff7f 29000000000000f83f 3201ff
     3a0408011000 420e08ffffffffffffffffff0110e807 4a0608 80dea0cb05 52050a03314769
     5a0608001050 1a00 620b0a097b2261223a5b315d7d 6a0a0a087b2266223a7b7d7d`,
  ],
  [
    'Tracked',
    {
      text: '',
      flag: false,
      small: 0,
      large: -(2n ** 63n),
      real: 0,
      time: '0000-01-01T00:00:00Z',
      period: '0s',
      amount: '0',
      port: '',
      next: { next: {} },
    },
    `0a00 1000 1800 2080808080808080808001 290000000000000000 3a0d08 8088aeb498feffffff01 1000
     4a020800 52030a0130 5a0608011000 1a00 72027200`,
  ],
  [
    'Many',
    {
      numbers: [1, 300, -1],
      flags: [true, false],
      texts: ['', 'a'],
      map: { b: '', a: 'x', 10: '1', 9: '2', '\uffff': 'u', '\u{1f600}': 's' },
      messages: [{}, { flag: false }],
      members: { k: {} },
      reals: [1],
      raws: [null, {}],
    },
    `1001 1000 1a00 1a0161 2207 0a023130 120131 22060a0139120132 22060a0161120178 22050a01621200
     22080a03efbfbf120175 22090a04f09f9880120173 2a00 2a021000 32050a016b1200
     39000000000000f03f 4200 42040a027b7d 800101 8001ac02 8001ffffffffffffffffff01`,
  ],
  ['Outer', { a: 'A', list: ['l'], z: 'Z' }, '0a015a 1208 0a0141 1200 1a016c'],
  ['Holder', {}, '0a08 0a00 1204 0a001200'],
];

for (const [message, document, hex] of CASES) {
  t.test(`${message}: ${documentText(document)}`, async (t) => {
    const { encode, decode } = demo(message);
    t.equal(encode(documentText(document)), hexOf(bytesOf(hex)));
    t.equal(encode(decode(hex)), hexOf(bytesOf(hex)), 'and back');
  });
}

const SEED = seedFrom('PROTOBUF_SEED');

/** Free JSON in the model, messages of their own in bytes: the reflection knows none of them. */
function isVariant({ name, type }: FieldSchema): boolean {
  return type === 'RawExtension' && /^(?:extra|items|additional.*|dependencies)$/.test(name);
}

t.test('every kind has the bytes that an independent encoder gives', async (t) => {
  for (const kind of KIND_NAMES.filter((name) => !reachesField(model, name, isVariant))) {
    const json = compileJsonCodec(model, kind);
    const protobuf = compileProtobufCodec(model, kind);
    const random = new Random(SEED);
    for (let run = 0; run < 8; run += 1) {
      const document = documentText(randomObject(model, kind, random, { depth: 6, bigints: true }));
      if (/"(?:0|9|10)":/.test(document)) continue;
      const { object } = json.decode(document);
      const expected = hexOf(encodeByReflection(kind, object));
      if (hexOf(protobuf.encodeObject(object)) === expected) continue;
      t.equal(hexOf(protobuf.encodeObject(object)), expected, `PROTOBUF_SEED=${SEED} ${document}`);
      return;
    }
  }
  t.pass();
});

t.test('what clients may write otherwise is read all the same', async (t) => {
  const cases: readonly Case[] = [
    ['Many', { numbers: [1, 300], flags: [true] }, '82010301ac02 120101'],
    ['Many', { numbers: [1, 2, 3], reals: [1] }, '800101 82010102 800103 3a08000000000000f03f'],
    ['Many', { map: { '': '' } }, '2200'],
    ['Many', { map: { a: '2' } }, '22060a0161120131 22061201320a0161'],
    ['Many', { members: { a: {} } }, '32030a0161'],
    ['Many', { raws: [null, null] }, '4200 42060a046e756c6c'],
    ['Tracked', { text: 'b' }, '0a0161 0a0162'],
    ['Tracked', {}, '3a00 6a00'],
    ['Tracked', { next: { text: 'a', flag: true } }, '72021001 72030a0161'],
    [
      'Outer',
      { b: 'B', a: 'A', list: ['1', '2'], z: 'Z' },
      '12060a01411a0131 0a015a 12061201421a0132',
    ],
    ['Tracked', { time: '1970-01-01T00:00:01Z' }, '3a07 0801 1080c2d72f'],
    ['Tracked', { time: '1970-01-01T00:00:00Z' }, '3a021000'],
    ['Zeros', { micro: '1970-01-01T00:00:01.000001Z' }, '4208 0800 10dc9febdc03'],
    ['Zeros', { micro: '1970-01-01T00:00:00.999999Z' }, '420d 0801 10a4f4ffffffffffffff01'],
    ['Zeros', {}, '3a0d 088092b8c398feffffff01 1000'],
    ['Zeros', { small: -1 }, '18ffffffff0f'],
    ['Zeros', { text: 'a', large: 2 ** 53 - 1 }, '0a0161 20ffffffffffffff0f 7a0161 b83e01'],
    ['Zeros', { text: '\ufffd' }, '0a03efbfbd'],
    ['Zeros', {}, '62060a046e756c6c'],
    ['Zeros', {}, 'fb3e 0a0161 fc3e'],
  ];
  for (const [message, document, hex] of cases) {
    t.equal(demo(message).decode(hex), documentText(document), `${message} ${hex}`);
  }
});

t.test('strings that are no UTF-8 are refused', async (t) => {
  for (const bytes of ['ff', 'c3', 'eda080', 'f4908080', 'c080', 'efbfbdff']) {
    const length = (bytes.length / 2).toString(16).padStart(2, '0');
    for (const hex of [`0a${length}${bytes}`, `0a80 01${'61'.repeat(127)}ff`]) {
      t.throws(() => demo('Zeros').decode(hex), { message: 'proto: a string is not valid UTF-8' });
    }
  }
});

t.test('short strings are told apart, whatever was read before', async (t) => {
  const { encodeObject, decode } = compileProtobufCodec(DEMO, 'demo.v1.Many');
  const random = new Random(SEED);
  const letters = ['a', 'b', 'A', '0', '\u007f', 'é'] as const;
  for (let run = 0; run < 50; run += 1) {
    const texts = Array.from({ length: 200 }, () =>
      Array.from({ length: random.below(36) }, () => random.pick(letters)).join(''),
    );
    t.strictSame(decode(encodeObject({ texts: [...texts, ...texts] }))['texts'], [
      ...texts,
      ...texts,
    ]);
  }
});

t.test('lone surrogates are written as U+FFFD', async (t) => {
  const { encodeObject } = compileProtobufCodec(DEMO, 'demo.v1.Many');
  t.equal(hexOf(encodeObject({ texts: ['\ud800'] })), '1a03efbfbd');
  const long = Buffer.from(encodeObject({ texts: [`${'a'.repeat(200)}\udc00`] })).toString(
    'utf8',
    3,
  );
  t.equal(long, `${'a'.repeat(200)}\ufffd`);
});

t.test('minus zero is zero', async (t) => {
  const { decode } = compileProtobufCodec(DEMO, 'demo.v1.Tracked');
  t.ok(Object.is(decode(bytesOf('29 0000000000000080'))['real'], 0));
});

t.test('kept text is compact and escaped as in JSON', async (t) => {
  const bytes = '62 0f 0a 0d 7b202261223a20 22 3c 22 0a20 7d';
  t.equal(demo('Zeros').decode(bytes), '{"raw":{"a":"\\u003c"}}');
});
