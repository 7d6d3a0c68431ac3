/** The body, where there may be one: the stages go on within the turn in which all of it is there. */
import type { RequestContext } from '../request-context.ts';
import type { Later, StageTools } from './stage.ts';

export function readBody(request: RequestContext, tools: StageTools): Later | undefined {
  if (request.prepared?.readsBody !== true) return undefined;
  return {
    whenDone: (goOn) =>
      tools.readBody(request, (bytes, yaml) => {
        request.body = { bytes, yaml };
        goOn();
      }),
  };
}
