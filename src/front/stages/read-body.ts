/** Reads the body, where there may be one: the stages go on in the turn in which its end comes. */
import type { RequestContext } from '../request-context.ts';
import type { Later, StageTools } from './stage.ts';

export function readBody(request: RequestContext, tools: StageTools): Later | undefined {
  if (request.prepared?.readsBody !== true) return undefined;
  if (request.body !== undefined) {
    // The laboratory had to look at it.
    request.counted?.readBody(request.body.bytes?.length ?? 0);
    return undefined;
  }
  return {
    whenDone: (goOn) =>
      tools.readBody(request, (bytes, yaml) => {
        request.body = { bytes, yaml };
        request.counted?.readBody(bytes?.length ?? 0);
        goOn();
      }),
  };
}
