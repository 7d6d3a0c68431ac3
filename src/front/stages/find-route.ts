/** Where a request leads, and as what it is counted. */
import type { RequestAudit } from '../../audit/request-audit.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { methodNotAllowed, resourceNotServed } from '../../semantics/errors/status.ts';
import { countedAs } from '../requests/counted-request.ts';
import type { RequestContext } from '../request-context.ts';
import { PageNotFound, type OperationRoute, type Route } from '../requests/route.ts';
import { pathOf } from './serve-document.ts';
import type { StageTools } from './stage.ts';

const DEPRECATED = ownName('cluster.io/deprecated');
const REMOVED_RELEASE = ownName('cluster.io/removed-release');

/** Throws StatusError 404 and 405, and PageNotFound. */
export function findRoute(request: RequestContext, { api }: StageTools): void {
  const { exchange } = request;
  const path = pathOf(request);
  if (path.startsWith('/version/')) throw resourceNotServed();
  if (!path.startsWith('/api/') && !path.startsWith('/apis/')) throw new PageNotFound(path);
  const route = api.router.resolve(exchange.head.method, path, exchange.query.flag('watch'));
  request.route = route;
  request.countAs(countedAs(route, exchange));
  if (request.audit !== undefined) auditVersion(request.audit, route);
  if (route.verb === 'operation') checkOperation(route);
}

function checkOperation({ operation, method }: OperationRoute): void {
  const served = OPERATIONS.get(operation);
  if (served === undefined) throw resourceNotServed();
  if (!served.methods.some((one) => one === method)) throw methodNotAllowed();
}

/** Who asks for a version that is to go is told of in the audit log. */
function auditVersion(audit: RequestAudit, route: Route): void {
  const { removedIn } = route.metrics.type;
  if (removedIn === undefined) return;
  audit.annotate(DEPRECATED, 'true');
  if (removedIn !== '') audit.annotate(REMOVED_RELEASE, removedIn);
}
