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
  // As in the reference, users of a built-in version are told that it is deprecated after the type
  // of their patch is looked at, those of a custom one before. A Scale has no type of its own.
  const isCustom = route.message === undefined;
  if (isCustom && route.warning !== '') exchange.warn([route.warning]);
  if (route.verb === 'patch') request.patchType = patchTypeOf(head.contentType, isCustom);
  if (!isCustom && route.warning !== '') exchange.warn([route.warning]);
  request.form = formOf(head.accept, route, query);
}

/** Some operations look at `Accept` themselves, and what is passed on has any form. */
function isNegotiated(route: Route): boolean {
  if (route.verb !== 'operation') return true;
  const operation = OPERATIONS.get(route.operation);
  return operation?.passesOn !== true && operation?.isTransformed !== true;
}
