/**
 * A page of HTML on its way from an agent, with its links as the client reaches them. It goes on as
 * it comes, piece by piece: nothing is held but a link that has begun, whether the page is packed
 * or not, and a piece is only taken when what became of the one before it was.
 */
import type { IncomingMessage } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import type { Readable, TransformCallback } from 'node:stream';
import {
  createDeflate,
  createDeflateRaw,
  createGunzip,
  createGzip,
  createInflate,
  createInflateRaw,
} from 'node:zlib';
import { GZIP_LEVEL } from '../answers/compression.ts';
import { PACKED_PIECE_BYTES, PAGE_PIECE_BYTES } from '../limits.ts';
import { ZlibInTurns } from '../answers/zlib-turns.ts';
import type { ZlibWork } from '../answers/zlib-turns.ts';
import { HtmlLinks } from './html-links.ts';
import { clientLink } from './proxied-links.ts';
import type { BehindProxy } from './proxied-links.ts';

const HTML = /^\s*text\/html\s*(?:;|$)/i;
/** A part of a page says by its bytes which one it is: it stays as it is. */
const PARTIAL_CONTENT = 206;

interface Packing {
  readonly unpack: ZlibWork['make'];
  readonly pack: ZlibWork['make'];
}

const PLAIN = 'plain';
/** The ways in which a page is packed, by its `Content-Encoding`. */
const PACKINGS: Readonly<Record<string, () => Packing | typeof PLAIN>> = {
  '': () => PLAIN,
  gzip: () => ({ unpack: () => createGunzip(), pack: () => createGzip({ level: GZIP_LEVEL }) }),
  deflate: deflatePacking,
};

/** With or without the head of zlib, as servers send it: the first byte tells. */
function deflatePacking(): Packing {
  let isBare = false;
  return {
    unpack: ([first = 0]) => {
      isBare = (first & 0xf) !== 8;
      return isBare ? createInflateRaw() : createInflate();
    },
    pack: () => (isBare ? createDeflateRaw : createDeflate)({ level: GZIP_LEVEL }),
  };
}

/**
 * The page as it is passed on; undefined where the answer is none, or one whose links stay as they
 * are. The stream ends with an error where the agent breaks the page off.
 */
export function clientPage(
  message: IncomingMessage,
  proxy: BehindProxy,
): (() => Readable) | undefined {
  const { statusCode, headers } = message;
  const { 'content-type': type = '', 'content-encoding': encoding = '', location } = headers;
  if (!HTML.test(type) || location !== undefined || statusCode === PARTIAL_CONTENT)
    return undefined;
  const name = encoding.trim().toLowerCase();
  const packing = Object.hasOwn(PACKINGS, name) ? PACKINGS[name]?.() : undefined;
  return packing && (() => rewritten(message, packing, new PageLinks(proxy)));
}

function rewritten(
  message: IncomingMessage,
  packing: Packing | typeof PLAIN,
  links: PageLinks,
): Readable {
  // Whoever reads the last stream is told of errors.
  const ended = (): void => undefined;
  if (packing === PLAIN) return pipeline(message, inPieces(PAGE_PIECE_BYTES), links, ended);
  return pipeline(
    message,
    inPieces(PACKED_PIECE_BYTES),
    new ZlibInTurns({ make: packing.unpack, flushes: false }),
    inPieces(PAGE_PIECE_BYTES),
    links,
    new ZlibInTurns({ make: packing.pack, flushes: true }),
    ended,
  );
}

function inPieces(bytesMax: number): (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer> {
  return async function* pieces(chunks) {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += bytesMax) yield chunk.subarray(at, at + bytesMax);
    }
  };
}

/** In what is written of a path these would end an attribute. */
const OF_HTML = /['&]/g;

class PageLinks extends Transform {
  readonly #links: HtmlLinks;

  constructor({ prefix, hosts }: BehindProxy) {
    super();
    const escaped = prefix.replace(OF_HTML, (one) => `%${one.charCodeAt(0).toString(16)}`);
    this.#links = new HtmlLinks((value) => clientLink(value, { prefix: escaped, hosts }));
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, then: TransformCallback): void {
    const text = piece.toString('latin1');
    const known = this.#links.push(text);
    then(null, known === text ? piece : Buffer.from(known, 'latin1'));
  }

  override _flush(then: TransformCallback): void {
    then(null, Buffer.from(this.#links.end(), 'latin1'));
  }
}
