/** All is checked that can be without the body. */
import { assert } from '../../base/assert.ts';
import { prepareOperation } from '../operations/prepare-operation.ts';
import type { RequestContext } from '../request-context.ts';
import { prepareResource } from '../resource-requests.ts';
import { PageNotFound } from '../requests/route.ts';
import { redirectSession } from '../sessions/redirect-session.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError, and PageNotFound for a type that has gone. */
export function prepare(request: RequestContext, tools: StageTools): void {
  const { route, exchange, user, arrival } = request;
  assert(route !== undefined, 'a request is prepared that leads nowhere');
  if (route.verb === 'operation') {
    const { openSessionPort } = exchange.switches;
    const passing = {
      whenStopped: (end: () => void) => tools.whenStopped(request, end),
      redirectSession: () => redirectSession(exchange, openSessionPort),
    };
    request.prepared = prepareOperation(
      tools,
      { route, context: request, exchange, user, ...passing },
      arrival,
    );
    return;
  }
  const shard = tools.shards.get(route.shard);
  if (shard === undefined) throw new PageNotFound(exchange.head.path);
  request.prepared = prepareResource({ shard, route, context: request });
}
