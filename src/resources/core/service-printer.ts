/** How a service shows in a Table. */
import type { Service, ServicePort } from '#messages/core.v1';
import {
  AGE_COLUMN,
  ageOf,
  column,
  labelsText,
  listText,
  loadBalancerText,
  NAME_COLUMN,
  nameOf,
  NONE,
  SELECTOR_COLUMN,
  UNKNOWN,
} from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

export const SERVICE_PRINTER = definePrinter<Service>()({
  columns: [
    NAME_COLUMN,
    column('Type', 'string', 'How the service can be reached.'),
    column('Cluster-IP', 'string', 'The address of the service inside the cluster.'),
    column('External-IP', 'string', 'Where the service can be reached from outside.'),
    column('Port(s)', 'string', 'The ports of the service, and those of the nodes for it.'),
    AGE_COLUMN,
    SELECTOR_COLUMN,
  ],
  members: {
    spec: {
      type: true,
      clusterIPs: true,
      ports: { port: true, nodePort: true, protocol: true },
      selector: true,
      externalIPs: true,
      externalName: true,
    },
    status: { loadBalancer: true },
  },
  cells(service) {
    const { type = '', clusterIPs = [], ports, selector } = service.spec ?? {};
    return [
      nameOf(service),
      type,
      clusterIPs[0] ?? NONE,
      externalText(service),
      listText(ports?.map(portText)),
      ageOf(service),
      labelsText(selector),
    ];
  },
});

function externalText({ spec = {}, status = {} }: Service): string {
  const { type, externalIPs = [], externalName = '' } = spec;
  switch (type) {
    case 'ClusterIP':
    case 'NodePort':
      return listText(externalIPs);
    case 'LoadBalancer': {
      const balanced = loadBalancerText(status.loadBalancer);
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
