/** The last stage: whoever asks may, and what is asked for is found and answered. */
import { trimEndOf } from '../../base/trim-end.ts';
import { acceptClauses, takesType } from '../accept.ts';
import { Health } from '../health.ts';
import { serveOperation } from '../operations/serve-operation.ts';
import { countedAs } from '../metrics/counted-request.ts';
import type { RequestAudit } from '../../audit/request-audit.ts';
import type { RequestContext } from '../request-context.ts';
import { sendError, serve as serveResource } from '../resource-requests.ts';
import { PageNotFound, type Route } from '../route.ts';
import { redirectSession } from '../sessions/redirect-session.ts';
import { versionDocument } from '../version.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import {
  methodNotAllowed,
  notAcceptable,
  resourceNotServed,
  serviceUnavailable,
} from '../../semantics/status.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError, PageNotFound and MailboxFullError. */
export function serve(request: RequestContext, tools: StageTools): void {
  const { exchange, attributes } = request;
  const path = withoutEndSlashes(exchange.head.path);
  // All others are at paths that name no resource.
  if (!attributes.isResource && serveWhileFinishing(request, tools, path)) return;
  // On connections that are still open: clients ask again as soon as their watch has ended.
  if (tools.isFinishing) {
    exchange.closeAfterwards();
    exchange.sendStatus(serviceUnavailable('the server is shutting down'));
    return;
  }
  if (!attributes.isResource && serveDocument(request, tools, path)) return;
  if (path.startsWith('/version/')) throw resourceNotServed();
  if (!path.startsWith('/api/') && !path.startsWith('/apis/')) throw new PageNotFound(path);
  serveRoute(request, tools, path);
}

/** What is served until the server has stopped; false where the path is none of that. */
function serveWhileFinishing(request: RequestContext, tools: StageTools, path: string): boolean {
  const { exchange } = request;
  const health = Health.parse(exchange.head.path);
  if (health !== undefined) {
    request.countAs(tools.requests.ofPath(`/${health.path}`));
    tools.health
      .serve(exchange, health.path, health.check)
      .catch((error: unknown) => sendError(exchange, error));
    return true;
  }
  if (path === '/version') serveVersion(request, tools);
  // Who may see what is below it alone may not see it.
  else if (exchange.head.path === '/metrics') tools.scrape.serve(exchange);
  else return false;
  return true;
}

/** What describes the API and the process; false where the path is none of that. */
function serveDocument(request: RequestContext, tools: StageTools, path: string): boolean {
  const { exchange } = request;
  if (tools.api.documents.serve(exchange, path)) return true;
  if (!tools.profiles.has(exchange.head.path)) return false;
  tools.profiles.serve(exchange, (end) => tools.whenStopped(request, end));
  return true;
}

function serveVersion({ exchange }: RequestContext, { origin }: StageTools): void {
  const { method, accept } = exchange.head;
  if (method !== 'get') throw methodNotAllowed();
  if (!acceptClauses(accept).some(({ type }) => takesType(type, 'application/json'))) {
    throw notAcceptable();
  }
  const text = `${JSON.stringify(versionDocument(origin), undefined, 2)}\n`;
  exchange.sendBytes(200, 'application/json', Buffer.from(text));
}

function serveRoute(request: RequestContext, tools: StageTools, path: string): void {
  const { exchange, user, arrival } = request;
  const route = tools.api.router.resolve(exchange.head.method, path, exchange.query.flag('watch'));
  request.countAs(countedAs(route, exchange));
  if (exchange.audit !== undefined) auditVersion(exchange.audit, route);
  if (route.verb === 'operation') {
    const { openSessionPort } = exchange.switches;
    const passing = {
      whenStopped: (end: () => void) => tools.whenStopped(request, end),
      redirectSession: () => redirectSession(exchange, openSessionPort),
    };
    serveOperation(tools, { route, exchange, user, ...passing }, arrival, (then) =>
      tools.readBody(request, then),
    );
    return;
  }
  const shard = tools.shards.get(route.shard);
  if (shard === undefined) throw new PageNotFound(path);
  serveResource(shard, route, exchange, user, (then) => tools.readBody(request, then));
}

const DEPRECATED = ownName('cluster.io/deprecated');
const REMOVED_RELEASE = ownName('cluster.io/removed-release');

/** Who asks for a version that is to go is told of in the audit log. */
function auditVersion(audit: RequestAudit, route: Route): void {
  const { removedIn } = route.metrics.type;
  if (removedIn === undefined) return;
  audit.annotate(DEPRECATED, 'true');
  if (removedIn !== '') audit.annotate(REMOVED_RELEASE, removedIn);
}

/** `/apis/` is the same path as `/apis`, but for the few that are compared as they are. */
function withoutEndSlashes(path: string): string {
  return trimEndOf(path, '/');
}
