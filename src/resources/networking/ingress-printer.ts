/** An Ingress in a Table. */
import type { IngressRule } from '#messages/networking.v1';
import { AGE, loadBalancerText, NAME, NONE, shortText } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

const HOSTS_MAX = 3;

// prettier-ignore
export const INGRESS_PRINTER = definePrinter([
  NAME,
  text('Class', 'The ingress class that is to serve it.', 'spec.ingressClassName',
    (name = NONE) => name),
  text('Hosts', 'The host names that its rules are for; * for all of them.', 'spec.rules{host}',
    hostsText),
  text('Address', 'Where its load balancer can be reached.', 'status.loadBalancer',
    loadBalancerText),
  text('Ports', 'The ports that it opens: the second one when it serves TLS.', 'spec.tls{}',
    (tls: unknown[] = []) => (tls.length > 0 ? '80, 443' : '80')),
  AGE,
]);

/** The first hosts, and the number of further rules. */
function hostsText(rules: readonly IngressRule[] = []): string {
  const hosts: string[] = [];
  for (const { host = '' } of rules) {
    if (hosts.length === HOSTS_MAX) return shortText(hosts.join(','), rules.length - HOSTS_MAX);
    if (host !== '') hosts.push(host);
  }
  return hosts.length === 0 ? '*' : hosts.join(',');
}
