/** Every kind of the schema, JSON to protobuf and back. */
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random, seedFrom } from '../support/random.ts';
import { KIND_NAMES, model } from './proto-model.ts';

const RUNS = 15;
const SEED = seedFrom('PROTOBUF_SEED');

t.test('there are kinds', async (t) => {
  t.ok(KIND_NAMES.includes('core.v1.ConfigMap'));
});

for (const kind of KIND_NAMES) {
  t.test(`${kind}: JSON is the same after protobuf`, async (t) => {
    const json = compileJsonCodec(model, kind);
    const protobuf = compileProtobufCodec(model, kind);
    const random = new Random(SEED);
    const broken: string[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const options = { depth: 2 + random.below(5), bigints: true };
      const document = documentText(randomObject(model, kind, random, options));
      const { object } = json.decode(document);
      const bytes = protobuf.encodeObject(object);
      const back = protobuf.decode(bytes);
      const isSame =
        json.encode(back) === json.encode(object) &&
        isDeepStrictEqual(ordered(back), ordered(object)) &&
        Buffer.compare(protobuf.encodeObject(back), bytes) === 0;
      if (!isSame) broken.push(document);
    }
    t.strictSame(protobuf.decode(new Uint8Array()), json.decode('{}').object, 'no bytes');
    t.equal(broken[0], undefined, `with PROTOBUF_SEED=${SEED}`);
  });
}

/**
 * Comparable with regard to the order of members, but not of map keys (no prototype). An empty map
 * is none: protobuf cannot tell them apart.
 */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, member]) => !isEmptyMap(member))
    .map(([name, member]) => [name, ordered(member)] as const);
  if (Object.getPrototypeOf(value) !== null) return entries;
  return ['map', ...entries.sort(([a], [b]) => (a < b ? -1 : 1))];
}

function isEmptyMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === null && Object.keys(value).length === 0;
}
