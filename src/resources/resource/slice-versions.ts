/** Slices in versions whose devices have their properties in `basic` (README.md#versions). */
import type { Device, ResourceSlice } from '#messages/resource.v1';
import type { BasicDevice, ResourceSlice as BasicSlice } from '#messages/resource.v1beta1';
import type { BasicDevice as AlphaDevice } from '#messages/resource.v1alpha3';
import type { ApiObject, KindVersion } from '../kind.ts';

/** Capacities are amounts alone in `v1alpha3`. */
interface Properties<Basic> {
  toStored(basic: Basic): Omit<Device, 'name'>;
  fromStored(properties: Omit<Device, 'name'>): Basic;
}

const SAME: Properties<BasicDevice> = {
  toStored: (basic) => basic,
  fromStored: (properties) => properties,
};

const BARE: Properties<AlphaDevice> = {
  toStored: ({ capacity, ...basic }) => ({
    ...basic,
    ...(capacity && { capacity: mapped(capacity, (value) => ({ value })) }),
  }),
  fromStored: ({ capacity, ...properties }) => ({
    ...properties,
    ...(capacity && { capacity: mapped(capacity, ({ value = '0' }) => value) }),
  }),
};

function mapped<From, To>(
  map: Readonly<Record<string, From>>,
  make: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, make(value)]));
}

export const SLICE_VERSIONS: readonly KindVersion[] = [
  version('v1beta1', SAME),
  version('v1alpha3', BARE),
];

function version<Basic extends object>(
  name: string,
  { toStored, fromStored }: Properties<Basic>,
): KindVersion {
  return {
    version: name,
    message: `resource.${name}.ResourceSlice`,
    toStored(object) {
      const { spec, ...slice } = object as BasicSlice;
      if (spec === undefined) return object;
      const { devices, nodeName, allNodes, ...others } = spec;
      const stored = devices?.map(({ basic, ...device }) => ({
        ...device,
        ...(basic && toStored(basic as Basic)),
      }));
      return {
        ...slice,
        spec: {
          ...others,
          // Empty members are not there.
          ...(nodeName && { nodeName }),
          ...(allNodes === true && { allNodes }),
          ...(stored && { devices: stored }),
        },
      } as ApiObject;
    },
    fromStored(object) {
      const { spec, ...slice } = object as ResourceSlice;
      if (spec === undefined) return object;
      const devices = spec.devices?.map(({ name: device, ...properties }) => ({
        ...(device !== undefined && { name: device }),
        basic: fromStored(properties),
      }));
      return { ...slice, spec: { ...spec, ...(devices && { devices }) } } as ApiObject;
    },
  };
}
