/** Members that have one value or another in JSON, and are messages in protobuf. */
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { model } from './proto-model.ts';

const SCHEMA = 'apiextensions.v1.JSONSchemaProps';
const USER = 'authentication.v1.UserInfo';
const schemaJson = compileJsonCodec(model, SCHEMA);
const schemaProtobuf = compileProtobufCodec(model, SCHEMA);

/** A schema has these members below and above those in question. */
const HEAD = '0a00120022002a0032003a00500060007a00900100';
const TAIL = 'a80200b80200c00200';
/** 30 bytes. */
const EMPTY = HEAD + TAIL;
const OBJECT = EMPTY.replace('2a00', '2a066f626a656374');

const CASES: readonly (readonly [document: string, hex: string])[] = [
  ['"items":{}', `c20120 0a1e${EMPTY}`],
  ['"items":[{},{"type":"object"}]', `c20146 121e${EMPTY} 1224${OBJECT}`],
  ['"additionalProperties":true', 'f20102 0801'],
  ['"additionalProperties":false', 'f20102 0800'],
  ['"additionalProperties":{"type":"object"}', `f20128 0801 1224${OBJECT}`],
  [
    '"dependencies":{"a":["x","\\u003c"],"b":{}}',
    `82020b 0a0161 1206 120178 12013c 820225 0a0162 1220 0a1e${EMPTY}`,
  ],
  ['"additionalItems":false', '8a0202 0800'],
];

for (const [members, hex] of CASES) {
  t.test(members, async (t) => {
    const bytes = Buffer.from((HEAD + hex + TAIL).replaceAll(' ', ''), 'hex');
    const { object } = schemaJson.decode(`{${members}}`);
    t.equal(
      Buffer.from(schemaProtobuf.encodeObject(object)).toString('hex'),
      bytes.toString('hex'),
    );
    t.equal(schemaJson.encode(schemaProtobuf.decode(bytes)), `${members}}`);
  });
}

t.test('values of extra are lists of strings', async (t) => {
  const json = compileJsonCodec(model, USER);
  const protobuf = compileProtobufCodec(model, USER);
  const { object } = json.decode('{"extra":{"a":["x",null],"b":null,"c":[]}}');
  t.equal(json.encode(object), '"extra":{"a":["x",""],"b":null,"c":[]}}');
  const bytes = protobuf.encodeObject(object);
  const hex = '0a00 1200 220a 0a0161 1205 0a0178 0a00 2205 0a0162 1200 2205 0a0163 1200';
  t.equal(Buffer.from(bytes).toString('hex'), hex.replaceAll(' ', ''));
  t.equal(json.encode(protobuf.decode(bytes)), '"extra":{"a":["x",""],"b":[],"c":[]}}');
});

t.test('what is none of the values becomes an empty message', async (t) => {
  const cases = [
    ['"items":5', '}'],
    ['"items":[null,{"unknown":1}]', '"items":[{},{}]}'],
    ['"dependencies":{"a":5,"b":[null,"c"]}', '"dependencies":{"a":null,"b":["","c"]}}'],
  ] as const;
  for (const [members, expected] of cases) {
    const bytes = schemaProtobuf.encodeObject(schemaJson.decode(`{${members}}`).object);
    t.equal(schemaJson.encode(schemaProtobuf.decode(bytes)), expected, members);
  }
});

/** Below 16,384. */
function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.of(value) : Buffer.of((value & 0x7f) | 0x80, value >> 7);
}

t.test(
  'schemas in schemas are written in protobuf however deep, and read as deep as any message',
  async (t) => {
    const text = (depth: number): string => `${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const nested = (depth: number): object => schemaJson.decode(text(depth)).object;
    const nestedBytes = (depth: number): Buffer => {
      let bytes = Buffer.of();
      for (let level = 0; level < depth; level += 1) {
        bytes = Buffer.concat([Buffer.of(0x0a), varint(bytes.length), bytes]);
        bytes = Buffer.concat([Buffer.of(0xc2, 0x01), varint(bytes.length), bytes]);
      }
      return bytes;
    };
    for (const depth of [32, 33, 400]) {
      const bytes = schemaProtobuf.encodeObject(nested(depth));
      t.equal(`{${schemaJson.encode(schemaProtobuf.decode(bytes))}`, text(depth));
    }
    t.equal(`{${schemaJson.encode(schemaProtobuf.decode(nestedBytes(33)))}`, text(33));
  },
);

t.test('all that nests in schemas is written in protobuf, in any order', async (t) => {
  const properties = '"properties":{"b":{"type":"string"},"a":@,"\\u00e9":{}}';
  const levels = [
    `{"type":"object",${properties}}`,
    '{"items":@,"description":"x"}',
    '{"allOf":[@],"not":{"type":"string"}}',
    '{"dependencies":{"b":["x"],"a":@}}',
  ];
  for (const depth of [3, 98, 99, 100, 101, 102, 160]) {
    let text = '{"type":"object"}';
    for (let level = 0; level < depth; level += 1) {
      text = (levels[level % levels.length] as string).replace('@', text);
    }
    const { object } = schemaJson.decode(text);
    const decoded = schemaProtobuf.decode(schemaProtobuf.encodeObject(object));
    t.same(JSON.parse(`{${schemaJson.encode(decoded)}`), JSON.parse(text), String(depth));
  }
});
