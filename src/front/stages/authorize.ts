/** Whether who asks may (src/auth/rbac/README.md). */
import { TIMED_ONE_IN } from '../../observability/metrics/sampled-times.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { Decision } from '../../auth/authorizer.ts';
import { AUTHORIZED } from '../metrics/authentication-metrics.ts';
import { accessForbidden } from '../../auth/access-forbidden.ts';
import { UnreadableRequest } from '../requests/unreadable-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

const DECISION = `${ownGroup('authorization.cluster.io')}/decision`;
const REASON = `${ownGroup('authorization.cluster.io')}/reason`;

let requestsAsked = 0;

/** Throws StatusError 403 where nobody allows it, and UnreadableRequest where one could not say. */
export function authorize(request: RequestContext, tools: StageTools): void | Promise<void> {
  const isTimed = AUTHORIZED !== undefined && requestsAsked++ % TIMED_ONE_IN === 0;
  const startMs = isTimed ? performance.now() : 0;
  const decision = tools.authorizer.authorize(request.attributes);
  if (decision instanceof Promise) return obeyLater(request, tools, decision);
  const outcome = AUTHORIZED?.[outcomeOf(decision)];
  if (isTimed) outcome?.counted(startMs);
  else outcome?.countedUntimed();
  obey(request, tools, decision);
}

/** Each that is waited for is timed: beside the wait that costs nothing. */
async function obeyLater(
  request: RequestContext,
  tools: StageTools,
  later: Promise<Decision>,
): Promise<void> {
  const startMs = AUTHORIZED === undefined ? 0 : performance.now();
  const decision = await later;
  AUTHORIZED?.[outcomeOf(decision)].counted(startMs);
  obey(request, tools, decision);
}

function outcomeOf({ verdict, error }: Decision): 'error' | Decision['verdict'] {
  return verdict !== 'allow' && error !== undefined ? 'error' : verdict;
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
