import t from 'tap';
import { DecodeError } from '../../src/codec/json/go-errors.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { unwrapProtobuf, wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { model } from './proto-model.ts';

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
}

/** A config map `a` with `k: v`. */
const CONFIG_MAP = bytesOf(`
  6b387300
  0a0f 0a02 7631 1209 436f6e6669674d6170
  121d
    0a13 0a0161 1200 1a00 2200 2a00 3200 3800 4200 7a00
    1206 0a016b 120176
  1a00 2200`);

t.test('a config map in its envelope', async (t) => {
  const json = compileJsonCodec(model, 'core.v1.ConfigMap');
  const protobuf = compileProtobufCodec(model, 'core.v1.ConfigMap');
  const document = '{"metadata":{"name":"a","creationTimestamp":null},"data":{"k":"v"}}';
  const raw = protobuf.encodeObject(json.decode(document).object);
  const wrapped = wrapProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', raw });
  t.equal(Buffer.from(wrapped).toString('hex'), CONFIG_MAP.toString('hex'));

  const envelope = unwrapProtobuf(CONFIG_MAP);
  t.equal(envelope.apiVersion, 'v1');
  t.equal(envelope.kind, 'ConfigMap');
  t.equal(`{${json.encode(protobuf.decode(envelope.raw))}`, document);
});

t.test('an envelope that lies somewhere in a larger buffer', async (t) => {
  const larger = Buffer.concat([Buffer.from('before'), CONFIG_MAP, Buffer.from('after')]);
  const view = larger.subarray(6, 6 + CONFIG_MAP.length);
  t.same(unwrapProtobuf(new Uint8Array(view)).kind, 'ConfigMap');
  t.same(unwrapProtobuf(view).raw, CONFIG_MAP.subarray(23, 23 + 0x1d));
});

t.test('what is optional may be absent, and more may be there', async (t) => {
  const empty = unwrapProtobuf(bytesOf('6b387300 1a00'));
  t.same(empty, { apiVersion: '', kind: '', raw: new Uint8Array() });
  const more = unwrapProtobuf(bytesOf('6b387300 2a0161 1a00 1201ff 0a06 1201 4b 1a0161'));
  t.same(more, { apiVersion: '', kind: 'K', raw: Buffer.of(0xff) });
});

t.test('content that is said to be something else is refused', async (t) => {
  const envelope = (number: number, text: string): Uint8Array =>
    Buffer.concat([
      bytesOf('6b387300 1200'),
      Buffer.of((number << 3) | 2, text.length),
      Buffer.from(text),
    ]);
  for (const type of ['cluster', 'kubernetes']) {
    unwrapProtobuf(envelope(4, `application/vnd.${type}.protobuf`));
  }
  t.throws(() => unwrapProtobuf(envelope(3, 'gzip')), {
    message: `contentEncoding "gzip" of the envelope is not supported: only '' is`,
  });
  t.throws(() => unwrapProtobuf(envelope(4, 'application/json')), {
    message: 'contentType "application/json" of the envelope is not supported: only protobuf is',
  });
});

const PREFIX_ERROR =
  'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
const BROKEN: readonly (readonly [hex: string, message: string, isSyntax: boolean])[] = [
  ['', 'empty data', true],
  ['6b3873', PREFIX_ERROR, true],
  ['6b387301', PREFIX_ERROR, true],
  ['7b7d 7b7d 7b7d', PREFIX_ERROR, true],
  ['6b387300', 'empty body', true],
  ['6b387300 0a', 'unexpected EOF', true],
  ['6b387300 1205', 'unexpected EOF', true],
  ['6b387300 0a030a0561', 'unexpected EOF', true],
  ['6b387300 1005', 'proto: wrong wireType = 0 for field 2 of Unknown', true],
];

for (const [hex, message, isSyntax] of BROKEN) {
  t.test(`refuses ${hex || 'nothing'}`, async (t) => {
    try {
      unwrapProtobuf(bytesOf(hex));
      t.fail('is taken');
    } catch (error) {
      t.ok(error instanceof DecodeError);
      t.match(error, { message, isSyntax });
    }
  });
}
