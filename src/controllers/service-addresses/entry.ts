/** Keeps addresses of services as objects (src/controllers/README.md#addresses-of-services). */
import { ownRelease } from '../../release/release.ts';
import { oneOf, type ControllerEntry } from '../controller-entry.ts';
import type { Ports } from '../run-controller.ts';

const ADDRESSES = 'ipaddresses.networking.cluster.io';
const RANGES = 'servicecidrs.networking.cluster.io';

/** The first releases with IPAddresses have no ServiceCIDRs. */
function hasRanges(): boolean {
  return ownRelease().has('objectsOfServiceRanges');
}

/** There is nothing to do in the release. */
async function idle(ports: Ports): Promise<void> {
  const { runController } = await import('../run-controller.ts');
  await runController(ports, { begin: () => undefined, stop: () => undefined });
}

export const defaultServiceCidr: ControllerEntry = {
  concerns: oneOf(RANGES),
  requiredBy: ['MultiCIDRServiceAllocator'],
  begins: 'beforeServing',
  steps: ['poststarthook/start-kubernetes-service-cidr-controller'],
  run: async (ports, { serviceRanges, nowMs, logError }) => {
    if (!hasRanges()) return idle(ports);
    const { DefaultRange } = await import('./default-range.ts');
    await new DefaultRange(ports, { cidrs: serviceRanges, nowMs, logError }).run();
  },
};

export const serviceIpRepair: ControllerEntry = {
  concerns: oneOf('services', 'events', ADDRESSES, RANGES),
  requiredBy: ['MultiCIDRServiceAllocator'],
  begins: 'beforeServing',
  steps: ['poststarthook/start-service-ip-repair-controllers'],
  run: async (ports, { serviceRanges, nodePortRange, nowMs, logError }) => {
    const { AddressRepair } = await import('./address-repair.ts');
    const cidrs = hasRanges() ? undefined : serviceRanges;
    await new AddressRepair(ports, { cidrs, nodePortRange, nowMs, logError }).run();
  },
};

export const serviceCidr: ControllerEntry = {
  concerns: oneOf(ADDRESSES, RANGES),
  needs: 'MultiCIDRServiceAllocator',
  run: async (ports, { nowMs, logError }) => {
    if (!hasRanges()) return idle(ports);
    const { RangeHolder } = await import('./range-holder.ts');
    await new RangeHolder(ports, { nowMs, logError }).run();
  },
};
