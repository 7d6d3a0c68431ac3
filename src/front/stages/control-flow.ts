/** Whether the request is served now, later, or not at all (../flows/README.md). */
import { countedAs } from '../requests/counted-request.ts';
import { sendOverload } from '../answers/send-error.ts';
import type { RequestContext } from '../request-context.ts';
import { pathOf } from './serve-document.ts';
import type { StageTools } from './stage.ts';

/** Answers with 429 where there is no place for it. */
export function controlFlow(request: RequestContext, tools: StageTools): void | Promise<void> {
  const { userWatches } = tools;
  if (userWatches !== undefined && request.attributes.verb === 'watch') {
    try {
      request.leaveWatches = userWatches.begin(request.user);
    } catch (error) {
      countAsServed(request, tools);
      throw error;
    }
  }
  const refusedFor = tools.gate?.enter(request);
  if (refusedFor === undefined) return;
  if (typeof refusedFor === 'number') return refuse(request, tools, refusedFor);
  return refusedFor.then((seconds) => {
    if (seconds !== undefined) refuse(request, tools, seconds);
  });
}

function refuse(request: RequestContext, tools: StageTools, seconds: number): void {
  countAsServed(request, tools);
  sendOverload(request.exchange, seconds);
}

/** It is counted as if it had been served. */
function countAsServed(request: RequestContext, { api }: StageTools): void {
  const { exchange, attributes } = request;
  if (!attributes.isResource) return;
  try {
    const isWatch = exchange.query.flag('watch');
    const route = api.router.resolve(exchange.head.method, pathOf(request), isWatch);
    request.countAs(countedAs(route, exchange));
  } catch {
    // It leads nowhere, and would not have been counted either.
  }
}
