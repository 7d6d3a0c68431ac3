/** Acting as somebody else, for who has the right to (../README.md#impersonation). */
import { whenKnown } from '../../base/turns/when-known.ts';
import { accessForbidden } from '../../auth/access-forbidden.ts';
import { impersonationIn } from '../requests/impersonation.ts';
import type { Impersonated, Impersonation } from '../requests/impersonation.ts';
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

/**
 * Throws StatusError 403 where somebody is asked for whom the user may not act as, and
 * UnreadableRequest.
 */
export function impersonate(request: RequestContext, tools: StageTools): void | Promise<void> {
  const { head } = request.exchange;
  if (head.impersonation === undefined) return;
  const found = impersonationIn(head.impersonation, head.isExact);
  if (found !== undefined) return actAs(request, tools, found, 0);
}

/** Asks for each right in turn, from the one at `index` on. */
function actAs(
  request: RequestContext,
  tools: StageTools,
  impersonation: Impersonation,
  index: number,
): void | Promise<void> {
  const asked = impersonation.asked[index];
  if (asked === undefined) {
    request.impersonator = request.user;
    request.user = impersonation.user;
    request.audit?.actsAs(impersonation.user);
    return;
  }
  const attributes = { ...accessTo(asked), user: request.user };
  return whenKnown(tools.authorizer.authorize(attributes), ({ verdict, reason }) => {
    if (verdict !== 'allow') {
      request.exchange.setHeader('X-Content-Type-Options', 'nosniff');
      throw accessForbidden(attributes, reason);
    }
    return actAs(request, tools, impersonation, index + 1);
  });
}

function accessTo(asked: Impersonated) {
  return { ...asked, verb: 'impersonate', isResource: true, path: '' };
}
