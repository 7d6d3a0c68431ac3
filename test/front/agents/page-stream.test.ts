/**
 * Pages that are passed on: which they are, packed or not, as they come, and no more than is read.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  createGunzip,
  createGzip,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import t from 'tap';
import { clientPage } from '../../../src/front/agents/page-stream.ts';

const PROXY = { prefix: "/a/b's/proxy", hosts: ['10.0.0.1:80', 'server'] };
const PAGE =
  '<p>é</p><a href="/x">1</a><a href="http://10.0.0.1:80/y?a&amp;b">2</a><a href="z">3</a>';
const PASSED = PAGE.replace('"/x', '"/a/b%27s/proxy/x').replace(
  'http://10.0.0.1:80/y',
  '/a/b%27s/proxy/y',
);
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Makes an answer of an agent. */
function answer(
  body: Readable,
  headers: IncomingHttpHeaders = HTML,
  statusCode = 200,
): IncomingMessage {
  return Object.assign(body, { headers, statusCode }) as unknown as IncomingMessage;
}

function pageOf(body: Readable, headers: IncomingHttpHeaders = HTML): Readable {
  const page = clientPage(answer(body, headers), PROXY)?.();
  if (page === undefined) throw new Error('it is no page');
  return page;
}

t.test('which answers are pages', async (t) => {
  const rows: [IncomingHttpHeaders, boolean, number?][] = [
    [{}, false],
    [{ 'content-type': 'text/plain' }, false],
    [{ 'content-type': 'text/html' }, true],
    [{ 'content-type': ' Text/HTML ;charset=x' }, true],
    [{ 'content-type': 'text/htmlx' }, false],
    [{ 'content-type': 'application/xhtml+xml' }, false],
    [HTML, true, 404],
    [HTML, false, 206],
    [{ ...HTML, location: '/x' }, false, 302],
    [{ ...HTML, 'content-encoding': 'gzip' }, true],
    [{ ...HTML, 'content-encoding': ' Deflate' }, true],
    [{ ...HTML, 'content-encoding': 'br' }, false],
    [{ ...HTML, 'content-encoding': 'gzip, gzip' }, false],
    [{ ...HTML, 'content-encoding': '__proto__' }, false],
  ];
  for (const [headers, isPage, code] of rows) {
    const found = clientPage(answer(Readable.from([]), headers, code), PROXY);
    t.equal(found !== undefined, isPage, JSON.stringify([headers, code]));
  }
});

t.test('links of pages in any packing, in any pieces', async (t) => {
  const long = PAGE.repeat(2_000);
  const packings = {
    '': [Buffer.from, Buffer.from],
    gzip: [gzipSync, gunzipSync],
    deflate: [deflateSync, inflateSync],
    Deflate: [deflateRawSync, inflateRawSync],
  } as const;
  for (const [encoding, [pack, unpack]] of Object.entries(packings)) {
    for (const [text, step] of [
      [PAGE, 1],
      [PAGE, 7],
      [long, 1_000],
      [long, 1_000_000],
    ] as const) {
      const packed = pack(Buffer.from(text));
      const pieces = [];
      for (let at = 0; at < packed.length; at += step) pieces.push(packed.subarray(at, at + step));
      const headers = { ...HTML, ...(encoding !== '' && { 'content-encoding': encoding }) };
      const passed = await buffer(pageOf(Readable.from(pieces), headers));
      const expected = text === PAGE ? PASSED : PASSED.repeat(2_000);
      t.ok(unpack(passed).toString() === expected, `${encoding} ${text.length} by ${step}`);
    }
    const nothing = pageOf(Readable.from([]), { ...HTML, 'content-encoding': encoding });
    t.equal((await buffer(nothing)).length, 0, 'of nothing there is nothing');
  }
});

t.test('what has been said goes on before more is', async (t) => {
  for (const isPacked of [false, true]) {
    const said = new PassThrough();
    const sent = isPacked ? createGzip() : new PassThrough();
    if (isPacked) sent.pipe(said);
    const headers = { ...HTML, ...(isPacked && { 'content-encoding': 'gzip' }) };
    const page = pageOf(isPacked ? said : sent, headers);
    const seen = isPacked ? page.pipe(createGunzip()) : page;
    for (const number of [1, 2, 3]) {
      sent.write(`<a href="/${number}">`);
      if ('flush' in sent) sent.flush();
      const [piece] = (await once(seen, 'data')) as [Buffer];
      t.equal(piece.toString(), `<a href="/a/b%27s/proxy/${number}">`);
    }
    sent.end();
    await once(seen, 'end');
  }
});

t.test('what is broken off, or not what it says, is no whole page', async (t) => {
  const gzip = { ...HTML, 'content-encoding': 'gzip' };
  const packed = gzipSync(PAGE);
  await t.rejects(
    buffer(pageOf(Readable.from([Buffer.from(PAGE)]), gzip)),
    /incorrect header check/,
  );
  await t.rejects(buffer(pageOf(Readable.from([packed.subarray(0, 30)]), gzip)), /unexpected end/);
  const broken = new PassThrough();
  const page = pageOf(broken);
  broken.write('<a href="/x">');
  await once(page, 'data');
  broken.destroy(new Error('broken off'));
  const [error] = (await once(page, 'error')) as [Error];
  t.equal(error.message, 'broken off');
});

t.test('no more is taken than somebody reads, however much it becomes', async (t) => {
  const zeros = gzipSync(Buffer.alloc(50_000_000));
  const links = Buffer.from('<a href=/>'.repeat(10_000));
  for (const [body, headers] of [
    [zeros, { ...HTML, 'content-encoding': 'gzip' }],
    [links, HTML],
  ] as const) {
    let taken = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        for (let at = 0; at < body.length; at += 4_096) {
          const piece = body.subarray(at, at + 4_096);
          taken += piece.length;
          yield piece;
        }
      }
    }
    const page = pageOf(Readable.from(endless(), { highWaterMark: 1 }), headers);
    await once(page, 'readable');
    let before = -1;
    // It stops by itself.
    while (before < taken) {
      before = taken;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    t.ok(taken < 500_000, `${taken} taken`);
    t.ok(page.readableLength < 4_000_000, `${page.readableLength} waiting`);
    page.destroy();
  }
});
