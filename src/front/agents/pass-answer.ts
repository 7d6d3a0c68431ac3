/** An agent's answer on its way: head, then its body as fast as the client takes it. */
import type { Readable } from 'node:stream';
import { collectBytes } from '../../base/collect-bytes.ts';
import type { IncomingMessage } from 'node:http';
import { PASSED_WHOLE_BYTES_MAX } from '../limits.ts';
import type { Exchange } from '../exchange.ts';
import type { Header } from '../answers/header-text.ts';
import type { Ending } from '../transport/stream-writer.ts';

/** How the body of an answer is passed on. */
export interface PassedBody {
  /** Makes of it what is sent. */
  readonly page?: (() => Readable) | undefined;
  readonly ending?: Ending;
}

/**
 * Answers with the message. Short bodies go whole, with their length; others in chunks, and what
 * `page` makes of one.
 */
export function passAnswer(
  exchange: Exchange,
  message: IncomingMessage,
  headers: readonly Header[],
  { page, ending }: PassedBody = {},
): void {
  const { statusCode = 0 } = message;
  const length = page === undefined ? message.headers['content-length'] : undefined;
  if (exchange.head.method === 'head' || statusCode === 204 || statusCode === 304) {
    exchange.sendPassed(statusCode, headers, length === undefined ? undefined : Number(length));
    message.destroy();
    return;
  }
  if (length !== undefined && Number(length) <= PASSED_WHOLE_BYTES_MAX) {
    collectBytes(message, PASSED_WHOLE_BYTES_MAX).then(
      (body) => exchange.sendPassed(statusCode, headers, body),
      () => exchange.abort(),
    );
    return;
  }
  exchange.beginPassed(statusCode, headers, ending);
  if (exchange.open) passBody(exchange, page?.() ?? message);
  else message.destroy();
}

/** Streams a body after the head; the agent is paused while the client takes nothing. */
export function passBody(exchange: Exchange, body: Readable): void {
  exchange.onWritable(() => body.resume());
  body.on('data', (chunk: Buffer) => {
    if (!exchange.write(chunk)) body.pause();
  });
  body.on('end', () => exchange.endStream());
  // An answer that the agent has broken off must not look complete to the client.
  body.on('error', () => exchange.abort());
}
