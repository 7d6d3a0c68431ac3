/** A request as it is passed on to another server. */
import type { SaysWhoAsks } from '../../auth/identity-headers.ts';
import type { Header } from '../answers/header-text.ts';
import type { Arrival } from '../http.ts';
import type { PassedRequest } from '../operation.ts';
import { leavingHeaders } from './leaving-headers.ts';
import { RequestBody } from './request-body.ts';

interface Given extends Pick<PassedRequest, 'exchange' | 'redirectSession' | 'whenStopped'> {
  readonly saysWhoAsks: SaysWhoAsks;
}

/**
 * Everything of the request that outlives its turn and may leave this server, its body as a stream.
 * Must be called within the turn of the request. Throws StatusError 400 for a header that cannot be
 * passed on.
 */
export function passedRequest(
  { exchange, redirectSession, whenStopped, saysWhoAsks }: Given,
  { request, response }: Arrival,
): PassedRequest {
  const headers: Header[] = [];
  let hasBody = false;
  request.forEach((name, value) => {
    headers.push([name, value]);
    hasBody ||= name === 'transfer-encoding' || (name === 'content-length' && value !== '0');
  });
  const body = hasBody ? new RequestBody(response, () => exchange.closeAfterwards()) : undefined;
  const whenGone = (cut: () => void): void =>
    exchange.onAborted(() => {
      body?.abandon();
      cut();
    });
  whenGone(() => undefined);
  const remoteAddress = Buffer.from(response.getRemoteAddressAsText()).toString();
  const leaving = leavingHeaders({ headers, remoteAddress, saysWhoAsks });
  return { exchange, headers: leaving, body, whenGone, redirectSession, whenStopped };
}
