/** The members of a service that its rules look at, and what its type means for them. */
import type { ServiceSpec } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';

/** The cluster IP of a headless service: it has none. */
export const NO_CLUSTER_IP = 'None';

/** Types of services that select pods: all but ExternalName. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

/** Services that can be reached from outside, through a port of each node. */
export function needsNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Services that can be reached from outside in any way. */
export function isAccessible(spec: ServiceSpec): boolean {
  if (needsNodePorts(spec)) return true;
  const hasAddress = spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0;
  return hasAddress && ownRelease().has('policiesOfExternalAddresses');
}

/** Services that keep the ports of nodes that they have. */
export function keepsNodePorts(spec: ServiceSpec): boolean {
  if (spec.type !== 'LoadBalancer' || !ownRelease().has('balancersWithoutPorts')) {
    return needsNodePorts(spec);
  }
  return spec.allocateLoadBalancerNodePorts !== false;
}

/** Services whose load balancer asks each node whether it has endpoints. */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

/** Services whose name stands for the addresses of their endpoints. */
export function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === NO_CLUSTER_IP;
}

/** Headless and without a selector: somebody else keeps its endpoints, in any family. */
export function isHeadlessWithoutSelector(spec: ServiceSpec): boolean {
  if (spec.clusterIP !== NO_CLUSTER_IP) return false;
  for (const _key in spec.selector) return false;
  return true;
}

/** The node ports that are set. */
export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  const nodePorts: number[] = [];
  for (const { nodePort = 0 } of ports) if (nodePort !== 0) nodePorts.push(nodePort);
  return nodePorts;
}

/** Whether two lists are the same; an absent one is empty. */
export function sameStrings(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
