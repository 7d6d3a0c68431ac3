/** An Ingress in a Table (README.md#tables). */
import type { Ingress, IngressSpec } from '#messages/networking.v1';
import {
  AGE_COLUMN,
  ageOf,
  column,
  loadBalancerText,
  NAME_COLUMN,
  nameOf,
  NONE,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const HOSTS_MAX = 3;

export const INGRESS_PRINTER = definePrinter<Ingress>()({
  columns: [
    NAME_COLUMN,
    column('Class', 'string', 'The ingress class that is to serve it.'),
    column('Hosts', 'string', 'The host names that its rules are for; * for all of them.'),
    column('Address', 'string', 'Where its load balancer can be reached.'),
    column('Ports', 'string', 'The ports that it opens: the second one when it serves TLS.'),
    AGE_COLUMN,
  ],
  members: {
    spec: { ingressClassName: true, rules: { host: true }, tls: {} },
    status: { loadBalancer: true },
  },
  cells(object) {
    const { spec = {}, status = {} } = object;
    return [
      nameOf(object),
      spec.ingressClassName ?? NONE,
      hostsText(spec.rules ?? []),
      loadBalancerText(status.loadBalancer),
      spec.tls?.length ? '80, 443' : '80',
      ageOf(object),
    ];
  },
});

/** The first hosts; when rules follow them, how many rules there are beyond so many. */
function hostsText(rules: NonNullable<IngressSpec['rules']>): string {
  const hosts: string[] = [];
  for (const { host = '' } of rules) {
    if (hosts.length === HOSTS_MAX) {
      return `${hosts.join(',')} + ${rules.length - HOSTS_MAX} more...`;
    }
    if (host !== '') hosts.push(host);
  }
  return hosts.length === 0 ? '*' : hosts.join(',');
}
