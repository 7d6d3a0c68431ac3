/** How a service shows in a Table. */
import type { LoadBalancerStatus, ServicePort } from '#messages/core.v1';
import {
  AGE,
  labelsText,
  listText,
  loadBalancerText,
  NAME,
  NONE,
  selector,
  UNKNOWN,
} from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';

// prettier-ignore
export const SERVICE_PRINTER = definePrinter([
  NAME,
  text('Type', 'How the service can be reached.', 'spec.type'),
  text('Cluster-IP', 'The address of the service inside the cluster.', 'spec.clusterIPs',
    ([first = NONE]: string[] = []) => first),
  text('External-IP', 'Where the service can be reached from outside.',
    'spec.type spec.externalIPs spec.externalName status.loadBalancer', externalText),
  text('Port(s)', 'The ports of the service, and those of the nodes for it.',
    'spec.ports{port nodePort protocol}',
    (ports: ServicePort[] = []) => listText(ports.map(portText))),
  AGE,
  selector('spec.selector', labelsText),
]);

function externalText(
  type = '',
  externalIPs: readonly string[] = [],
  externalName = '',
  balancer: LoadBalancerStatus = {},
): string {
  switch (type) {
    case 'ClusterIP':
    case 'NodePort':
      return listText(externalIPs);
    case 'LoadBalancer': {
      const balanced = loadBalancerText(balancer);
      const addresses = balanced === '' ? externalIPs : [balanced, ...externalIPs];
      return addresses.length === 0 ? '<pending>' : addresses.join(',');
    }
    case 'ExternalName':
      return externalName;
    default:
      return UNKNOWN;
  }
}

function portText({ port = 0, nodePort = 0, protocol = '' }: ServicePort): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}
