import type { ApiObject } from '../kind.ts';
import type { ResourceList } from './resource-names.ts';
import type { Taint } from './taints.ts';

export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: unknown;
  externalID?: string;
}

export interface NodeAddress {
  type?: string;
  address?: string;
}

interface NodeStatus {
  capacity?: ResourceList;
  allocatable?: ResourceList;
  conditions?: { type?: string; status?: string }[];
  addresses?: NodeAddress[];
  config?: unknown;
  nodeInfo?: {
    kernelVersion?: string;
    osImage?: string;
    containerRuntimeVersion?: string;
    kubeletVersion?: string;
  };
}

export interface ClusterNode extends ApiObject {
  spec?: NodeSpec;
  status?: NodeStatus;
}
