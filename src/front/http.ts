/**
 * The edge to uWebSockets.js. Its request objects die when the handler returns and its body
 * chunks when their callback does, so everything is copied here, once, at once.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';

/** What a handler needs of a request, copied. */
export interface RequestHead {
  /** Lower case. */
  readonly method: string;
  readonly path: string;
  /** Without the `?`; undefined when there is none. */
  readonly query: string | undefined;
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly contentLength: string;
  readonly userAgent: string;
  readonly auditId: string;
  /** Says `Upgrade` when the client wants another protocol from here on. */
  readonly connection: string;
}

export function copyHead(request: HttpRequest): RequestHead {
  return {
    method: request.getMethod(),
    path: request.getUrl(),
    query: request.getQuery() as string | undefined,
    accept: request.getHeader('accept'),
    acceptEncoding: request.getHeader('accept-encoding'),
    ifNoneMatch: request.getHeader('if-none-match'),
    authorization: request.getHeader('authorization'),
    contentType: request.getHeader('content-type'),
    contentLength: request.getHeader('content-length'),
    userAgent: request.getHeader('user-agent'),
    auditId: request.getHeader('audit-id'),
    connection: request.getHeader('connection'),
  };
}

const NO_BYTES = new Uint8Array(0);

/** The same bytes in a buffer with room for more; it doubles, since chunks may be tiny. */
function withRoom(bytes: Uint8Array, length: number, more: number): Uint8Array {
  if (length + more <= bytes.length) return bytes;
  const grown = new Uint8Array(Math.max(length + more, bytes.length * 2));
  grown.set(bytes.subarray(0, length));
  return grown;
}

export type BodyCallback = (body: Uint8Array | undefined) => void;

/** Collects the body; calls back once with all of it, or undefined when it is over `bytesMax`. */
export function readBody(response: HttpResponse, bytesMax: number, then: BodyCallback): void {
  let collected: Uint8Array = NO_BYTES;
  let length = 0;
  let done = false;
  response.onData((chunk, isLast) => {
    if (done) return;
    if (length + chunk.byteLength > bytesMax) {
      done = true;
      collected = NO_BYTES;
      then(undefined);
      return;
    }
    // A single chunk is copied into the frame for the shard within this call.
    if (isLast && length === 0) {
      done = true;
      then(new Uint8Array(chunk));
      return;
    }
    collected = withRoom(collected, length, chunk.byteLength);
    collected.set(new Uint8Array(chunk), length);
    length += chunk.byteLength;
    if (isLast) {
      done = true;
      then(collected.subarray(0, length));
    }
  });
}
