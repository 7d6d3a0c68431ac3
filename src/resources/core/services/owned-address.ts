/** IPAddresses that hold the cluster IPs of services (README.md#rules). */
import type { IPAddress } from '#messages/networking.v1';
import { ownDialect, ownName } from '../../../semantics/dialect/own-names.ts';
import { parseIp } from '../../../semantics/validation/ip-address.ts';
import type { ApiObject } from '../../kind.ts';

/** The shards of both types, by their keys. */
export const ADDRESSES = 'ipaddresses.networking.cluster.io';
export const RANGES = 'servicecidrs.networking.cluster.io';

export const FAMILY_LABEL = ownName('ipaddress.cluster.io/ip-family');
export const MANAGER_LABEL = ownName('ipaddress.cluster.io/managed-by');
const SERVICES = 'services';

/** The value of the label of IPAddresses that the server makes. */
export function addressManager(): string {
  return `ipallocator.${ownDialect().domain}`;
}

/** The IPAddress that holds an address, in its usual form, for a service. */
export function addressOf(address: string, { metadata }: ApiObject): IPAddress {
  const { namespace = '', name = '' } = metadata;
  const family = parseIp(address)?.family ?? '';
  return {
    metadata: {
      name: address,
      labels: { [FAMILY_LABEL]: family, [MANAGER_LABEL]: addressManager() },
    },
    spec: { parentRef: { resource: SERVICES, namespace, name } },
  };
}

/** Whether it holds its address for some service. */
export function isOfService({ spec }: IPAddress): boolean {
  const { group = '', resource } = spec?.parentRef ?? {};
  return group === '' && resource === SERVICES;
}

/** Whether it holds its address for that service. */
export function isOf(address: IPAddress, { metadata }: ApiObject): boolean {
  const { namespace, name } = address.spec?.parentRef ?? {};
  return isOfService(address) && namespace === metadata.namespace && name === metadata.name;
}

/** Whether the server has made it, as its label says. */
export function isManaged({ metadata }: ApiObject): boolean {
  return metadata.labels?.[MANAGER_LABEL] === addressManager();
}

/** Whether its labels are those that the server gives it. */
export function hasRightLabels(address: ApiObject): boolean {
  const family = parseIp(address.metadata.name ?? '')?.family;
  return isManaged(address) && address.metadata.labels?.[FAMILY_LABEL] === family;
}
