/**
 * Members of a service that depend on each other: defaults by type, the two forms of the cluster
 * IP, and what an update may leave out or carry along from the stored object (README.md#services).
 */
import type { Service, ServiceSpec } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import type { ServiceFamilies } from './service-ranges.ts';
import { clusterIpErrors, staysPreferDual } from './service-cluster-ips.ts';
import {
  isAccessible,
  isHeadlessWithoutSelector,
  keepsNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  nodePortsOf,
  sameStrings,
} from './service-spec.ts';

const CLIENT_IP_SECONDS = 10_800;

/** Defaults that depend on the type or on other members; schema defaults are already set. */
export function applyServiceDefaults(spec: ServiceSpec): void {
  applyAffinityDefaults(spec);
  for (const port of spec.ports ?? []) {
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') {
      port.targetPort = port.port ?? 0;
    }
  }
  if (isAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (needsClusterIp(spec) || !ownRelease().has('noInternalTrafficOfNames')) {
    spec.internalTrafficPolicy ??= 'Cluster';
  }
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function applyAffinityDefaults(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } };
}

/** For a new service: `clusterIP` alone stands for both forms. */
export function prepareNewService(spec: ServiceSpec, cluster: ServiceFamilies): void {
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  settleIpFamilies(spec, undefined, cluster);
  dropInternalPolicy(spec);
}

/** A name outside of the cluster has no traffic inside, though older releases say so. */
function dropInternalPolicy(spec: ServiceSpec): void {
  if (needsClusterIp(spec) || !ownRelease().has('noInternalTrafficOfNames')) return;
  delete spec.internalTrafficPolicy;
}

/** For an update: `stored` is not changed. */
export function prepareServiceUpdate(
  service: Service,
  { spec: stored = {} }: Service,
  cluster: ServiceFamilies,
): void {
  const { spec } = service;
  if (spec === undefined) return;
  keepAllocatedValues(spec, stored);
  normalizeClusterIps(spec, stored);
  dropOfOldType(spec, stored);
  if (spec.type !== 'LoadBalancer' && service.status?.loadBalancer?.ingress !== undefined) {
    service.status = { ...service.status, loadBalancer: {} };
  }
  settleIpFamilies(spec, stored, cluster);
  dropInternalPolicy(spec);
}

/**
 * An update without what the server allocated keeps the stored values: clients often send what they
 * once created.
 */
function keepAllocatedValues(spec: ServiceSpec, stored: ServiceSpec): void {
  if (needsClusterIp(stored) && needsClusterIp(spec)) {
    if (!spec.clusterIP && stored.clusterIP) spec.clusterIP = stored.clusterIP;
    if (!spec.clusterIPs?.length && stored.clusterIPs) spec.clusterIPs = [...stored.clusterIPs];
  }
  if (keepsNodePorts(stored) && keepsNodePorts(spec)) keepNodePorts(spec, stored);
  if (!needsHealthCheckPort(stored) || !needsHealthCheckPort(spec)) return;
  if (!spec.healthCheckNodePort && stored.healthCheckNodePort) {
    spec.healthCheckNodePort = stored.healthCheckNodePort;
  }
}

/** Ports are the same when their names are; a node port that moved to another is not kept. */
function keepNodePorts(spec: ServiceSpec, stored: ServiceSpec): void {
  const sent = new Set(nodePortsOf(spec));
  const ofName = new Map(stored.ports?.map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const known = ofName.get(port.name ?? '') ?? 0;
    if (!port.nodePort && known !== 0 && !sent.has(known)) port.nodePort = known;
  }
}

/** Clients may know only one form of the cluster IP: a change of one form changes both. */
function normalizeClusterIps(spec: ServiceSpec, stored: ServiceSpec): void {
  const { clusterIP = '' } = spec;
  const { clusterIP: before = '' } = stored;
  if (stored.clusterIPs?.length && !spec.clusterIPs?.length && clusterIP === before) {
    spec.clusterIPs = [...stored.clusterIPs];
  }
  if (clusterIP === before || !sameStrings(spec.clusterIPs, stored.clusterIPs)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Drops members that the new type does not have, unless the client changed them. */
function dropOfOldType(spec: ServiceSpec, stored: ServiceSpec): void {
  if (needsClusterIp(stored) && !needsClusterIp(spec)) dropClusterIps(spec, stored);
  if (needsNodePorts(stored) && !needsNodePorts(spec)) {
    const known = new Set(nodePortsOf(stored));
    if (nodePortsOf(spec).every((nodePort) => known.has(nodePort))) {
      for (const port of spec.ports ?? []) delete port.nodePort;
    }
  }
  if (
    isAccessible(stored) &&
    !isAccessible(spec) &&
    spec.externalTrafficPolicy === stored.externalTrafficPolicy
  ) {
    delete spec.externalTrafficPolicy;
  }
  if (
    needsHealthCheckPort(stored) &&
    !needsHealthCheckPort(spec) &&
    spec.healthCheckNodePort === stored.healthCheckNodePort
  ) {
    delete spec.healthCheckNodePort;
  }
  if (stored.type !== 'LoadBalancer' || spec.type === 'LoadBalancer') return;
  if (spec.allocateLoadBalancerNodePorts === stored.allocateLoadBalancerNodePorts) {
    delete spec.allocateLoadBalancerNodePorts;
  }
  if (spec.loadBalancerClass === stored.loadBalancerClass) delete spec.loadBalancerClass;
}

function dropClusterIps(spec: ServiceSpec, stored: ServiceSpec): void {
  const { clusterIP = '' } = spec;
  if (clusterIP === (stored.clusterIP ?? '') && sameStrings(spec.clusterIPs, stored.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameStrings(spec.ipFamilies, stored.ipFamilies)) delete spec.ipFamilies;
  if (spec.ipFamilyPolicy === stored.ipFamilyPolicy) delete spec.ipFamilyPolicy;
}

/** Families of addresses, in a cluster whose services have those. */
function settleIpFamilies(
  spec: ServiceSpec,
  stored: ServiceSpec | undefined,
  cluster: ServiceFamilies,
): void {
  if (!needsClusterIp(spec)) return;
  // It gets no second family, and loses none, because the cluster has other ones than before.
  if (spec.ipFamilyPolicy !== undefined && staysPreferDual(spec, stored)) return;
  const anyFamily = isHeadlessWithoutSelector(spec);
  spec.ipFamilyPolicy ??=
    stored?.ipFamilyPolicy ?? (anyFamily ? 'RequireDualStack' : 'SingleStack');
  const families = [...(spec.ipFamilies ?? [])];
  const single = spec.ipFamilyPolicy === 'SingleStack';
  // A client that asks for a single stack means it: values that it did not change are cut to fit.
  if (single && stored !== undefined) {
    const { clusterIPs = [] } = spec;
    if (clusterIPs.length > 1 && sameStrings(clusterIPs, stored.clusterIPs)) {
      spec.clusterIPs = clusterIPs.slice(0, 1);
    }
    if (sameStrings(families, stored.ipFamilies)) families.splice(1);
  }
  spec.ipFamilies = families;
  if (clusterIpErrors(spec, stored, cluster).length > 0) return;
  // An address says its family.
  for (const clusterIp of (spec.clusterIPs ?? []).slice(families.length)) {
    const family = parseIp(clusterIp)?.family;
    if (family !== undefined && cluster.includes(family) && !families.includes(family)) {
      families.push(family);
    }
  }
  if (families.length === 0) families.push(cluster[0]);
  if (!single && families.length === 1 && (anyFamily || cluster.length > 1)) {
    families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  }
}
