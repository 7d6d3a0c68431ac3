/** Requests of parts of the API that another server answers for go there. */
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

/** Passes the request on, where there is such a server and this one does not stop. */
export function passOn(request: RequestContext, tools: StageTools): void {
  const { remote } = tools.api;
  if (remote === undefined || tools.isFinishing) return;
  const api = remote.at(request.exchange.head.path);
  if (api === undefined) return;
  request.isTaken = true;
  remote.pass(request, tools, api);
}
