/** What the laboratory does to the request, where there is one (../laboratory/README.md). */
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError where a rule refuses it. */
export function enterLaboratory(request: RequestContext, tools: StageTools): void | Promise<void> {
  return tools.laboratory?.enter(request, tools);
}
