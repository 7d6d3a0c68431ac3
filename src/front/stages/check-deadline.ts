/** The time that a client gives its request must be one, and bounds how long it may take. */
import { isLongRunning } from '../../observability/long-requests.ts';
import { timeoutOf } from '../requests/options.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError 400. */
export function checkDeadline(request: RequestContext, { deadlines }: StageTools): void {
  const { exchange, attributes } = request;
  if (isLongRunning(attributes)) return;
  const { head, query } = exchange;
  deadlines.begin(request, head.query === undefined ? 0 : timeoutOf(query));
}
