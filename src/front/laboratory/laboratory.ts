/** The laboratory of a front: what it answers, and how it changes what is served. */
import type { RequestHead } from '../http.ts';
import type { RequestContext } from '../request-context.ts';
import type { ShardClient } from '../resource-requests.ts';
import type { Faults } from './faults.ts';
import type { OwnDocument } from '../openapi/built-in-documents.ts';
import { LAB_PATH, LabApi, type LabRoute, type ReadsBodies } from './lab-api.ts';
import { labDocument } from './lab-document.ts';
import { metRequest } from './met-request.ts';
import { objectLabels } from './object-labels.ts';
import { headInPast, readPast } from './past.ts';
import type { RestoreGate } from './restore-gate.ts';
import type { ShardVersions } from './shard-versions.ts';
import type { Recordings } from './recordings.ts';
import type { Views } from './views.ts';

/** The parts that change how requests are served. */
export interface LaboratoryParts {
  readonly faults: Faults;
  readonly recordings: Recordings;
  readonly views: Views;
  readonly versions: ShardVersions;
  readonly gate: RestoreGate;
  /** By the name that routes give. */
  readonly shards: ReadonlyMap<string, ShardClient>;
}

export class Laboratory {
  readonly #api: LabApi;
  readonly #routes: readonly LabRoute[];
  readonly #parts: LaboratoryParts;

  /** `routes` are those of all parts. */
  constructor(routes: readonly LabRoute[], parts: LaboratoryParts) {
    this.#api = new LabApi(routes);
    this.#routes = routes;
    this.#parts = parts;
  }

  /** The documents that describe its endpoints. */
  get described(): readonly OwnDocument[] {
    return [{ root: LAB_PATH.slice(1, -1), document: labDocument(this.#routes) }];
  }

  /** The request that is served. */
  headOf(head: RequestHead): RequestHead {
    return headInPast(head);
  }

  /** Answers what is asked of the laboratory; false for other paths. Throws StatusError. */
  serve(request: RequestContext, tools: ReadsBodies, path: string): boolean {
    return this.#api.serve(request, tools, path);
  }

  /** Has rules look at a request for a type before it is served. Throws StatusError. */
  enter(context: RequestContext, tools: ReadsBodies): void | Promise<void> {
    const { gate } = this.#parts;
    if (!gate.isClosed) return this.#meetRules(context, tools);
    return gate.whenOpen().then(() => this.enter(context, tools));
  }

  #meetRules(context: RequestContext, tools: ReadsBodies): void | Promise<void> {
    const { route, attributes, exchange } = context;
    if (route === undefined) return;
    const { faults, recordings, views, versions } = this.#parts;
    const shard = route.verb === 'operation' ? '' : route.shard;
    const isAsRulesSay = faults.isInForce || views.isInForce || recordings.isInForce;
    const isOfPast = shard !== '' && exchange.head.query !== undefined && exchange.query.has('at');
    if (!isAsRulesSay && !isOfPast && attributes.verb !== 'watch') return;
    const request = metRequest(context);
    // Outermost, so that what is recorded is what the client gets.
    if (recordings.isInForce) recordings.meet(context, request);
    const meet = (): void | Promise<void> => {
      // What waits before it is done sees what is there when it goes on.
      const waiting = faults.meet(context, request);
      if (!isOfPast && !views.isInForce) return waiting;
      const look = (): void | Promise<void> => {
        if (isOfPast) return readPast(context, shard, versions);
        if (shard !== '') return views.meet(context, request, shard);
      };
      return waiting === undefined ? look() : waiting.then(look);
    };
    if (!faults.goByLabels(request) && !views.goByLabels(request)) return meet();
    return objectLabels(context, this.#parts.shards, tools).then((labels) => {
      request.labels = labels;
      return meet();
    });
  }
}
