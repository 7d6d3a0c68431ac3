import t from 'tap';
import { decodeUtf8 } from '../../src/codec/text-body.ts';

t.test('text of all lengths of UTF-8 sequences', async (t) => {
  const text = 'a é € 😀 \u0000 "\\';
  t.equal(decodeUtf8(new TextEncoder().encode(text)), text);
  t.equal(decodeUtf8(Buffer.from(text)), text);
  t.equal(decodeUtf8(new Uint8Array(0)), '');
});

t.test('a part of a larger buffer', async (t) => {
  const bytes = new TextEncoder().encode('before{"a":1}after');
  t.equal(decodeUtf8(bytes.subarray(6, 13)), '{"a":1}');
});

t.test('invalid sequences become replacement characters, nothing is stripped', async (t) => {
  t.equal(decodeUtf8(Uint8Array.of(0x61, 0xff, 0x62)), 'a\ufffdb');
  t.equal(decodeUtf8(Uint8Array.of(0xc3)), '\ufffd');
  t.equal(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa');
});
