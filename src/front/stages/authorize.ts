/** Whether who asks may (src/auth/rbac/README.md). */
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { AccessAttributes, Decision } from '../../auth/authorizer.ts';
import { accessForbidden } from '../access-forbidden.ts';
import { UnreadableRequest } from '../unreadable-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

const DECISION = `${ownGroup('authorization.cluster.io')}/decision`;
const REASON = `${ownGroup('authorization.cluster.io')}/reason`;

/** Throws StatusError 403 where nobody allows it, and UnreadableRequest where one could not say. */
export function authorize(request: RequestContext, tools: StageTools): void | Promise<void> {
  const access = { ...request.attributes, user: request.user };
  const decision = tools.authorizer.authorize(access);
  if (!(decision instanceof Promise)) return obey(request, tools, access, decision);
  return decision.then((later) => obey(request, tools, access, later));
}

function obey(
  { exchange }: RequestContext,
  { api }: StageTools,
  access: AccessAttributes,
  { verdict, reason, error }: Decision,
): void {
  const { audit } = exchange;
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
  throw accessForbidden(access, reason);
}
