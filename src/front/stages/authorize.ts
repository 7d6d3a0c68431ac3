/** Whether who asks may (src/auth/rbac/README.md). */
import { whenKnown } from '../../base/turns/when-known.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { Decision } from '../../auth/authorizer.ts';
import { accessForbidden } from '../requests/access-forbidden.ts';
import { UnreadableRequest } from '../requests/unreadable-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

const DECISION = `${ownGroup('authorization.cluster.io')}/decision`;
const REASON = `${ownGroup('authorization.cluster.io')}/reason`;

/** Throws StatusError 403 where nobody allows it, and UnreadableRequest where one could not say. */
export function authorize(request: RequestContext, tools: StageTools): void | Promise<void> {
  return whenKnown(tools.authorizer.authorize(request.attributes), (decision) =>
    obey(request, tools, decision),
  );
}

function obey(
  { audit, exchange, attributes }: RequestContext,
  { api }: StageTools,
  { verdict, reason, error }: Decision,
): void {
  if (verdict === 'allow') {
    audit?.annotate(DECISION, 'allow');
    audit?.annotate(REASON, reason);
    return;
  }
  if (error !== undefined) {
    audit?.annotate(REASON, 'internal error');
    throw new UnreadableRequest(error);
  }
  audit?.annotate(DECISION, 'forbid');
  audit?.annotate(REASON, reason);
  if (api.documents.serveStranger(exchange)) return;
  exchange.setHeader('X-Content-Type-Options', 'nosniff');
  throw accessForbidden(attributes, reason);
}
