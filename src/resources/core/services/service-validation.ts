/** Rules of a service that its schema cannot say (README.md#services), in the reference's order. */
import type { Service, ServicePort, ServiceSpec } from '#messages/core.v1';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  invalidPrinted,
  notSupported,
  printPart,
  required,
  showsJson,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { printIntOrString } from '../../../semantics/validation/int-or-percent.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import { checkLabels } from '../../../semantics/metadata/label-validation.ts';
import { dnsSubdomain, qualifiedName } from '../../../semantics/metadata/names.ts';
import {
  addressRules,
  checkIp,
  checkNonSpecialIp,
  checkPortNumber,
  checkPortNumberOrName,
  type AddressRules,
} from '../../../semantics/validation/network-validation.ts';
import type { RuleContext } from '../../kind.ts';
import { checkSourceRanges, LOAD_BALANCER_ONLY } from './service-source-ranges.ts';
import {
  isAccessible,
  isHeadless,
  needsHealthCheckPort,
  needsNodePorts,
  NO_CLUSTER_IP,
} from './service-spec.ts';

const NODE_AGENT_PORT = 10_250;
const CLIENT_IP_SECONDS_MAX = 86_400;
export const TOPOLOGY_HINTS = ownName('service.cluster.io/topology-aware-hints');
export const TOPOLOGY_MODE = ownName('service.cluster.io/topology-mode');
const EXTERNAL_POLICIES = ['Cluster', 'Local'];
const DISTRIBUTIONS = ['PreferClose'];
const MORE_DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** The errors of a service, on every write. */
export function serviceErrors(
  service: Service,
  stored: Service | undefined,
  { gates }: RuleContext,
): FieldError[] {
  const { spec = {} } = service;
  const errors: FieldError[] = [];
  checkTopologyAnnotations(service, errors);
  if (!spec.ports?.length && !isHeadless(spec) && spec.type !== 'ExternalName') {
    errors.push(required('spec.ports'));
  }
  checkType(spec, errors);
  checkPorts(spec.ports ?? [], errors);
  if (spec.selector !== undefined) checkLabels(spec.selector, 'spec.selector', errors);
  checkSessionAffinity(spec, errors);
  checkExternalIps(spec, addressRules(gates, stored?.spec?.externalIPs), errors);
  checkRepeatedPorts(spec, gates, errors);
  checkSourceRanges(service, stored, gates, errors);
  checkTrafficPolicies(spec, errors);
  checkLoadBalancerMembers(spec, errors);
  checkTrafficDistribution(spec, gates, errors);
  return errors;
}

/** One annotation was renamed: where both are there they say the same. */
function checkTopologyAnnotations({ metadata }: Service, errors: FieldError[]): void {
  const { [TOPOLOGY_HINTS]: hints, [TOPOLOGY_MODE]: mode } = metadata.annotations ?? {};
  if (mode === undefined || hints === undefined || mode === hints) return;
  if (!ownRelease().has('topologyModes')) return;
  const detail = `must match annotations[${TOPOLOGY_HINTS}] when both are specified`;
  errors.push(invalid(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, detail));
}

function checkExternalIps(
  { externalIPs = [] }: ServiceSpec,
  rules: AddressRules,
  errors: FieldError[],
): void {
  externalIPs.forEach((ip, index) => {
    const field = `spec.externalIPs[${index}]`;
    const before = errors.length;
    checkIp(ip, field, errors, rules);
    if (errors.length === before) checkNonSpecialIp(parseIp(ip), ip, field, errors);
  });
}

function checkType(spec: ServiceSpec, errors: FieldError[]): void {
  const { type, ports = [] } = spec;
  if (type === 'LoadBalancer' && !ownRelease().has('openNodeAgentPort')) {
    ports.forEach(({ port }, index) => {
      if (port !== NODE_AGENT_PORT) return;
      const detail = `may not expose port ${port} externally since it is used by kubelet`;
      errors.push(invalid(`spec.ports[${index}]`, port, detail));
    });
  }
  if (needsNodePorts(spec) && isHeadless(spec)) {
    const detail = `may not be set to '${NO_CLUSTER_IP}' for ${type} services`;
    errors.push(invalid('spec.clusterIPs[0]', NO_CLUSTER_IP, detail));
  }
  if (type === 'ExternalName') checkExternalName(spec, errors);
}

function checkExternalName(spec: ServiceSpec, errors: FieldError[]): void {
  const unusable = [
    spec.clusterIPs?.length ? 'clusterIPs' : '',
    spec.ipFamilies?.length ? 'ipFamilies' : '',
    spec.ipFamilyPolicy === undefined ? '' : 'ipFamilyPolicy',
  ];
  for (const member of unusable) {
    if (member === '') continue;
    errors.push(fieldForbidden(`spec.${member}`, 'may not be set for ExternalName services'));
  }
  // A name with a dot at its end is fully qualified.
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required('spec.externalName'));
  else addProblems(dnsSubdomain(name), 'spec.externalName', name, errors);
}

function checkPorts(ports: readonly ServicePort[], errors: FieldError[]): void {
  const names = new Set<string>();
  ports.forEach(({ name = '', port = 0, targetPort = 0 }, index) => {
    const field = `spec.ports[${index}]`;
    if (name === '') {
      if (ports.length > 1) errors.push(required(`${field}.name`));
    } else if (names.has(name)) {
      errors.push(duplicate(`${field}.name`, name));
    }
    names.add(name);
    checkPortNumber(port, `${field}.port`, errors);
    checkPortNumberOrName(targetPort, `${field}.targetPort`, errors);
  });
}

function checkSessionAffinity(spec: ServiceSpec, errors: FieldError[]): void {
  if (spec.sessionAffinity !== 'ClientIP') return;
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  if (seconds > 0 && seconds <= CLIENT_IP_SECONDS_MAX) return;
  const detail = `must be greater than 0 and less than ${CLIENT_IP_SECONDS_MAX}`;
  errors.push(invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, detail));
}

/** Ports and node ports are taken once for each protocol. */
function checkRepeatedPorts(
  { type, ports = [] }: ServiceSpec,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const protocols = new Set(ports.map(({ protocol = '' }) => protocol));
  if (type === 'LoadBalancer' && protocols.size > 1 && !gates.has('MixedProtocolLBService')) {
    const printed = `[]core.ServicePort{${ports.map(printPort).join(', ')}}`;
    const detail = "may not contain more than 1 protocol when type is 'LoadBalancer'";
    errors.push(invalidPrinted('spec.ports', printed, detail));
  }
  const nodePorts = new Set<string>();
  ports.forEach(({ protocol = '', nodePort = 0 }, index) => {
    if (nodePort === 0) return;
    const field = `spec.ports[${index}].nodePort`;
    if (type === 'ClusterIP') {
      errors.push(fieldForbidden(field, "may not be used when `type` is 'ClusterIP'"));
    }
    const key = `${protocol} ${nodePort}`;
    if (nodePorts.has(key)) errors.push(duplicate(field, nodePort));
    nodePorts.add(key);
  });
  const taken = new Set<string>();
  ports.forEach(({ protocol = '', port = 0 }, index) => {
    const key = `${protocol} ${port}`;
    if (taken.has(key)) {
      const message = `Duplicate value: ${printPort({ protocol, port })}`;
      errors.push({ reason: 'FieldValueDuplicate', field: `spec.ports[${index}]`, message });
    }
    taken.add(key);
  });
}

/** A port as the reference server prints it. */
function printPort(port: ServicePort): string {
  const { name = '', protocol = '', appProtocol, targetPort = 0, nodePort = 0 } = port;
  if (showsJson()) {
    const shown = { appProtocol: appProtocol ?? null, port: port.port ?? 0, targetPort, nodePort };
    return printPart({ name, protocol, ...shown }, []);
  }
  return (
    `core.ServicePort{Name:${JSON.stringify(name)}, Protocol:${JSON.stringify(protocol)}, ` +
    `AppProtocol:(*string)(${appProtocol === undefined ? 'nil' : JSON.stringify(appProtocol)}), ` +
    `Port:${port.port ?? 0}, TargetPort:${printIntOrString(targetPort)}, NodePort:${nodePort}}`
  );
}

function checkTrafficPolicies(spec: ServiceSpec, errors: FieldError[]): void {
  const { externalTrafficPolicy: policy = '', healthCheckNodePort = 0 } = spec;
  const field = 'spec.externalTrafficPolicy';
  const portField = 'spec.healthCheckNodePort';
  if (isAccessible(spec)) {
    if (policy === '' && !needsNodePorts(spec)) errors.push(required(field));
    else if (!EXTERNAL_POLICIES.includes(policy)) {
      errors.push(notSupported(field, policy, EXTERNAL_POLICIES));
    }
  } else if (policy !== '') {
    const detail = ownRelease().has('policiesOfExternalAddresses')
      ? 'may only be set for externally-accessible services'
      : "may only be set when `type` is 'NodePort' or 'LoadBalancer'";
    errors.push(invalid(field, policy, detail));
  }
  if (healthCheckNodePort === 0) return;
  if (needsHealthCheckPort(spec)) {
    checkPortNumber(healthCheckNodePort, portField, errors);
    return;
  }
  const detail =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  errors.push(invalid(portField, healthCheckNodePort, detail));
}

function checkLoadBalancerMembers(spec: ServiceSpec, errors: FieldError[]): void {
  const { loadBalancerClass, allocateLoadBalancerNodePorts } = spec;
  if (spec.type === 'LoadBalancer') {
    if (loadBalancerClass === undefined) return;
    addProblems(
      qualifiedName(loadBalancerClass),
      'spec.loadBalancerClass',
      loadBalancerClass,
      errors,
    );
    return;
  }
  if (allocateLoadBalancerNodePorts !== undefined) {
    errors.push(fieldForbidden('spec.allocateLoadBalancerNodePorts', LOAD_BALANCER_ONLY));
  }
  if (loadBalancerClass === undefined) return;
  errors.push(fieldForbidden('spec.loadBalancerClass', LOAD_BALANCER_ONLY));
}

function checkTrafficDistribution(
  { trafficDistribution }: ServiceSpec,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  if (trafficDistribution === undefined) return;
  const known = gates.has('PreferSameTrafficDistribution') ? MORE_DISTRIBUTIONS : DISTRIBUTIONS;
  if (known.includes(trafficDistribution)) return;
  errors.push(notSupported('spec.trafficDistribution', trafficDistribution, known));
}

/** Adds the problems of an update, except those of cluster IPs. */
export function checkServiceUpdate(
  spec: ServiceSpec,
  stored: ServiceSpec,
  errors: FieldError[],
): void {
  if (spec.type === 'LoadBalancer' && stored.type === 'LoadBalancer') {
    const { loadBalancerClass } = spec;
    if (loadBalancerClass !== stored.loadBalancerClass) {
      errors.push(invalid('spec.loadBalancerClass', loadBalancerClass, 'may not change once set'));
    }
  }
  if (!needsHealthCheckPort(spec) || !needsHealthCheckPort(stored)) return;
  if (spec.healthCheckNodePort === stored.healthCheckNodePort) return;
  errors.push(fieldForbidden('spec.healthCheckNodePort', FIELD_IMMUTABLE));
}
