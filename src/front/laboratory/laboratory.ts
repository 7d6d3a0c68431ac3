/** The laboratory of a front: what it answers, and how it changes what is served. */
import type { RequestContext } from '../request-context.ts';
import { LabApi, type LabRoute, type ReadsBodies } from './lab-api.ts';

export class Laboratory {
  readonly #api: LabApi;

  constructor(routes: readonly LabRoute[]) {
    this.#api = new LabApi(routes);
  }

  /** Answers what is asked of the laboratory; false for other paths. Throws StatusError. */
  serve(request: RequestContext, tools: ReadsBodies, path: string): boolean {
    return this.#api.serve(request, tools, path);
  }
}
