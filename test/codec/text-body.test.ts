import t from 'tap';
import { decodeUntrusted, decodeUtf8, loneSurrogate } from '../../src/codec/text-body.ts';

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

t.test('bytes of strangers are text or nothing', async (t) => {
  for (const text of ['', 'abc', 'é€😀', 'a\ufffd', '\ufeffa']) {
    t.equal(decodeUntrusted(Buffer.from(text)), text);
  }
  for (const hex of ['ff', '61c3', 'eda080', 'f4908080', 'c080', 'efbfbdff', 'e282']) {
    t.equal(decodeUntrusted(Buffer.from(hex, 'hex')), undefined, hex);
  }
});

t.test('halves of surrogate pairs that JSON text escapes', async (t) => {
  const { raw } = String;
  for (const text of [
    '"a"',
    raw`"\ud83d\ude00"`,
    raw`"\uD83D\uDE00\ud83d\ude00"`,
    raw`"\\ud800"`,
    raw`"\\\\udc00"`,
    raw`"\u0041\"\\"`,
  ]) {
    t.equal(loneSurrogate(text), '', text);
  }
  for (const text of [
    raw`"\ud800"`,
    raw`"\uDFFF"`,
    raw`"\ud800\ud800\udc00"`,
    raw`"\ud83d\ude00\ude00"`,
    raw`"\ud800x\udc00"`,
    raw`"\\\ud800"`,
    raw`{"\ud800":1}`,
    raw`"\ud800\u0041"`,
  ]) {
    t.match(loneSurrogate(text), /^\\u[dD][89a-fA-F]/, text);
  }
});
