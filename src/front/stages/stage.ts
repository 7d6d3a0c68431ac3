/** What a stage is, and how a request goes from one to the next. */
import type { BoundedTurns } from '../../base/bounded-turns.ts';
import type { Audit } from '../../audit/audit.ts';
import { TIMED_ONE_IN, type SampledTimes } from '../../observability/metrics/sampled-times.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { ApiDocuments } from '../api-documents.ts';
import type { PageRules } from '../browser-pages.ts';
import type { Health } from '../health.ts';
import type { OperationContext } from '../operation.ts';
import type { Profiles } from '../metrics/profiles.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Scrape } from '../metrics/scrape.ts';
import type { RequestContext } from '../request-context.ts';
import type { BodyCallback } from '../request-bodies.ts';
import type { ShardClient } from '../resource-requests.ts';
import type { Router } from '../route.ts';
import type { BuildOrigin } from '../version.ts';

/** What is served at this moment. */
export interface ServedApi {
  readonly router: Router;
  /** What describes it. */
  readonly documents: ApiDocuments;
}

/** What stages work with: the front, as far as it is theirs. */
export interface StageTools extends Omit<OperationContext, 'shards'> {
  readonly api: ServedApi;
  /** By the name that routes give. */
  readonly shards: ReadonlyMap<string, ShardClient>;
  readonly authorizer: Authorizer;
  readonly health: Health;
  /** What is counted of requests that are no resource's. */
  readonly requests: RequestMetrics;
  readonly scrape: Scrape;
  readonly profiles: Profiles;
  readonly origin: BuildOrigin;
  /** Undefined where nothing is audited. */
  readonly audit: Audit | undefined;
  /** What pages in browsers are told. */
  readonly pages: PageRules;
  /** The server is stopping. */
  readonly isFinishing: boolean;
  /** How many watches are opened in a turn. */
  readonly watchTurns: BoundedTurns;
  /** Collects the body; must be called before the turn of the last stage ends. */
  readBody(request: RequestContext, then: BodyCallback): void;
  /** `end` runs when the server stops before the answer is complete. */
  whenStopped(request: RequestContext, end: () => void): void;
}

/**
 * One step of all requests. It may answer, and then no other follows; what it throws is answered
 * too. A stage that must wait for somebody returns a promise, all others are of one turn.
 */
export type Stage = (request: RequestContext, tools: StageTools) => void | Promise<void>;

/** A stage by the name that the log has for it. */
export interface NamedStage {
  readonly name: string;
  readonly run: Stage;
  /** Of requests that it has let pass; undefined where nobody asks for them. */
  readonly times: SampledTimes | undefined;
}

let requestsSeen = 0;

/**
 * Goes through the stages from the one at `first` on; resolves or returns when all are over. After
 * one that has waited the tools are those of that time. Throws what a stage throws.
 */
export function runStages(
  stages: readonly NamedStage[],
  request: RequestContext,
  toolsNow: () => StageTools,
  first = 0,
): void | Promise<void> {
  const tools = toolsNow();
  let sinceMs = requestsSeen++ % TIMED_ONE_IN === 0 ? performance.now() : 0;
  for (let index = first; index < stages.length; index++) {
    if (!request.exchange.open) return;
    const { name, run, times } = stages[index]!;
    const waiting = run(request, tools);
    if (waiting !== undefined) {
      request.hold();
      const waitsSinceMs = performance.now();
      return waiting.then(() => {
        times?.took(performance.now() - waitsSinceMs);
        request.exchange.times?.passed(name);
        return runStages(stages, request, toolsNow, index + 1);
      });
    }
    if (sinceMs === 0) {
      times?.passed();
      continue;
    }
    const nowMs = performance.now();
    times?.took(nowMs - sinceMs);
    sinceMs = nowMs;
  }
  request.letGo();
}
