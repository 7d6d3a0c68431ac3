/** A request as the rules of the laboratory see it. */
import { requirementsOf, type LabRequest } from '../../laboratory/lab-request.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import { parseLabelSelector } from '../../semantics/selectors/label-selector.ts';
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
    selects: selectsOf(exchange.query.text('labelSelector')),
  };
}

/** Nothing for a text that is no selector: who serves the request refuses it. */
function selectsOf(text: string): readonly string[] {
  if (text === '') return [];
  try {
    return requirementsOf(parseLabelSelector(text));
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}
