/**
 * Drops from slices the members whose feature is off, unless the stored object uses the feature.
 */
import type {
  Device,
  DeviceAttribute,
  ResourceSlice,
  ResourceSliceSpec,
} from '#messages/resource.v1';
import type { FeatureGate, FeatureGates } from '../../release/feature-gates.ts';
import { hasSome } from './item-rules.ts';

/** The members of a feature: what uses it, and how they are dropped. */
interface Feature {
  readonly gates: readonly FeatureGate[];
  isUsed(spec: ResourceSliceSpec): boolean;
  drop(spec: ResourceSliceSpec): void;
}

const LISTS = ['bools', 'ints', 'strings', 'versions'] as const;

function ofDevices(
  gates: readonly FeatureGate[],
  isUsed: (device: Device) => boolean,
  drop: (device: Device) => void,
): Feature {
  return {
    gates,
    isUsed: ({ devices = [] }) => devices.some(isUsed),
    drop({ devices = [] }) {
      for (const device of devices) drop(device);
    },
  };
}

function attributesOf({ attributes = {} }: Device): readonly DeviceAttribute[] {
  return Object.values(attributes);
}

const FEATURES: readonly Feature[] = [
  ofDevices(
    ['DRADeviceTaints'],
    ({ taints }) => hasSome(taints),
    (device) => {
      delete device.taints;
    },
  ),
  {
    gates: ['DRAPartitionableDevices'],
    isUsed: ({ sharedCounters, perDeviceNodeSelection, devices = [] }) =>
      hasSome(sharedCounters) || perDeviceNodeSelection !== undefined || devices.some(isPart),
    drop(spec) {
      delete spec.sharedCounters;
      delete spec.perDeviceNodeSelection;
      for (const device of spec.devices ?? []) {
        delete device.consumesCounters;
        delete device.nodeName;
        delete device.nodeSelector;
        delete device.allNodes;
      }
    },
  },
  ofDevices(
    ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    ({ bindingConditions, bindingFailureConditions, bindsToNode }) =>
      hasSome(bindingConditions) || hasSome(bindingFailureConditions) || bindsToNode !== undefined,
    (device) => {
      delete device.bindingConditions;
      delete device.bindingFailureConditions;
      delete device.bindsToNode;
    },
  ),
  ofDevices(
    ['DRAConsumableCapacity'],
    ({ allowMultipleAllocations, capacity = {} }) =>
      allowMultipleAllocations !== undefined ||
      Object.values(capacity).some(({ requestPolicy }) => requestPolicy !== undefined),
    (device) => {
      delete device.allowMultipleAllocations;
      for (const capacity of Object.values(device.capacity ?? {})) delete capacity.requestPolicy;
    },
  ),
  ofDevices(
    ['DRADeviceCompatibilityGroups'],
    ({ consumesCounters = [] }) =>
      consumesCounters.some(({ compatibilityGroups }) => hasSome(compatibilityGroups)),
    ({ consumesCounters = [] }) => {
      for (const consumption of consumesCounters) delete consumption.compatibilityGroups;
    },
  ),
  ofDevices(
    ['DRANodeAllocatableResources'],
    ({ nodeAllocatableResources = {}, nodeAllocatableResourceMappings = {} }) =>
      Object.keys(nodeAllocatableResources).length > 0 ||
      Object.keys(nodeAllocatableResourceMappings).length > 0,
    (device) => {
      delete device.nodeAllocatableResources;
      delete device.nodeAllocatableResourceMappings;
    },
  ),
  ofDevices(
    ['DRAListTypeAttributes'],
    (device) =>
      attributesOf(device).some((attribute) => LISTS.some((list) => attribute[list] !== undefined)),
    (device) => {
      for (const attribute of attributesOf(device)) {
        for (const list of LISTS) delete attribute[list];
      }
    },
  ),
  {
    gates: ['DRAPartitionableDevicesType'],
    isUsed: ({ partitionTypeAttribute }) => partitionTypeAttribute !== undefined,
    drop(spec) {
      delete spec.partitionTypeAttribute;
    },
  },
  {
    gates: ['DRAOptionalNodeOperations'],
    isUsed: ({ skipNodeOperations }) => hasSome(skipNodeOperations),
    drop(spec) {
      delete spec.skipNodeOperations;
    },
  },
];

function isPart({ consumesCounters, nodeName, nodeSelector, allNodes }: Device): boolean {
  const saysWhere = nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined;
  return hasSome(consumesCounters) || saysWhere;
}

export function dropDisabledOfSlice(
  { spec = {} }: ResourceSlice,
  gates: FeatureGates,
  stored?: ResourceSlice,
): void {
  for (const feature of FEATURES) {
    const isOn = feature.gates.every((gate) => gates.has(gate));
    const isInUse = stored?.spec !== undefined && feature.isUsed(stored.spec);
    if (!isOn && !isInUse) feature.drop(spec);
  }
}
