/** From here on the audit log tells of the request (src/audit/README.md). */
import { serverClockMs } from '../../base/time/server-clock.ts';
import type { Audit } from '../../audit/audit.ts';
import type { RequestAudit } from '../../audit/request-audit.ts';
import { whenKnown } from '../../base/turns/when-known.ts';
import { clientAddresses } from '../requests/client-addresses.ts';
import type { RequestContext } from '../request-context.ts';
import { UnreadableRequest } from '../requests/unreadable-request.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import type { StageTools } from './stage.ts';

/** Throws UnreadableRequest for what would have to be written, and cannot be. */
export function beginAudit(request: RequestContext, { audit }: StageTools): void | Promise<void> {
  if (audit === undefined) return;
  request.isAudited = true;
  const record = recordOf(request, audit);
  record?.annotateAll(request.credentialAnnotations);
  return whenKnown(record?.received() ?? true, (isTaken) => {
    if (!isTaken) {
      audit.rejected();
      throw new UnreadableRequest('failed to store audit event');
    }
    request.audit = record;
  });
}

/** Tells of a request that is refused before it is known who asks. */
export function auditRefusal(request: RequestContext, audit: Audit, error: StatusError): void {
  recordOf(request, audit)?.refused(error.status);
}

function recordOf(request: RequestContext, audit: Audit): RequestAudit | undefined {
  const { exchange, attributes, user } = request;
  return audit.begin(attributes, user, () => {
    const { auditId, head } = exchange;
    return {
      auditId,
      uri: head.url,
      sourceIps: clientAddresses(request.arrival),
      userAgent: head.userAgent,
      receivedMs: serverClockMs() - (performance.now() - request.startMs),
    };
  });
}
