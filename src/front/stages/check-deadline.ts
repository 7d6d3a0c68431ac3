/** The time that a client gives its request must be one, whatever is asked for. */
import { checkTimeout } from '../requests/options.ts';
import type { RequestContext } from '../request-context.ts';

/** Throws StatusError 400. */
export function checkDeadline({ exchange }: RequestContext): void {
  const { head, query } = exchange;
  if (head.query !== undefined) checkTimeout(head, query);
}
