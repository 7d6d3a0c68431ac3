/** Warnings to who writes a service. */
import type { Service, ServiceSpec } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import { ipRangeWarnings, ipWarnings } from '../../../semantics/validation/address-warnings.ts';
import { NO_CLUSTER_IP } from './service-spec.ts';
import { TOPOLOGY_HINTS, TOPOLOGY_MODE } from './service-validation.ts';

/** About a service that is valid, in the reference's order. */
export function serviceWarnings({ metadata, spec = {} }: Service): string[] {
  if (!ownRelease().has('topologyModes')) return [];
  const { type, loadBalancerIP = '', loadBalancerSourceRanges = [] } = spec;
  const isHeadless = isOnlyHeadless(spec);
  const isServed = !isHeadless && type !== 'ExternalName';
  return [
    ...hintsWarnings(metadata.annotations),
    ...(isServed ? addressesWarnings('clusterIPs', spec) : []),
    ...(isHeadless ? headlessWarnings(spec) : []),
    ...addressesWarnings('externalIPs', spec),
    ...(isServed ? deprecatedAddresses(spec) : []),
    ...(loadBalancerIP === '' ? [] : ipWarnings(loadBalancerIP, 'spec.loadBalancerIP')),
    ...loadBalancerSourceRanges.flatMap((range, index) =>
      ipRangeWarnings(range, `spec.loadBalancerSourceRanges[${index}]`),
    ),
    ...ignoredWarnings(spec),
    ...distributionWarnings(spec),
  ];
}

function hintsWarnings(annotations: Readonly<Record<string, string>> = {}): string[] {
  if (annotations[TOPOLOGY_HINTS] === undefined) return [];
  return [`annotation ${TOPOLOGY_HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`];
}

function deprecatedAddresses({ externalIPs = [] }: ServiceSpec): string[] {
  if (externalIPs.length === 0 || !ownRelease().has('deprecatedExternalIps')) return [];
  return ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'];
}

function ignoredWarnings({ type, externalIPs = [], externalName = '' }: ServiceSpec): string[] {
  if (!ownRelease().has('ignoredServiceMembers')) return [];
  if (type === 'ExternalName') {
    if (externalIPs.length === 0) return [];
    return ['spec.externalIPs is ignored when spec.type is "ExternalName"'];
  }
  if (externalName === '') return [];
  return ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}

function distributionWarnings({ trafficDistribution }: ServiceSpec): string[] {
  if (trafficDistribution !== 'PreferClose' || !ownRelease().has('closeIsSameZone')) return [];
  return ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'];
}

function isOnlyHeadless({ type, clusterIP }: ServiceSpec): boolean {
  return type === 'ClusterIP' && clusterIP === NO_CLUSTER_IP;
}

function addressesWarnings(member: 'clusterIPs' | 'externalIPs', spec: ServiceSpec): string[] {
  const addresses = spec[member] ?? [];
  return addresses.flatMap((ip, index) => ipWarnings(ip, `spec.${member}[${index}]`));
}

function headlessWarnings(spec: ServiceSpec): string[] {
  if (!ownRelease().has('ignoredByHeadless')) return [];
  const ignored = [
    spec.loadBalancerIP ? 'loadBalancerIP' : '',
    spec.externalIPs?.length ? 'externalIPs' : '',
    // The capital letter is the reference's.
    spec.sessionAffinity === 'None' ? '' : 'SessionAffinity',
  ];
  return ignored
    .filter((member) => member !== '')
    .map((member) => `spec.${member} is ignored for headless services`);
}
