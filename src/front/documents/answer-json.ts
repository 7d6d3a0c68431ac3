/** Answers with what this server tells of itself. */
import { sendError } from '../answers/send-error.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Sends the document, or its text in JSON, in a line once it is there; or what it was rejected
 * with.
 */
export function answerJson(exchange: Exchange, work: Promise<object | string>, code = 200): void {
  work.then(
    (document) => {
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      exchange.sendBytes(code, 'application/json', Buffer.from(`${text}\n`));
    },
    (error: unknown) => sendError(exchange, error),
  );
}
