/** Messages in protobuf that were read before. */
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { Random, seedFrom } from '../support/random.ts';
import { model } from './proto-model.ts';

const SEED = seedFrom('PROTOBUF_SEED');
const POD = 'core.v1.Pod';
const JSON_OF_PODS = compileJsonCodec(model, POD);
const PROTOBUF_OF_PODS = compileProtobufCodec(model, POD);

function podBytes(at: number, image: string, envs: number): Uint8Array {
  const container = {
    name: 'app',
    image,
    args: ['--first', '--second'],
    env: Array.from({ length: envs }, (_, index) => ({ name: `NAME_${index}`, value: 'x' })),
    resources: { limits: { cpu: '500m', memory: '256Mi' } },
    livenessProbe: { httpGet: { path: '/healthz', port: 8080 } },
  };
  const { object } = JSON_OF_PODS.decode(
    JSON.stringify({
      metadata: { name: `pod-${at}`, labels: { app: 'x'.repeat(200) } },
      spec: {
        containers: [container],
        nodeSelector: JSON.parse('{"__proto__":"text","pool":"general"}') as object,
        tolerations: [{ key: 'spot', operator: 'Exists' }],
        serviceAccountName: 'x'.repeat(100),
      },
    }),
  );
  return PROTOBUF_OF_PODS.encodeObject(object);
}

/** Changes all that can be changed. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(spoil);
  if (Array.isArray(value)) value.reverse().push('spoiled');
  else Object.assign(value, { spoiled: true });
}

t.test('each is read as by a codec that has seen nothing, whatever became of others', async (t) => {
  const random = new Random(SEED);
  const seasoned = compileProtobufCodec(model, POD);
  for (let at = 0; at < 80; at += 1) {
    // Runs of one template, and then some of many; images are equally long.
    const image = at % 20 < 12 ? `app:${Math.floor(at / 20)}` : `app:${random.below(8)}`;
    const bytes = podBytes(at % 3, image, random.below(3));
    const read = seasoned.decode(bytes);
    t.strictSame(
      read,
      compileProtobufCodec(model, POD).decode(bytes),
      `PROTOBUF_SEED=${SEED} ${at}`,
    );
    spoil(read);
  }
});

/** A field of bytes, so many times one within the other. */
function within(levels: number, number: number, bytes: Uint8Array): Uint8Array {
  let outer = Buffer.from(bytes);
  for (let level = 0; level < levels; level += 1) {
    const { length } = outer;
    const size = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >>> 7];
    outer = Buffer.concat([Uint8Array.of((number << 3) | 2, ...size), outer]);
  }
  return outer;
}

t.test('one that is known is refused where it would be too deep', async (t) => {
  const numbers = Array.from({ length: 16 }, (_, index) => index + 2);
  const demo = `syntax = "proto2"; package demo.v1;
    message Short { optional Short next = 1 [(presence) = true]; optional Long long = 2 [(presence) = true]; }
    message Long {
      optional Short next = 1 [(presence) = true];
      ${numbers.map((number) => `optional int32 n${number} = ${number};`).join(' ')}
    }`;
  const codec = compileProtobufCodec(loadSchemaModel({ 'demo.proto': demo }), 'demo.v1.Short');
  const long = within(1, 2, within(300, 1, new Uint8Array()));
  const decodes = (bytes: Uint8Array): boolean => codec.decode(bytes) instanceof Object;
  for (let time = 0; time < 2; time += 1) t.ok(decodes(long));
  t.throws(() => decodes(within(250, 1, long)), { message: 'proto: exceeded max depth' });
  t.ok(decodes(within(150, 1, long)));
});
