/** The stages of a request, and the way from one to the next. */
import type { BoundedTurns } from '../../base/turns/bounded-turns.ts';
import type { Audit } from '../../audit/audit.ts';
import { TIMED_ONE_IN, type SampledTimes } from '../../observability/metrics/sampled-times.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { RemoteApi } from '../../aggregation/remote-api.ts';
import type { ApiDocuments } from '../documents/api-documents.ts';
import type { PageRules } from '../requests/browser-pages.ts';
import type { Laboratory } from '../laboratory/laboratory.ts';
import type { Health } from '../documents/health.ts';
import type { OperationContext } from '../operation.ts';
import type { Profiles } from '../documents/profiles.ts';
import type { RequestGate } from '../flows/request-gate.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Scrape } from '../documents/scrape.ts';
import type { ZPages } from '../documents/zpages.ts';
import type { Backups } from '../documents/backups.ts';
import type { Recent } from '../documents/recent.ts';
import type { Servers } from '../documents/servers.ts';
import type { ConstrainedImpersonation } from '../requests/constrained-impersonation.ts';
import type { RequestContext } from '../request-context.ts';
import type { Deadlines } from '../requests/deadlines.ts';
import type { BodyCallback } from '../requests/request-bodies.ts';
import type { ShardClient } from '../resource-requests.ts';
import type { Router } from '../requests/route.ts';
import type { UserWatches } from '../watch/user-watches.ts';
import type { BuildOrigin } from '../documents/version.ts';

/** The parts of the API that other servers answer for. */
export interface PassesOn {
  /** The one that answers at a path; undefined where this server does. */
  at(path: string): RemoteApi | undefined;
  /** Has the request answered by that server. */
  pass(request: RequestContext, tools: StageTools, api: RemoteApi): void;
}

/** The types and documents that are served at this moment. */
export interface ServedApi {
  readonly router: Router;
  /** The documents that describe these types. */
  readonly documents: ApiDocuments;
  /** Undefined where this server answers for all. */
  readonly remote?: PassesOn | undefined;
}

/** The tools of stages: the front, as far as it is theirs. */
export interface StageTools extends Omit<OperationContext, 'shards'> {
  readonly api: ServedApi;
  /** By the name that routes give. */
  readonly shards: ReadonlyMap<string, ShardClient>;
  readonly authorizer: Authorizer;
  /** Undefined where all requests are served at once. */
  readonly gate: RequestGate | undefined;
  readonly deadlines: Deadlines;
  /** Undefined where users act as others by the rights of old alone. */
  readonly constrained: ConstrainedImpersonation | undefined;
  readonly health: Health;
  /** The metrics of requests that are no resource's. */
  readonly requests: RequestMetrics;
  readonly scrape: Scrape;
  /** The scrape of health checks; undefined where they are not counted. */
  readonly sliScrape: Scrape | undefined;
  readonly zPages: ZPages;
  readonly servers: Servers;
  readonly backups: Backups;
  /** Undefined but with `--laboratory`. */
  readonly laboratory: Laboratory | undefined;
  readonly recent: Recent;
  readonly profiles: Profiles;
  readonly origin: BuildOrigin;
  /** Undefined where nothing is audited. */
  readonly audit: Audit | undefined;
  /** The headers that pages in browsers need. */
  readonly pages: PageRules;
  /** The server is stopping. */
  readonly isFinishing: boolean;
  /** Undefined where users may have any number of watches. */
  readonly userWatches: UserWatches | undefined;
  /** Bounds the number of watches that are opened in a turn. */
  readonly watchTurns: BoundedTurns;
  /** Collects the body; must be called before the turn of the last stage ends. */
  readBody(request: RequestContext, then: BodyCallback): void;
  /** `end` runs when the server stops before the answer is complete. */
  whenStopped(request: RequestContext, end: () => void): void;
}

/** Comes in a later turn, and what follows has to happen within that. */
export interface Later {
  whenDone(goOn: () => void): void;
}

/**
 * One step of all requests. It may answer, and then no other follows; what it throws is answered
 * too. A stage that must wait for somebody returns a promise, or what comes later; all others are
 * of one turn.
 */
export type Stage = (
  request: RequestContext,
  tools: StageTools,
) => void | undefined | Promise<void> | Later;

/** A stage by the name that the log has for it. */
export interface NamedStage {
  readonly name: string;
  readonly run: Stage;
  /** The times of requests that it has let pass; undefined where nobody asks for them. */
  readonly times: SampledTimes | undefined;
}

let requestsSeen = 0;

/** How requests go through stages. */
export interface StageRun {
  readonly stages: readonly NamedStage[];
  /** After a stage that has waited the tools are those of that time. */
  readonly toolsNow: () => StageTools;
  /** Answers with what a stage throws. */
  readonly refuse: (request: RequestContext, error: unknown) => void;
}

/** Goes through the stages from the one at `first` on. */
export function runStages(run: StageRun, request: RequestContext, first = 0): void {
  try {
    goThrough(run, request, first);
  } catch (error) {
    run.refuse(request, error);
  }
}

function goThrough(all: StageRun, request: RequestContext, first: number): void {
  const { stages, toolsNow } = all;
  const tools = toolsNow();
  let sinceMs = requestsSeen++ % TIMED_ONE_IN === 0 ? performance.now() : 0;
  for (let index = first; index < stages.length; index++) {
    if (!request.exchange.open || request.isTaken) break;
    const { name, run, times } = stages[index]!;
    const waiting = run(request, tools);
    if (waiting !== undefined) {
      const goOn = (): void => {
        request.times?.passed(name);
        runStages(all, request, index + 1);
      };
      if (waiting instanceof Promise) waitFor(waiting, all, request, times, goOn);
      else waiting.whenDone(goOn);
      return;
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

function waitFor(
  waiting: Promise<void>,
  { refuse }: StageRun,
  request: RequestContext,
  times: SampledTimes | undefined,
  goOn: () => void,
): void {
  request.hold();
  const sinceMs = performance.now();
  waiting.then(
    () => {
      times?.took(performance.now() - sinceMs);
      goOn();
    },
    (error: unknown) => refuse(request, error),
  );
}
