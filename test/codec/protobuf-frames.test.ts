/** Lists and watch frames; the bytes are those that the public Go client's codec writes. */
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { unwrapProtobuf, wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import {
  PROTOBUF_LIST_TAIL,
  protobufBetaListHead,
  protobufBetaListTail,
  protobufListHead,
  protobufListItemHead,
  protobufWatchFrame,
} from '../../src/codec/protobuf/protobuf-frames.ts';
import { model } from './proto-model.ts';

const JSON_CODEC = compileJsonCodec(model, 'core.v1.ConfigMap');
const PROTOBUF_CODEC = compileProtobufCodec(model, 'core.v1.ConfigMap');

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The message of a config map whose key `k` has the value, or that has no data. */
function configMap(name: string, value?: string): Uint8Array {
  const document = JSON.stringify({ metadata: { name }, data: value && { k: value } });
  return PROTOBUF_CODEC.encodeObject(JSON_CODEC.decode(document).object);
}

function document(name: string, value?: string): Uint8Array {
  return wrapProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', raw: configMap(name, value) });
}

type ListMeta = Parameters<typeof protobufListHead>[1];

/** A list as it goes to a client: in parts. */
function list(meta: ListMeta, items: readonly Uint8Array[]): Uint8Array {
  const parts = items.flatMap((item) => [protobufListItemHead(item.length), item]);
  const type = { apiVersion: 'v1', kind: 'ConfigMapList' };
  const head = protobufListHead(type, meta, Buffer.concat(parts).length);
  return Buffer.concat([head, ...parts, PROTOBUF_LIST_TAIL]);
}

const LIST_TYPE = '6b387300 0a13 0a027631 120d436f6e6669674d61704c697374';

/** A list, its length, and how it begins: the whole of it in the first two cases. */
const LISTS: readonly (readonly [ListMeta, items: Uint8Array[], length: number, hex: string])[] = [
  [
    { rv: 7, continueToken: '', remaining: 0 },
    [],
    40,
    `${LIST_TYPE} 1209 0a07 0a00 120137 1a00 1a002200`,
  ],
  [
    { rv: 2 ** 53 - 1, continueToken: 'next', remaining: 300 },
    [configMap('a'), configMap('b', 'x'.repeat(20))],
    135,
    `${LIST_TYPE} 1268 0a1d 0a00 121039303037313939323534373430393931 1a046e657874 20ac02
     1215 0a130a016112001a0022002a003200380042007a00
     1230 0a130a016212001a0022002a003200380042007a00
     12190a016b121478787878787878787878787878787878787878781a002200`,
  ],
  [
    { rv: 1, continueToken: '', remaining: 0 },
    [configMap('a', 'x'.repeat(200)), configMap('b', 'y'.repeat(20_000))],
    20_311,
    `${LIST_TYPE} 12b69e01 0a07 0a00 120131 1a00
     12e601 0a130a016112001a0022002a003200380042007a00 12ce01 0a016b 12c8017878787878787878`,
  ],
];

for (const [meta, items, length, hex] of LISTS) {
  t.test(`a list of ${items.length} at ${meta.rv}, ${length} bytes long`, async (t) => {
    const expected = hex.replaceAll(/\s/g, '');
    const found = list(meta, items);
    t.equal(found.length, length);
    t.equal(hexOf(found).slice(0, expected.length), expected);
    t.equal(unwrapProtobuf(found).kind, 'ConfigMapList', 'an envelope');
  });
}

t.test('a list decodes to what was put together', async (t) => {
  const items = [configMap('a'), configMap('b', 'x'.repeat(130))];
  const bytes = list({ rv: 5, continueToken: 'c', remaining: 2 ** 53 - 1 }, items);
  // Any kind of list will do that has the numbers 1 and 2.
  const listCodec = compileProtobufCodec(model, 'meta.v1.PartialObjectMetadataList');
  const decoded = listCodec.decode(unwrapProtobuf(bytes).raw);
  const { resourceVersion, continue: token, remainingItemCount } = decoded['metadata'] as never;
  t.strictSame([resourceVersion, token, remainingItemCount], ['5', 'c', 2 ** 53 - 1]);
  const names = (decoded['items'] as { metadata: { name: string } }[]).map((item) => item.metadata);
  t.match(names, [{ name: 'a' }, { name: 'b' }]);
});

const BETA_TYPE = {
  apiVersion: 'meta.cluster.io/v1beta1',
  kind: 'PartialObjectMetadataList',
};
const BETA_HEX = `6b387300 0a34 0a176d6574612e636c75737465722e696f2f7631626574613112195061727469616c
  4f626a6563744d657461646174614c697374`;

t.test('the list whose numbers are the other way round', async (t) => {
  const cases: readonly (readonly [ListMeta, names: string[], hex: string])[] = [
    [{ rv: 7, continueToken: '', remaining: 0 }, [], '1209 12070a001201371a00 1a002200'],
    [
      { rv: 9, continueToken: 'c', remaining: 3 },
      ['a', 'b'],
      `123a 0a150a130a016112001a0022002a003200380042007a00
       0a150a130a016212001a0022002a003200380042007a00 120a0a001201391a01632003 1a002200`,
    ],
  ];
  for (const [meta, names, hex] of cases) {
    const items = names.flatMap((name) => {
      const item = configMap(name);
      return [protobufListItemHead(item.length, 1), item];
    });
    const head = protobufBetaListHead(BETA_TYPE, meta, Buffer.concat(items).length);
    const found = Buffer.concat([head, ...items, protobufBetaListTail(meta)]);
    t.equal(hexOf(found), `${BETA_HEX}${hex}`.replaceAll(/\s/g, ''));
  }
});

/** An event, the length of its frame, and how that begins. */
const EVENTS: readonly (readonly [string, document: Uint8Array, length: number, hex: string])[] = [
  [
    'ADDED',
    document('a'),
    63,
    `0000003b 0a054144444544 1232 0a30 6b387300 0a0f0a0276311209436f6e6669674d6170
     1215 0a130a016112001a0022002a003200380042007a00 1a002200`,
  ],
  [
    'MODIFIED',
    document('a', 'x'.repeat(100)),
    176,
    `000000ac 0a084d4f444946494544 129f01 0a9c01 6b387300 0a0f0a0276311209436f6e6669674d6170
     128001 0a130a016112001a0022002a003200380042007a00 1269 0a016b 12647878`,
  ],
  [
    'DELETED',
    document('a', 'x'.repeat(20_000)),
    20_082,
    '00004e6e 0a0744454c45544544 12e19c01 0add9c01 6b387300 0a0f0a0276',
  ],
  ['BOOKMARK', new Uint8Array(122), 140, '00000088 0a08424f4f4b4d41524b 127c 0a7a 0000'],
  ['BOOKMARK', new Uint8Array(127), 146, '0000008e 0a08424f4f4b4d41524b 128101 0a7f 0000'],
  ['BOOKMARK', new Uint8Array(128), 148, '00000090 0a08424f4f4b4d41524b 128301 0a8001 0000'],
  ['B', new Uint8Array(16_384), 16_399, '0000400b 0a0142 12848001 0a808001 0000'],
];

for (const [type, object, length, hex] of EVENTS) {
  t.test(`${type} of ${object.length} bytes`, async (t) => {
    const expected = hex.replaceAll(/\s/g, '');
    const frame = protobufWatchFrame(type, object);
    t.equal(frame.length, length);
    t.equal(hexOf(frame).slice(0, expected.length), expected);
    t.equal(hexOf(frame).slice(-2 * object.length), hexOf(object), 'the document is at the end');
  });
}
