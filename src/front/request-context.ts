/**
 * One request on its way through the stages (stages/stages.ts): what it is, who asks, and how it is
 * answered. A stage reads what those before it have found out.
 */
import type { RequestAudit } from '../audit/request-audit.ts';
import { assert } from '../base/assert.ts';
import type { PatchType } from '../protocol/shard-protocol.ts';
import { allottedTimeIsOver, StatusError, type Said } from '../semantics/errors/status.ts';
import { PLAIN_JSON, type Form } from '../semantics/options/answer-form.ts';
import type { User } from '../semantics/user.ts';
import { sendError } from './answers/send-error.ts';
import type { StageTimes } from './answers/stage-times.ts';
import type { ReadYaml } from '../codec/yaml/read-yaml.ts';
import type { Exchange } from './exchange.ts';
import type { HeldPlace } from './flows/held-place.ts';
import type { Arrival } from './http.ts';
import type { RequestKindMetrics } from './metrics/request-metrics.ts';
import type { RequestAttributes } from './requests/request-attributes.ts';
import type { Deadlines, TimedRequest } from './requests/deadlines.ts';
import type { PreparedRequest } from './requests/prepared-request.ts';
import type { Route } from './requests/route.ts';
import { heldArrival } from './transport/held-arrival.ts';
import type { WatchStream } from './watch/watch-stream.ts';

interface ReceivedBody {
  /** Undefined when it is longer than any may be. */
  readonly bytes: Uint8Array | undefined;
  /** The document that was read from it, where it is YAML. */
  readonly yaml: ReadYaml | undefined;
}

/** A version of a type that reads are answered as of; it may move on while a watch is open. */
export interface PointInTime {
  readonly version: number;
  /** Calls `then` once when it has moved; returns what forgets that. */
  whenMoved(then: () => void): () => void;
}

export class RequestContext implements TimedRequest {
  readonly exchange: Exchange;
  /** The attributes by which the request is decided: what is asked for, and by whom. */
  readonly attributes: RequestAttributes;
  /** When it came, of the clock of `performance`. */
  readonly startMs: number;
  /** The user who acts as somebody else. */
  impersonator: User | undefined = undefined;
  /** The metrics of its kind of request, once the kind is known. */
  counted: RequestKindMetrics | undefined = undefined;
  /** It was decided what the audit log is to tell of it. */
  isAudited = false;
  /** Where it leads; undefined for what names no resource, and before that is looked up. */
  route: Route | undefined = undefined;
  /** The form of documents and streams in the answer. */
  form: Form = PLAIN_JSON;
  /** The type of a patch. */
  patchType: PatchType | undefined = undefined;
  /** The time that the request has waited for admission webhooks. */
  webhookMs = 0;
  /** Measures the parts of the request; absent where no request is logged. */
  readonly times: StageTimes | undefined;
  /** Before it is served. */
  prepared: PreparedRequest | undefined = undefined;
  /** Where one is read, until it is served. */
  body: ReceivedBody | undefined = undefined;
  /** The place that it holds among those that are served (flows/README.md). */
  place: HeldPlace | undefined = undefined;
  /** Counts it no more among the watches of its user; undefined where it is not counted. */
  leaveWatches: (() => void) | undefined = undefined;
  /** The time that it has waited for that. */
  waitedMs = 0;
  timeoutMs = 0;
  before: TimedRequest | undefined = undefined;
  after: TimedRequest | undefined = undefined;
  deadlines: Deadlines | undefined = undefined;
  cancelTimer: (() => void) | undefined = undefined;
  /** The point in time as of which it is answered; undefined for the newest. */
  past: PointInTime | undefined = undefined;
  /** Is told the body that was sent; undefined where nobody else wants to know. */
  onBody: ((bytes: Uint8Array) => void) | undefined = undefined;
  /** What the events of a watch go through on their way to the client; undefined for most. */
  watchThrough: ((stream: WatchStream) => WatchStream) | undefined = undefined;
  /** Somebody answers it: no stage follows. */
  isTaken = false;
  #audit: RequestAudit | undefined;
  #arrival: Arrival | undefined;
  #isHeld = false;

  /** The audit log is told this of the request's credentials. */
  credentialAnnotations: Readonly<Record<string, string>> | undefined;

  constructor(
    exchange: Exchange,
    attributes: RequestAttributes,
    arrival: Arrival,
    startMs = performance.now(),
    times?: StageTimes,
  ) {
    this.startMs = startMs;
    this.exchange = exchange;
    this.attributes = attributes;
    this.#arrival = arrival;
    this.times = times;
  }

  /** Collects what the audit log is told of the request; absent where it is told nothing. */
  get audit(): RequestAudit | undefined {
    return this.#audit;
  }

  /** From now on it sees the answer, too. */
  set audit(audit: RequestAudit | undefined) {
    this.#audit = audit;
    this.exchange.observer = audit;
  }

  /** The user who asks, once authenticated; the one they act as, once that is allowed. */
  get user(): User {
    return this.attributes.user;
  }

  set user(user: User) {
    this.attributes.user = user;
  }

  /** The library's request: for this turn, or until all stages are over where it is held. */
  get arrival(): Arrival {
    assert(this.#arrival !== undefined, 'all stages are over');
    return this.#arrival;
  }

  /** It is counted so from now on, until it is answered. */
  countAs(counted: RequestKindMetrics): void {
    this.counted = counted;
    counted.began();
  }

  /** Who gets the answer is told this with it, and the audit log and metrics are. */
  told({ warnings, annotations, webhookMs = 0 }: Said): void {
    if (warnings !== undefined) this.exchange.warn(warnings);
    this.#audit?.annotateAll(annotations);
    this.webhookMs += webhookMs;
  }

  /** It has taken too long: what was sent of its answer must not be taken for the whole. */
  timeOut(): void {
    const { exchange } = this;
    if (exchange.code === 0) exchange.sendStatus(allottedTimeIsOver());
    else exchange.abort();
  }

  /** Answers with what was thrown on the way. */
  fail(error: unknown): void {
    if (error instanceof StatusError) this.told(error.said);
    sendError(this.exchange, error);
  }

  /** Keeps what the library would let go at the end of the turn. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    const { exchange } = this;
    const mayHaveBody = exchange.head.contentLength !== '' || exchange.head.isChunked;
    this.#arrival = heldArrival(this.arrival, mayHaveBody, () => exchange.closeAfterwards());
  }

  /** All stages are over: a watch may be open for hours, and needs none of this. */
  letGo(): void {
    this.#arrival = undefined;
  }
}
