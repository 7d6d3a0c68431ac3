/** From a route to its operation, and what it fails with to the client. */
import type { BodyCallback } from '../http.ts';
import { negotiate } from '../negotiate.ts';
import { checkedBody, sendError } from '../resource-requests.ts';
import { methodNotAllowed, resourceNotServed } from '../../semantics/status.ts';
import type { OperationContext, OperationRequest } from './operation.ts';
import { OPERATIONS } from './operations.ts';

const SHOWN_AS_IT_IS = { verb: 'operation', message: '', subresource: '' } as const;

/** `readBody` must be called within the turn of the request. Throws StatusError 404, 405, 406. */
export function serveOperation(
  context: OperationContext,
  request: Pick<OperationRequest, 'route' | 'exchange' | 'user'>,
  readBody: (then: BodyCallback) => void,
): void {
  const { route, exchange } = request;
  const operation = OPERATIONS.get(route.operation);
  if (operation === undefined) throw resourceNotServed();
  if (!operation.methods.includes(route.method)) throw methodNotAllowed();
  if (operation.passesOn !== true && operation.isTransformed !== true) {
    const { head, dialect, query } = exchange;
    exchange.form = negotiate(head.accept, dialect, SHOWN_AS_IT_IS, query);
  }
  const { shards, authenticator, tokens, codecs, checkStorage, nowMs } = context;
  const given = { ...request, shards, authenticator, tokens, codecs, checkStorage, nowMs };
  readBody((body) => {
    // What is thrown at once is answered like what is thrown later.
    const serve = async (): Promise<void> =>
      // The bytes are the library's, for this turn only.
      operation.serve({ ...given, body: checkedBody(body, 'json').slice() });
    serve().catch((error: unknown) => sendError(exchange, error));
  });
}
