/** Flow control of the requests of a front (src/flow-control/README.md). */
import { ownDialect } from '../../semantics/dialect/own-names.ts';
import type { Classified, FlowController } from '../../flow-control/flow-controller.ts';
import { FlowRequest } from '../../flow-control/flow.ts';
import type { LevelState } from '../../flow-control/level-state.ts';
import { isLongRunning } from '../../observability/long-requests.ts';
import { ownRelease } from '../../release/release.ts';
import { headerLines, type HeaderLines } from '../answers/header-lines.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';
import { flowDump, serveFlowDump, type FlowDump } from './flow-dumps.ts';
import type { LevelMetrics } from './flow-metrics.ts';
import { peaksByKind, type PeakCount } from '../metrics/peak-count.ts';
import type { HeldPlace } from './held-place.ts';
import type { RefusedFor, RequestGate } from './request-gate.ts';
import type { WorkEstimates } from './work-estimates.ts';

export interface FlowGateOptions {
  readonly controller: FlowController;
  readonly estimates: WorkEstimates;
  /** Absent where another front tells of levels. */
  readonly metrics: LevelMetrics | undefined;
  /** How long requests may take that say nothing of it. */
  readonly requestTimeoutMs: number;
  readonly wallClockMs: () => number;
  /** What all fronts have; absent where this is the only one. */
  readonly dumps: (() => Promise<readonly FlowDump[]>) | undefined;
}

/** Part of the time that a request may take for which it may wait. */
const WAITING_PART = 4;
const WAIT_MS_MAX = 60_000;
const RETRY_SECONDS = 1;
const READS = new Set(['get', 'list', 'watch']);
const { flowHeaders } = ownDialect();
const GROWS = ownRelease().has('growingRetryAfter');
const WAITS_BY_DEADLINE = ownRelease().has('waitsByDeadline');

export class FlowGate implements RequestGate {
  readonly #options: FlowGateOptions;
  readonly #waitMs: number;
  readonly #waiting = peaksByKind('apiserver_current_inqueue_requests');
  /** The same for all requests of a flow. */
  readonly #headers = new WeakMap<Classified, HeaderLines>();

  constructor(options: FlowGateOptions) {
    this.#options = options;
    const part = options.requestTimeoutMs / WAITING_PART;
    this.#waitMs = WAITS_BY_DEADLINE ? Math.min(WAIT_MS_MAX, part) : part;
  }

  serve(exchange: Exchange, path: string): boolean {
    const { dumps } = this.#options;
    return serveFlowDump(dumps ?? (() => Promise.resolve([this.dump()])), exchange, path);
  }

  dump(): FlowDump {
    return flowDump(this.#options.controller);
  }

  enter(request: RequestContext): RefusedFor | undefined | Promise<RefusedFor | undefined> {
    const { attributes, exchange, startMs } = request;
    if (attributes.verb !== 'watch' && isLongRunning(attributes)) return undefined;
    const { controller, estimates } = this.#options;
    const classified = controller.classify(attributes);
    const { flow, state } = classified;
    exchange.addChecked(this.#headersOf(classified));
    const work = estimates.of(request, flow, state);
    const asking = new FlowRequest(flow, attributes, work, startMs);
    const why = controller.begin(classified, asking, this.#waitMsOf(request));
    if (why !== undefined) return this.#refused(state);
    const place = new FlowPlace(controller, state, asking);
    request.place = place;
    if (asking.state !== 'waiting') {
      place.passed(estimates, request);
      return undefined;
    }
    place.waits(this.#waiting[READS.has(attributes.verb) ? 'readOnly' : 'mutating']);
    return new Promise((resolve) => {
      asking.decided = (isLet) => {
        place.hasWaited();
        if (!isLet) return resolve(this.#refused(state));
        controller.wasLet(asking);
        request.waitedMs = asking.startMs - asking.arrivedMs;
        place.passed(estimates, request);
        resolve(undefined);
      };
    });
  }

  close(): void {
    this.#options.controller.close();
    this.#options.metrics?.close();
  }

  #refused({ retryAfter }: LevelState): RefusedFor {
    if (!GROWS) return RETRY_SECONDS;
    retryAfter.refused(this.#options.wallClockMs());
    return retryAfter.seconds;
  }

  #waitMsOf({ attributes, timeoutMs }: RequestContext): number {
    const isOwn = WAITS_BY_DEADLINE && timeoutMs > 0 && attributes.verb !== 'watch';
    return isOwn ? Math.min(WAIT_MS_MAX, timeoutMs / WAITING_PART) : this.#waitMs;
  }

  #headersOf(classified: Classified): HeaderLines {
    let lines = this.#headers.get(classified);
    if (lines === undefined) {
      const { flow, state } = classified;
      lines = headerLines([
        [flowHeaders.level, state.level.uid],
        [flowHeaders.schema, flow.schema.uid],
      ]);
      this.#headers.set(classified, lines);
    }
    return lines;
  }
}

/** The seats of a request. */
class FlowPlace implements HeldPlace {
  readonly #controller: FlowController;
  readonly #state: LevelState;
  readonly #request: FlowRequest;
  #forget: (() => void) | undefined;
  /** Where it waits. */
  #waiting: PeakCount | undefined;

  constructor(controller: FlowController, state: LevelState, request: FlowRequest) {
    this.#controller = controller;
    this.#state = state;
    this.#request = request;
  }

  passed(estimates: WorkEstimates, request: RequestContext): void {
    this.#forget = estimates.served(request);
  }

  waits(among: PeakCount): void {
    among.began();
    this.#waiting = among;
  }

  hasWaited(): void {
    this.#waiting?.ended();
    this.#waiting = undefined;
  }

  end(): void {
    this.hasWaited();
    if (this.#request.state !== 'over') this.#controller.end(this.#state, this.#request);
  }

  over(): void {
    this.end();
    this.#forget?.();
  }
}
