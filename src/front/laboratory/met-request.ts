/** A request as the rules of the laboratory see it. */
import type { LabRequest } from '../../laboratory/lab-request.ts';
import type { RequestContext } from '../request-context.ts';
import { clientAddresses } from '../requests/client-addresses.ts';

export function metRequest(context: RequestContext): LabRequest {
  const { attributes, exchange, user, arrival } = context;
  const { verb, group, resource, subresource, namespace, name } = attributes;
  return {
    user: user.name,
    groups: user.groups,
    userAgent: exchange.head.userAgent,
    address: clientAddresses(arrival)[0] ?? '',
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    dryRun: exchange.query.has('dryRun'),
  };
}
