/** Runs when a request has ended: it was answered, or its client has gone. */
import type { Exchange } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestLog } from '../request-log.ts';

/** A request that is over. */
export interface EndedRequest {
  readonly exchange: Exchange;
  /** The request as far as it was read; undefined where its head could not be read. */
  readonly request: RequestContext | undefined;
  /** How long it took. */
  readonly ms: number;
  /** Undefined where no request is logged. */
  readonly requestLog: RequestLog | undefined;
}

type Ending = (ended: EndedRequest) => void;

const count: Ending = ({ request, exchange, ms }) =>
  request?.counted?.ended(exchange, ms, request.webhookMs);

const log: Ending = ({ requestLog, exchange, request, ms }) =>
  requestLog?.ended(exchange, request, ms);

const leave: Ending = ({ request }) => {
  request?.place?.over();
  request?.leaveWatches?.();
  request?.deadlines?.end(request);
};

const completeAudit: Ending = ({ request }) => void request?.audit?.completed();

/** In their order. */
export const ENDINGS: readonly Ending[] = [leave, count, log, completeAudit];
