/** From a route to its operation, and what it fails with to the client. */
import { assert } from '../../base/assert.ts';
import { passedRequest } from '../agents/passed-request.ts';
import { refuseOversize } from '../http.ts';
import type { Arrival } from '../http.ts';
import { bodyFormat } from '../requests/negotiate.ts';
import type { PreparedRequest } from '../requests/prepared-request.ts';
import { checkedBody } from '../resource-requests.ts';
import { OPERATION_BODY_BYTES_MAX } from '../limits.ts';
import { badRequest, requestEntityTooLarge } from '../../semantics/errors/status.ts';
import type { OperationContext, OperationRequest, PassingRequest } from '../operation.ts';
import { OPERATIONS } from './operations.ts';

type Given = Pick<OperationRequest, 'route' | 'context' | 'exchange' | 'user'>;

/** Within the turn of the request. Throws StatusError 400, 413 or 415. */
export function prepareOperation(
  context: OperationContext,
  request: Given & Pick<PassingRequest, 'whenStopped' | 'redirectSession'>,
  arrival: Arrival,
): PreparedRequest {
  const { route, exchange } = request;
  const operation = OPERATIONS.get(route.operation);
  assert(operation !== undefined, 'a route to an operation that is not there');
  // A connection does something that cannot be tried out.
  const connects = operation.describedAs?.action === 'connect';
  if (connects && exchange.query.has('dryRun')) throw badRequest('dryRun is not supported');
  const { shards, authenticator, authorizer, admission, tokens } = context;
  const { codecs, bodyTurns, checkStorage, nowMs, saysWhoAsks } = context;
  const who = { authenticator, authorizer, admission, tokens, saysWhoAsks };
  const given = { ...request, shards, ...who, codecs, bodyTurns, checkStorage, nowMs };
  const fail = (error: unknown): void => request.context.fail(error);
  if (operation.passesOn === true) {
    const passing = { ...given, ...passedRequest(given, arrival) };
    return { readsBody: false, serve: () => void operation.serve(passing).catch(fail) };
  }
  if (route.method === 'post') bodyFormat(exchange.head.contentType);
  refuseOversize(exchange.head, OPERATION_BODY_BYTES_MAX);
  const serve: PreparedRequest['serve'] = (body, yaml) => {
    const bytes = checkedBody(body, 'json');
    // Aliases make little YAML to much JSON.
    if (Math.max(bytes.length, yaml?.json.length ?? 0) > OPERATION_BODY_BYTES_MAX) {
      throw requestEntityTooLarge(OPERATION_BODY_BYTES_MAX);
    }
    // The bytes are the library's, for this turn only.
    operation.serve({ ...given, body: bytes.slice(), yaml }).catch(fail);
  };
  return { readsBody: true, serve };
}
