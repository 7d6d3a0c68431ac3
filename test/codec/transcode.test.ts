/** JSON that is not as the encoder writes it, and what the text of each value becomes. */
import t from 'tap';
import { DecodeError } from '../../src/codec/json/go-errors.ts';
import { JsonCursor } from '../../src/codec/json/json-cursor.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random, seedFrom } from '../support/random.ts';
import { KIND_NAMES, model } from './proto-model.ts';

const SEED = seedFrom('PROTOBUF_SEED');

/** The members of an object in JSON: name and text of the value. */
function membersOf(text: string): [name: string, value: string][] {
  const members: [string, string][] = [];
  const cursor = new JsonCursor(text);
  cursor.forEachMember((name) => members.push([name, cursor.takeValue()]));
  return members;
}

function objectText(members: readonly (readonly [name: string, value: string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** Gives the same object with members in another order, and some that are null or unknown. */
function disordered(text: string, levels: number): string {
  const members = membersOf(text).map(([name, value]) => {
    const isOpen = levels > 0 && /^(?:metadata|labels|annotations)$/.test(name);
    return [name, isOpen ? disordered(value, levels - 1) : value] as const;
  });
  const isMap = levels === 0;
  const unknown = [['unknown', '[{"a":"}\\""},1]']] as const;
  return objectText([...members.reverse(), ...(isMap ? [] : unknown)]);
}

t.test('members may come in another order, maps unsorted, and some be unknown', async (t) => {
  for (const kind of KIND_NAMES) {
    const json = compileJsonCodec(model, kind);
    const protobuf = compileProtobufCodec(model, kind);
    const random = new Random(SEED);
    for (let run = 0; run < 5; run += 1) {
      const document = documentText(randomObject(model, kind, random, { depth: 4 }));
      const canonical = json.encode(json.decode(document).object);
      const other = disordered(`{${canonical}`, 2).slice(1);
      const expected = protobuf.encode(Buffer.from(canonical));
      if (Buffer.compare(protobuf.encode(Buffer.from(other)), expected) === 0) continue;
      t.equal(other, canonical, `PROTOBUF_SEED=${SEED} ${kind}`);
    }
  }
});

t.test('what the encoder writes is never parsed', async (t) => {
  const read: string[] = [];
  for (const kind of [
    'core.v1.Pod',
    'core.v1.Secret',
    'coordination.v1.Lease',
    'apps.v1.ReplicaSet',
  ]) {
    const json = compileJsonCodec(model, kind);
    const protobuf = compileProtobufCodec(model, kind);
    const random = new Random(SEED);
    const texts = Array.from({ length: 20 }, () => {
      const object = randomObject(model, kind, random, { depth: 6, bigints: true });
      return json.encode(json.decode(documentText(object)).object);
    });
    const parses = t.capture(JSON, 'parse', (text: string) => read.push(text));
    for (const text of texts) protobuf.encode(Buffer.from(text));
    parses.restore();
  }
  t.same(read, []);
});

t.test('what was written before is written as by a codec that has seen nothing', async (t) => {
  const kind = 'core.v1.Pod';
  const json = compileJsonCodec(model, kind);
  const protobuf = compileProtobufCodec(model, kind);
  const container = (name: string, tag: number): object => ({
    name,
    image: `registry.example.com/team/${name}:${tag}`,
    args: ['--first', '"quoted" \u2028 and more', 'x'.repeat(100 * (tag % 3))],
    ports: [{ name: 'http', containerPort: 8000 + tag }],
    env: [{ name: 'LOG_LEVEL', value: 'info' }],
  });
  const pod = (at: number, tags: readonly number[]): string => {
    const containers = tags.map((tag, index) => container(`c${index}`, tag));
    return json.encode({
      metadata: { name: `p${at}` },
      spec: { containers, nodeName: `n${at % 5}` },
    });
  };
  const random = new Random(SEED);
  const texts = Array.from({ length: 60 }, (_, at) => {
    // Runs of one template, and then some of many.
    const tag = at % 20 < 12 ? Math.floor(at / 20) : random.below(6);
    return Buffer.from(pod(at, [tag, random.below(2), 7, 8, 9].slice(0, 1 + random.below(5))));
  });
  for (const [at, text] of texts.entries()) {
    const expected = compileProtobufCodec(model, kind).encode(text);
    if (Buffer.compare(protobuf.encode(text), expected) === 0) continue;
    t.fail(`PROTOBUF_SEED=${SEED}: pod ${at} is written otherwise`);
  }
});

t.test('long text with escapes between any numbers of plain characters comes back', async (t) => {
  const kind = 'core.v1.ConfigMap';
  const json = compileJsonCodec(model, kind);
  const protobuf = compileProtobufCodec(model, kind);
  for (let plain = 0; plain < 12; plain += 1) {
    const data: Record<string, string> = {};
    for (const special of ['\n', '"', '\\', '<', '\u0001', '\u2028', '\u00e9', '\u{1f600}']) {
      data[special] = `${'x'.repeat(plain)}${special}`.repeat(150);
    }
    const text = JSON.stringify({ metadata: { name: 'a' }, data });
    const members = json.encode(json.decode(text).object);
    const object = protobuf.decode(protobuf.encode(Buffer.from(members)));
    t.same({ ...(object['data'] as object) }, data, `${plain} plain characters`);
  }
});

const DEMO = loadSchemaModel({
  'demo.proto': `syntax = "proto2"; package demo.v1;
    message Leaves {
      optional string text = 1 [(presence) = true]; optional int64 whole = 2 [(presence) = true];
      optional double real = 3 [(presence) = true]; optional bool flag = 4 [(presence) = true];
      optional bytes data = 5; optional bytes kept = 6 [(presence) = true];
      optional meta.v1.Time time = 7 [(presence) = true];
      optional meta.v1.MicroTime micro = 8 [(presence) = true];
      optional meta.v1.RawExtension raw = 9 [(presence) = true];
      map<string, string> map = 10; repeated meta.v1.Time times = 11;
      optional meta.v1.IntOrString port = 12 [(presence) = true];
    }`,
  'meta.proto': `syntax = "proto2"; package meta.v1;
    message Time {} message MicroTime {} message RawExtension {} message IntOrString {}`,
});
const leaves = compileProtobufCodec(DEMO, 'demo.v1.Leaves');

function hexOf(members: string): string {
  return Buffer.from(leaves.encode(Buffer.from(`${members}}`))).toString('hex');
}

/** Bytes of text behind a length of two bytes, as hex. */
function longText(text: string): string {
  const { length } = Buffer.from(text);
  const head = Buffer.of((length & 0x7f) | 0x80, length >> 7);
  return head.toString('hex') + Buffer.from(text).toString('hex');
}

t.test('text', async (t) => {
  const cases: readonly (readonly [json: string, hex: string])[] = [
    ['"text":""', '0a00'],
    [String.raw`"text":"\"\\\/\b\f\n\r\t"`, '0a08 225c2f080c0a0d09'],
    [String.raw`"text":"\u003cé\u2028\u00ff"`, '0a08 3c c3a9 e280a8 c3bf'],
    [String.raw`"text":"\ud83d\ude00"`, '0a04 f09f9880'],
    [String.raw`"text":"\ud83d"`, '0a03 efbfbd'],
    [`"text":"${'a'.repeat(127)}"`, `0a7f ${'61'.repeat(127)}`],
    [`"text":"${'a'.repeat(128)}"`, `0a ${longText('a'.repeat(128))}`],
    [`"text":"${'é'.repeat(700)}"`, `0a ${longText('é'.repeat(700))}`],
    [`"text":"${'a'.repeat(200)}\\n"`, `0a ${longText(`${'a'.repeat(200)}\n`)}`],
    [`"text":"${'\\n'.repeat(80)}"`, `0a50 ${'0a'.repeat(80)}`],
    [`"text":"\\n${'a'.repeat(200)}"`, `0a ${longText(`\n${'a'.repeat(200)}`)}`],
  ];
  for (const [json, hex] of cases) t.equal(hexOf(json), hex.replaceAll(' ', ''), json);
});

t.test('numbers, bytes, times and kept JSON', async (t) => {
  const cases: readonly (readonly [json: string, hex: string])[] = [
    ['"whole":127', '107f'],
    ['"whole":2147483648', '108080808008'],
    ['"whole":999999999999999', '10 ffff99a6eaafe301'],
    ['"whole":9007199254740993', '10 8180808080808010'],
    ['"whole":-9223372036854775808', '10 80808080808080808001'],
    ['"real":1e+21', '19 50efe2d6e41a4b44'],
    ['"flag":false', '2000'],
    ['"data":""', ''],
    ['"kept":""', '3200'],
    ['"kept":"/+8A"', '3203 ffef00'],
    ['"time":null', ''],
    ['"time":"2000-02-29T23:59:59Z"', '3a08 08 ffbaf1c503 1000'],
    ['"micro":"1969-12-31T23:59:59.999999Z"', '4211 08ffffffffffffffffff01 10 988cebdc03'],
    ['"raw":{"a":["}\\"",null]}', '4a140a12 7b2261223a5b227d5c22222c6e756c6c5d7d'],
    ['"times":[null,"1970-01-01T00:00:01Z"]', '5a00 5a04 08011000'],
    ['"port":-1', '620f 0800 10ffffffffffffffffff01 1a00'],
  ];
  for (const [json, hex] of cases) t.equal(hexOf(json), hex.replaceAll(' ', ''), json);
});

t.test('names that nobody knows, though they look like others', async (t) => {
  for (const name of ['tex', 'texts', 'text ', 'Text', 'tixt', 'flag2', 'whol', 'micra', 'x', '']) {
    t.equal(hexOf(`"${name}":[{"text":"a"}],"flag":true`), '2001', name);
  }
});

t.test('kept JSON that was there before, and some that begins as it did', async (t) => {
  const raws = Array.from({ length: 6 }, (_, at) => `{"f:a":{"k:{\\"${at}\\"}":{}}}`);
  const longer = raws.map((raw) => `${raw.slice(0, -1)},"f:b":{}}`);
  const many = [...raws, ...longer, `{"f:c":"${'}'.repeat(5_000)}"}`, '[{}]', '[{},1]', '{}'];
  for (const raw of [...many, ...many.toReversed(), ...many.flatMap((each) => [each, each])]) {
    const text = Buffer.from(raw).toString('hex');
    t.ok(hexOf(`"raw":${raw},"times":[null]`).endsWith(`${text}5a00`), raw.slice(0, 40));
  }
});

t.test('of keys that are equal the last one counts', async (t) => {
  t.equal(
    hexOf('"map":{"b":"1","a":"2","b":"3"}'),
    '52060a0161120132 52060a0162120133'.replace(' ', ''),
  );
});

t.test('times of all years', async (t) => {
  const wrong: string[] = [];
  const random = new Random(SEED);
  for (let run = 0; run < 2_000; run += 1) {
    const seconds = random.below(10_000 * 365 * 86_400) - 62_167_219_200;
    const text = `${new Date(seconds * 1_000).toISOString().slice(0, -5)}Z`;
    const { time } = leaves.decode(leaves.encode(Buffer.from(`"time":"${text}"}`)));
    if (time !== text) wrong.push(text);
  }
  t.same(wrong, []);
});

t.test('what is no such JSON is refused', async (t) => {
  const refused = [
    '"text":5',
    '"flag":nil',
    '"whole":1.5',
    '"text":"a',
    '"time":"now"',
    '"map":[]',
  ];
  for (const json of refused) t.throws(() => hexOf(json), DecodeError, json);
});
