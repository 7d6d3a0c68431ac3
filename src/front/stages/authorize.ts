/** Whether who asks may (src/auth/rbac/README.md). */
import type { Decision } from '../../auth/authorizer.ts';
import { accessForbidden } from '../access-forbidden.ts';
import { UnreadableRequest } from '../unreadable-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError 403 where nobody allows it, and UnreadableRequest where one could not say. */
export function authorize(
  request: RequestContext,
  { authorizer, api }: StageTools,
): void | Promise<void> {
  const { user, attributes, exchange } = request;
  const obey = ({ verdict, reason, error }: Decision): void => {
    if (verdict === 'allow') return;
    if (error !== undefined) throw new UnreadableRequest(error);
    if (api.documents.serveStranger(exchange)) return;
    exchange.setHeader('X-Content-Type-Options', 'nosniff');
    throw accessForbidden({ ...attributes, user }, reason);
  };
  const decision = authorizer.authorize({ ...attributes, user });
  return decision instanceof Promise ? decision.then(obey) : obey(decision);
}
