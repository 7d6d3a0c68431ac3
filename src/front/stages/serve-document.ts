/**
 * Serves paths that name no resource: health and metrics of the process, and documents about the
 * API.
 */
import { trimEndOf } from '../../base/text/trim-end.ts';
import {
  methodNotAllowed,
  notAcceptable,
  serviceUnavailable,
} from '../../semantics/errors/status.ts';
import { acceptClauses, takesType } from '../requests/accept.ts';
import { Health } from '../documents/health.ts';
import type { RequestContext } from '../request-context.ts';
import { sendError } from '../answers/send-error.ts';
import { versionDocument } from '../documents/version.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError, and refuses all else while the server stops. */
export function serveDocument(request: RequestContext, tools: StageTools): void {
  const { exchange, attributes } = request;
  if (attributes.isResource && !tools.isFinishing) return;
  const path = pathOf(request);
  // All others are at paths that name no resource.
  if (!attributes.isResource && serveWhileFinishing(request, tools, path)) request.isTaken = true;
  else if (tools.isFinishing) {
    // On connections that are still open: clients ask again as soon as their watch has ended.
    exchange.closeAfterwards();
    exchange.sendStatus(serviceUnavailable('the server is shutting down'));
  } else request.isTaken = serveDescription(request, tools, path);
}

/** The tools that answer paths of this server alone. */
const OWN_PATHS = ['gate', 'servers', 'backups', 'recent'] as const;

/** Serves paths that are answered until the server has stopped; returns false for all others. */
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
  else if (path === '/metrics/slis' && tools.sliScrape !== undefined) {
    tools.sliScrape.serve(exchange, true);
  } else if (tools.laboratory?.serve(request, tools, path) === true) return true;
  else if (!OWN_PATHS.some((of) => tools[of]?.serve(exchange, path) === true)) {
    return tools.zPages.serve(exchange, path, () => tools.api.documents.paths);
  }
  return true;
}

/** Serves documents about the API and the process; returns false for all other paths. */
function serveDescription(request: RequestContext, tools: StageTools, path: string): boolean {
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
    throw notAcceptable(['application/json']);
  }
  const text = `${JSON.stringify(versionDocument(origin), undefined, 2)}\n`;
  exchange.sendBytes(200, 'application/json', Buffer.from(text));
}

/** `/apis/` is the same path as `/apis`, but for the few that are compared as they are. */
export function pathOf({ exchange }: RequestContext): string {
  return trimEndOf(exchange.head.path, '/');
}
