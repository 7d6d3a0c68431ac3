/** Sends documents that are made when they are asked for, and known by a hash. */
import { notAcceptable } from '../../semantics/errors/status.ts';
import { acceptsGzip } from '../answers/compression.ts';
import { unzipped } from '../answers/gzip.ts';
import { sendError } from '../answers/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { PackedDocument } from '../openapi/document-pack.ts';
import { acceptClauses, takesType } from '../requests/accept.ts';

export const JSON_TYPE = 'application/json';
export const NO_BYTES = new Uint8Array(0);
export const ZIPPED = { 'Content-Encoding': 'gzip' };
/** A document whose address has its hash never changes. */
const FOR_EVER = { 'Cache-Control': 'public, immutable, max-age=31536000' };

type Headers = Readonly<Record<string, string>>;

/** Sends the document once it is made; a failure of either is answered. */
export function whenMade<T>(
  exchange: Exchange,
  made: Promise<T>,
  send: (document: T) => void,
): void {
  made.then(send).catch((error: unknown) => sendError(exchange, error));
}

/**
 * Sends a document of OpenAPI 3. With the hash of another time in its address, the client is sent
 * to that of today. Throws StatusError 406.
 */
export function sendHashed(exchange: Exchange, path: string, document: PackedDocument): void {
  const hash = exchange.query.text('hash');
  if (hash !== '' && hash !== document.hash) {
    const Location = `${path}?hash=${document.hash}`;
    exchange.sendBytes(301, 'text/plain; charset=utf-8', NO_BYTES, { Location });
  } else if (takesJson(exchange)) {
    sendPacked(exchange, document, JSON_TYPE, hash === '' ? {} : FOR_EVER);
  } else {
    throw notAcceptable([JSON_TYPE]);
  }
}

export function takesJson({ head }: Exchange): boolean {
  return acceptClauses(head.accept).some(({ type }) => takesType(type, JSON_TYPE));
}

export function headersOf({
  hash,
}: {
  readonly hash: string;
}): { readonly ETag: string } & Headers {
  return { Vary: 'Accept, Accept-Encoding', ETag: `"${hash}"` };
}

export function hasAlready({ head }: Exchange, etag: string): boolean {
  return head.ifNoneMatch.split(',').some((tag) => tag.trim() === etag);
}

/** It is kept as most clients take it. */
export function sendPacked(
  exchange: Exchange,
  document: PackedDocument,
  type: string,
  more: Headers = {},
): void {
  const headers = { ...headersOf(document), ...more };
  if (hasAlready(exchange, headers.ETag)) {
    exchange.sendBytes(304, type, NO_BYTES, headers);
  } else if (acceptsGzip(exchange.head.acceptEncoding)) {
    exchange.sendBytes(200, type, document.zipped, { ...headers, ...ZIPPED });
  } else {
    whenMade(exchange, unzipped(document.zipped), (bytes) =>
      exchange.sendBytes(200, type, bytes, headers),
    );
  }
}
