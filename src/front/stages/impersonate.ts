/** Acting as somebody else, for who has the right to (../README.md#impersonation). */
import { whenKnown } from '../../base/turns/when-known.ts';
import { accessForbidden } from '../../auth/access-forbidden.ts';
import type { User } from '../../semantics/user.ts';
import { wantedUser } from '../requests/constrained-impersonation.ts';
import type { ConstrainedImpersonation } from '../requests/constrained-impersonation.ts';
import { checkNobody, impersonationIn, NamedUser } from '../requests/impersonation.ts';
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
  if (tools.constrained !== undefined) return actByConstraint(request, tools, tools.constrained);
  const found = impersonationIn(head.impersonation, head.isExact);
  if (found !== undefined) return actAs(request, tools, found, 0);
}

/** The feature `ConstrainedImpersonation` (../README.md#constrained-impersonation). */
function actByConstraint(
  request: RequestContext,
  { authorizer }: StageTools,
  constrained: ConstrainedImpersonation,
): void | Promise<void> {
  const { head } = request.exchange;
  const named = new NamedUser(head.impersonation ?? []);
  let wanted: User | undefined;
  try {
    wanted = wantedUser(named) ?? checkNobody(named, head.isExact);
  } catch (error) {
    request.exchange.setHeader('X-Content-Type-Options', 'nosniff');
    throw error;
  }
  if (wanted === undefined) return;
  return constrained.find(wanted, { ...request.attributes }, authorizer).then(
    ({ user, constraint }) => {
      request.impersonator = request.user;
      request.user = user;
      request.audit?.actsAs(user, constraint);
    },
    (error: unknown) => {
      request.exchange.setHeader('X-Content-Type-Options', 'nosniff');
      throw error;
    },
  );
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
