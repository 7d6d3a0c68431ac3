/** The last stage: who answers is asked. */
import type { RequestContext } from '../request-context.ts';

/** Throws StatusError and MailboxFullError. */
export function serve(request: RequestContext): void {
  const { prepared, body } = request;
  // Its bytes are there for this turn only, and a watch may be open for hours.
  request.prepared = undefined;
  request.body = undefined;
  prepared?.serve(body?.bytes, body?.yaml);
}
