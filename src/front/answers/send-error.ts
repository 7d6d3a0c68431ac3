/** Answers with what was thrown. */
import { LinkClosedError, MailboxFullError } from '../../actors/link.ts';
import { resourceNotServed, StatusError } from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';

const OVERLOAD_TEXT = 'Too many requests, please try again later.\n';

/** A Status, the overload text, or 500. */
export function sendError(exchange: Exchange, error: unknown): void {
  if (error instanceof MailboxFullError) sendOverload(exchange, 1);
  // Its type has gone while it was under way.
  else if (error instanceof LinkClosedError) exchange.sendStatus(resourceNotServed());
  else if (error instanceof StatusError) exchange.sendStatus(error);
  else exchange.fail(error as Error);
}

/** There are too many requests; after so many seconds the client may ask again. */
export function sendOverload(exchange: Exchange, retryAfterSeconds: number): void {
  exchange.sendText(429, OVERLOAD_TEXT, retryAfterSeconds);
}
