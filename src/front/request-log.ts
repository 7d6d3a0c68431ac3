/** Requests in the log: those that are slow, and which stage took how long, or all of them. */
import { quoteText } from '../codec/strict-quote.ts';
import { lastsAsAsked } from '../observability/audit/request-audit.ts';
import type { LogMembers } from '../observability/log/log.ts';
import type { Exchange } from './exchange.ts';
import type { RequestContext } from './request-context.ts';

export interface RequestLogOptions {
  /** What takes longer is slow; 0 for nothing. */
  readonly slowMs: number;
  readonly isOfAll: boolean;
  readonly write: (text: string, members: LogMembers) => void;
}

export class RequestLog {
  readonly #options: RequestLogOptions;

  constructor(options: RequestLogOptions) {
    this.#options = options;
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
    const method = head.method.toUpperCase();
    const [path = ''] = head.url.split('?');
    const stages = stagesOf(request, ms);
    const user = request?.user.name ?? '';
    const took = stages.map(([stage, stageMs]) => `${stage} ${stageMs} ms`).join(', ');
    const what = `${isSlow ? 'slow request' : 'request'} ${quoteText(auditId)}`;
    const outcome = code === 0 ? 'not answered' : String(code);
    this.#options.write(
      `${what}, ${method} ${quoteText(path)} of ${quoteText(user)}: ${outcome}, ` +
        `${Math.round(ms)} ms: ${took}`,
      {
        auditID: auditId,
        method,
        path,
        user,
        code,
        bytes: bodyBytes,
        ms: Math.round(ms),
        stages: Object.fromEntries(stages),
      },
    );
  }
}

/** It lasts as long as its client wants. */
function isLong({ code }: Exchange, request: RequestContext | undefined): boolean {
  return code === 101 || (request !== undefined && lastsAsAsked(request.attributes));
}

/** What was waited for, in its order, and how long it took; what is left is the answer's. */
function stagesOf(
  request: RequestContext | undefined,
  ms: number,
): readonly (readonly [stage: string, ms: number])[] {
  const stages: (readonly [string, number])[] = [];
  let sinceMs = 0;
  for (const { stage, atMs } of request?.waits ?? []) {
    stages.push([stage, Math.round(atMs - sinceMs)]);
    sinceMs = atMs;
  }
  return [...stages, ['answer', Math.round(ms - sinceMs)]];
}
