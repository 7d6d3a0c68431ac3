/** Requests of parts of the API that another server answers for go there. */
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

const DOCUMENTS = '/openapi/v3/';

/** Passes the request on, where there is such a server and this one does not stop. */
export function passOn(request: RequestContext, tools: StageTools): void {
  const { remote } = tools.api;
  if (remote === undefined || tools.isFinishing) return;
  const { exchange } = request;
  const { path } = exchange.head;
  const api = remote.at(path);
  if (api === undefined || (path.startsWith(DOCUMENTS) && !exchange.has('OpenAPIV3'))) return;
  request.isTaken = true;
  remote.pass(request, tools, api);
}
