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
  readonly authorization: string;
  readonly contentType: string;
  readonly contentLength: string;
  readonly userAgent: string;
  readonly auditId: string;
}

export function copyHead(request: HttpRequest): RequestHead {
  return {
    method: request.getMethod(),
    path: request.getUrl(),
    query: request.getQuery() as string | undefined,
    accept: request.getHeader('accept'),
    authorization: request.getHeader('authorization'),
    contentType: request.getHeader('content-type'),
    contentLength: request.getHeader('content-length'),
    userAgent: request.getHeader('user-agent'),
    auditId: request.getHeader('audit-id'),
  };
}

export type BodyCallback = (body: Uint8Array | undefined) => void;

/** Collects the body; calls back once with all of it, or undefined when it is over `bytesMax`. */
export function readBody(response: HttpResponse, bytesMax: number, then: BodyCallback): void {
  let collected: Buffer | undefined;
  let done = false;
  response.onData((chunk, isLast) => {
    if (done) return;
    const length = (collected?.length ?? 0) + chunk.byteLength;
    if (length > bytesMax) {
      done = true;
      collected = undefined;
      then(undefined);
      return;
    }
    const part = Buffer.from(chunk);
    if (isLast) {
      done = true;
      // A single chunk is copied into the frame for the shard within this call.
      then(collected === undefined ? part : Buffer.concat([collected, part]));
    } else {
      collected = collected === undefined ? Buffer.from(part) : Buffer.concat([collected, part]);
    }
  });
}
