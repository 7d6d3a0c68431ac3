/** Messages that are made of the bytes of one that was written before. */
import t from 'tap';
import { DecodeError } from '../../src/codec/json/go-errors.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { VariantCodecs } from '../../src/codec/protobuf/protobuf-variants.ts';
import { PlanCompiler } from '../../src/codec/protobuf/transcode-plan.ts';
import { transcode } from '../../src/codec/protobuf/transcode-members.ts';
import type { MessageValue } from '../../src/codec/protobuf/transcode-members.ts';
import { Transcoding } from '../../src/codec/protobuf/transcoding.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random, seedFrom } from '../support/random.ts';
import { model } from './proto-model.ts';

const SEED = seedFrom('PROTOBUF_SEED');

/** The numbers of `Inner` are not in the order of its members. */
const DEMO = loadSchemaModel({
  'demo.proto': `syntax = "proto2"; package demo.v1;
    message Whole { optional Outer outer = 1; }
    message Outer {
      optional string text = 1 [(presence) = true]; optional int64 whole = 2 [(presence) = true];
      optional bool flag = 3 [(presence) = true]; optional bytes data = 4;
      optional meta.v1.Time time = 5 [(presence) = true];
      optional meta.v1.FieldsV1 raw = 6 [(presence) = true];
      map<string, string> map = 7; repeated string list = 8; repeated Inner inner = 9;
      optional Inner last = 10 [(presence) = true]; optional string end = 11 [(presence) = true];
      optional meta.v1.IntOrString port = 12 [(presence) = true]; optional string pad = 13;
    }
    message Inner {
      optional string b = 2 [(presence) = true]; optional Inner in = 3 [(presence) = true];
      optional string a = 1 [(presence) = true]; repeated int32 counts = 4;
    }`,
  'meta.proto': `syntax = "proto2"; package meta.v1;
    message Time {} message FieldsV1 {} message IntOrString {}`,
});

function noVariants(): never {
  throw new Error('there are no variants');
}

const UNUSED = new VariantCodecs({ decoder: noVariants, message: noVariants });

/** An object of nothing but this message, without its first brace. */
function whole(members: string): Buffer {
  return Buffer.from(`"outer":{${members}}`);
}

function rootOf(): MessageValue {
  return new PlanCompiler(DEMO, UNUSED).root('demo.v1.Whole');
}

/** Writes one text and then another one, and tells whether the second one was made of the first. */
function inTurn(first: string, second: string): { bytes: string; isMade: boolean } {
  const root = rootOf();
  transcode(root, whole(first));
  const target = new Transcoding();
  target.begin(whole(second), 0);
  target.at = '"outer":'.length;
  const isMade = root.plan().members[0]?.field.message?.plan().known?.write(target) === true;
  if (isMade) t.equal(target.at, target.limit - 1, second);
  return { bytes: hexOf(transcode(root, whole(second))), isMade };
}

function alone(text: string): string {
  return hexOf(transcode(rootOf(), whole(text)));
}

function hexOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}

/** Short objects are no templates. */
const PAD = `"pad":"${'p'.repeat(1_024)}"}`;
const LONG = 'l'.repeat(300);

/** A difference, the parts of the object that have it, and whether one can be made of the other. */
const CASES: readonly (readonly [isMade: boolean, first: string, second: string])[] = [
  [true, '"text":"a"', '"text":"a"'],
  [true, '"text":"node-5"', '"text":"node-53"'],
  [true, '"text":"node-53"', '"text":"node-5"'],
  [true, '"text":"a"', '"text":""'],
  [true, '"text":""', '"text":"a"'],
  [true, String.raw`"text":"a\"b"`, String.raw`"text":"a\\b"`],
  [true, String.raw`"text":"a\""`, '"text":"a"'],
  [true, '"text":"a"', String.raw`"text":"a\"","whole":1`.replace(',"whole":1', '')],
  [true, '"text":"é"', '"text":"è"'],
  [true, String.raw`"text":"<"`, String.raw`"text":"\u003c"`],
  [true, `"text":"${LONG}"`, `"text":"${LONG}l"`],
  [true, `"text":"${LONG}\\n"`, `"text":"${LONG}\\t\\n"`],
  [true, '"whole":5', '"whole":53'],
  [true, '"whole":53', '"whole":-5'],
  [true, '"flag":true,"time":"2021-12-07T10:11:12Z"', '"flag":false,"time":"1969-12-07T10:11:12Z"'],
  [true, '"raw":{"f:a":{}}', '"raw":{"f:b":{"k:{\\"}":{}}}'],
  [true, '"map":{"a":"b","c":"d"}', '"map":{"a":"bb","c":""}'],
  [true, '"list":["a","b"]', '"list":["","c"]'],
  [
    true,
    '"inner":[{"b":"1","in":{"a":"2"},"a":"3"}]',
    '"inner":[{"b":"","in":{"a":"22"},"a":"34"}]',
  ],
  [
    true,
    '"last":{"b":"1","in":{"b":"2","a":"5"}},"end":"e"',
    '"last":{"b":"2","in":{"b":"2","a":"55"}},"end":""',
  ],
  [true, '"inner":[{"counts":[1,2]}]', '"inner":[{"counts":[10,200]}]'],
  [true, '"port":80', '"port":8080'],
  [true, '"port":80', '"port":"http"'],
  // The length of a message is longer.
  [false, '"last":{"b":"1"}', `"last":{"b":"${'1'.repeat(130)}"}`],
  [false, `"last":{"b":"${LONG}"}`, '"last":{"b":"1"}'],
  // There are too many values.
  [false, `"list":["a"${',"a"'.repeat(1_200)}]`, `"list":["a"${',"a"'.repeat(1_200)}]`],
  // Something else than a value differs.
  [false, '"text":"a"', '"texs":"a"'],
  [false, '"text":"a","whole":1', '"text":"a"'],
  [false, '"text":"a"', '"text":"a","whole":1'],
  [false, '"text":"a"', '"text":null'],
  [false, '"whole":1', '"whole":null'],
  [false, '"text":"a"', '"text":"a" '],
  [false, '"data":"AAAA"', '"data":""'],
  [false, '"data":"AAAA"', '"data":"AAAB"'],
  [false, '"time":"2021-12-07T10:11:12Z"', '"time":null'],
  [false, '"list":["a"]', '"list":[]'],
  [false, '"list":["a"]', '"list":["a","b"]'],
  [false, '"list":["a","b"]', '"list":["a"]'],
  [false, '"list":["a"]', '"list":[null]'],
  [false, '"map":{"a":"1"}', '"map":{"b":"1"}'],
  [false, '"map":{"a":"1","b":"2"}', '"map":{"b":"1","a":"2"}'],
  [false, '"map":{"b":"1","a":"2"}', '"map":{"b":"1","a":"2"}'],
  [false, '"last":{"b":"1"}', '"last":{"a":"1"}'],
  [false, '"last":{"b":"1"}', '"last":{}'],
];

t.test('what is made of another object is as if there had been none', async (t) => {
  for (const [isMade, first, second] of CASES) {
    for (const after of [`,${PAD}`, `,"end":"${LONG}",${PAD}`]) {
      if (/"(?:end|port)"/.test(first) && after.includes('"end"')) continue;
      const made = inTurn(first + after, second + after);
      t.equal(made.isMade, isMade, `${first} ${second}`);
      t.equal(made.bytes, alone(second + after), `${first} ${second}`);
    }
  }
});

t.test('text that begins as another object did, and ends early', async (t) => {
  const protobuf = compileProtobufCodec(DEMO, 'demo.v1.Whole');
  const text = whole(`"text":"a","list":["b","c"],"last":{"b":"d"},${PAD}`);
  const bytes = protobuf.encode(text);
  for (let length = 0; length < text.length; length += 1) {
    t.throws(() => protobuf.encode(text.subarray(0, length)), `${length} bytes`);
  }
  t.same(protobuf.encode(text), bytes);
});

const VALUES = /(?<=[:[,])(?:"(?:[^"\\]|\\.)*"(?=[\],}])|-?\d+(?=[\],}])|true|false)/g;

/** The text with some values replaced, and now and then something left out. */
function changed(text: string, random: Random): string {
  const share = 1 + random.below(30);
  return text.replace(VALUES, (value) => {
    if (random.below(share) > 0) return value;
    if (value.startsWith('"')) {
      const inner = value.slice(1, -1);
      const others: [string, ...string[]] = [
        `${inner}1`,
        inner.slice(0, -1),
        '',
        '\\n"x'.replace('"', '\\"'),
        `${inner}${inner}`,
      ];
      return `"${random.pick(others)}"`;
    }
    if (value === 'true' || value === 'false') return value === 'true' ? 'false' : 'true';
    return random.pick([`${value}0`, '7', '-1', 'null', String(random.below(100_000))]);
  });
}

t.test(
  'objects that differ in any values are written as by a codec that has seen nothing',
  async (t) => {
    for (const kind of [
      'core.v1.Pod',
      'core.v1.Node',
      'core.v1.Secret',
      'core.v1.Event',
      'apps.v1.Deployment',
    ]) {
      const json = compileJsonCodec(model, kind);
      const protobuf = compileProtobufCodec(model, kind);
      const random = new Random(SEED);
      const texts = Array.from({ length: 3 }, () =>
        documentText(randomObject(model, kind, random, { depth: 4 })),
      );
      let done = 0;
      for (let run = 0; run < 100; run += 1) {
        const text = changed(texts[Math.floor(run / 8) % texts.length] ?? '', random);
        let object: Record<string, unknown>;
        try {
          object = json.decode(text).object;
        } catch (error) {
          if (error instanceof DecodeError) continue;
          throw error;
        }
        done += 1;
        const members = Buffer.from(json.encode(object));
        const expected = compileProtobufCodec(model, kind).encode(members);
        if (Buffer.compare(protobuf.encode(members), expected) === 0) continue;
        t.fail(`PROTOBUF_SEED=${SEED} ${kind}: object ${run} is written otherwise`);
      }
      t.ok(done > 20, `${kind}: ${done} objects`);
    }
  },
);
