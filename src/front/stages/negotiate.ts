/** In what form the client is answered, and what type a patch has. */
import { OPERATIONS } from '../operations/operations.ts';
import type { RequestContext } from '../request-context.ts';
import { negotiate as formOf, patchTypeOf } from '../requests/negotiate.ts';
import type { Route } from '../requests/route.ts';

const SHOWN_AS_IT_IS = { verb: 'operation', subresource: '' } as const;

/** Throws StatusError 400, 406 and 415. */
export function negotiate(request: RequestContext): void {
  const { route, exchange } = request;
  const { head, query } = exchange;
  if (route === undefined || !isNegotiated(route)) return;
  if (route.verb === 'operation') {
    if (route.warning !== '') exchange.warn([route.warning]);
    request.form = formOf(head.accept, SHOWN_AS_IT_IS, query);
    return;
  }
  // The type of a patch is looked at first, as in the reference; a Scale has none of its own.
  if (route.verb === 'patch') {
    request.patchType = patchTypeOf(head.contentType, route.message === undefined);
  }
  if (route.warning !== '') exchange.warn([route.warning]);
  request.form = formOf(head.accept, route, query);
}

/** Some operations look at `Accept` themselves, and what is passed on has any form. */
function isNegotiated(route: Route): boolean {
  if (route.verb !== 'operation') return true;
  const operation = OPERATIONS.get(route.operation);
  return operation?.passesOn !== true && operation?.isTransformed !== true;
}
