/** A request for objects as the stages before it leave it, prepared. */
import type { Exchange } from '../../src/front/exchange.ts';
import type { Arrival } from '../../src/front/http.ts';
import { RequestContext } from '../../src/front/request-context.ts';
import { requestAttributes } from '../../src/front/requests/request-attributes.ts';
import type { PreparedRequest } from '../../src/front/requests/prepared-request.ts';
import type { ResourceRoute } from '../../src/front/requests/route.ts';
import { prepareResource } from '../../src/front/resource-requests.ts';
import type { ShardClient } from '../../src/front/resource-requests.ts';
import { negotiate } from '../../src/front/stages/negotiate.ts';
import type { User } from '../../src/semantics/user.ts';

/** Makes the context of a user who asks for what the route says. */
export function contextOf(exchange: Exchange, route: ResourceRoute, user: User): RequestContext {
  const attributes = requestAttributes(exchange.head, exchange.query);
  const context = new RequestContext(exchange, attributes, {} as Arrival);
  context.user = user;
  context.route = route;
  return context;
}

/** Throws StatusError. */
export function prepared(shard: ShardClient, context: RequestContext): PreparedRequest {
  const route = context.route as ResourceRoute;
  negotiate(context);
  return prepareResource({ shard, route, context });
}
