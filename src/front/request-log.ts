/** Requests in the log: those that are slow, and which stage took how long, or all of them. */
import { quoteText } from '../codec/json/strict-quote.ts';
import type { LogMembers } from '../observability/log/log.ts';
import { isLongRunning } from '../observability/long-requests.ts';
import { StageTimes } from './answers/stage-times.ts';
import type { Exchange } from './exchange.ts';
import { logged, shortened, SWITCHING } from './http.ts';
import { LOGGED_NAME_CHARACTERS_MAX, SLOW_REQUESTS_KEPT_MAX } from './limits.ts';
import type { RequestContext } from './request-context.ts';

export interface RequestLogOptions {
  /** Requests that take longer are slow; 0 where none is. */
  readonly slowMs: number;
  readonly isOfAll: boolean;
  readonly write: (text: string, members: LogMembers) => void;
}

/** A slow request as people are shown it. */
interface SlowRequest extends LogMembers {
  /** Milliseconds since 1970. */
  readonly ts: number;
}

export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #slow: SlowRequest[] = [];

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  get slowMs(): number {
    return this.#options.slowMs;
  }

  /** The last slow requests, the newest first. */
  get slow(): readonly SlowRequest[] {
    return this.#slow.toReversed();
  }

  /** A request is over, after so long; `request` is what was known of it. */
  ended(exchange: Exchange, request: RequestContext | undefined, ms: number): void {
    const { slowMs, isOfAll } = this.#options;
    const isSlow = slowMs > 0 && ms >= slowMs && !isLong(exchange, request);
    if (isSlow || isOfAll) this.#write(exchange, request, ms, isSlow);
  }

  #write(
    { auditId, head, code, bodyBytes }: Exchange,
    request: RequestContext | undefined,
    ms: number,
    isSlow: boolean,
  ): void {
    const { id, method, path, text } = logged(head, auditId);
    const stages = (request?.times ?? new StageTimes(0)).until(ms);
    const user = shortened(request?.user.name ?? '', LOGGED_NAME_CHARACTERS_MAX);
    const took = stages.map(([stage, stageMs]) => `${stage} ${stageMs} ms`).join(', ');
    const what = `${isSlow ? 'slow ' : ''}${text}`;
    const outcome = code === 0 ? 'not answered' : String(code);
    const members = {
      auditID: id,
      method,
      path,
      user,
      code,
      bytes: bodyBytes,
      ms: Math.round(ms),
      stages: Object.fromEntries(stages),
    };
    if (isSlow) this.#keep({ ts: Date.now(), ...members });
    this.#options.write(
      `${what} of ${quoteText(user)}: ${outcome}, ${Math.round(ms)} ms: ${took}`,
      members,
    );
  }

  #keep(request: SlowRequest): void {
    this.#slow.push(request);
    if (this.#slow.length > SLOW_REQUESTS_KEPT_MAX) this.#slow.shift();
  }
}

/** It lasts as long as its client wants. */
function isLong({ code }: Exchange, request: RequestContext | undefined): boolean {
  return code === SWITCHING || (request !== undefined && isLongRunning(request.attributes));
}
