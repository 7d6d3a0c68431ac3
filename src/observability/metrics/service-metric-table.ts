/** Metrics of what services are given: cluster IPs and node ports. */
import type { MetricDefinition } from './metric-definition.ts';

export const SERVICE_METRICS = {
  apiserver_nodeport_repair_port_errors_total: {
    type: 'counter',
    help:
      'Number of errors detected on ports by the repair loop broken down by type of error: ' +
      'leak, repair, full, outOfRange, duplicate, unknown',
    labels: ['type'],
    stability: 'ALPHA',
  },
  apiserver_nodeport_repair_reconcile_errors_total: {
    type: 'counter',
    help: 'Number of reconciliation failures on the nodeport repair reconcile loop',
    labels: [],
    stability: 'ALPHA',
  },
  kube_apiserver_clusterip_allocator_allocated_ips: {
    type: 'gauge',
    help: 'Gauge measuring the number of allocated IPs for Services',
    labels: ['cidr'],
    stability: 'ALPHA',
  },
  kube_apiserver_clusterip_allocator_allocation_duration_seconds: {
    type: 'histogram',
    help: 'Duration in seconds to allocate a Cluster IP by ServiceCIDR',
    labels: ['cidr'],
    stability: 'ALPHA',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  kube_apiserver_clusterip_allocator_allocation_errors_total: {
    type: 'counter',
    help: 'Number of errors trying to allocate Cluster IPs',
    labels: ['cidr', 'scope'],
    stability: 'ALPHA',
  },
  kube_apiserver_clusterip_allocator_allocation_total: {
    type: 'counter',
    help: 'Number of Cluster IPs allocations',
    labels: ['cidr', 'scope'],
    stability: 'ALPHA',
  },
  kube_apiserver_clusterip_allocator_available_ips: {
    type: 'gauge',
    help: 'Gauge measuring the number of available IPs for Services',
    labels: ['cidr'],
    stability: 'ALPHA',
  },
  kube_apiserver_nodeport_allocator_allocated_ports: {
    type: 'gauge',
    help: 'Gauge measuring the number of allocated NodePorts for Services',
    labels: [],
    stability: 'ALPHA',
  },
  kube_apiserver_nodeport_allocator_allocation_errors_total: {
    type: 'counter',
    help: 'Number of errors trying to allocate NodePort',
    labels: ['scope'],
    stability: 'ALPHA',
  },
  kube_apiserver_nodeport_allocator_allocation_total: {
    type: 'counter',
    help: 'Number of NodePort allocations',
    labels: ['scope'],
    stability: 'ALPHA',
  },
  kube_apiserver_nodeport_allocator_available_ports: {
    type: 'gauge',
    help: 'Gauge measuring the number of available NodePorts for Services',
    labels: [],
    stability: 'ALPHA',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
