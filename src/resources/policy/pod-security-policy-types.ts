import type { ApiObject } from '../kind.ts';

interface Range {
  min?: number | bigint;
  max?: number | bigint;
}

export interface Strategy {
  rule?: string;
  ranges?: Range[];
}

export interface PodSecurityPolicySpec {
  privileged?: boolean;
  requiredDropCapabilities?: string[];
  allowedCapabilities?: string[];
  defaultAddCapabilities?: string[];
  volumes?: string[];
  hostPorts?: { min?: number; max?: number }[];
  seLinux?: Strategy;
  runAsUser?: Strategy;
  runAsGroup?: Strategy;
  supplementalGroups?: Strategy;
  fsGroup?: Strategy;
  readOnlyRootFilesystem?: boolean;
  defaultAllowPrivilegeEscalation?: boolean;
  allowPrivilegeEscalation?: boolean;
  allowedHostPaths?: { pathPrefix?: string; readOnly?: boolean }[];
  allowedFlexVolumes?: { driver?: string }[];
  allowedCSIDrivers?: { name?: string }[];
  allowedUnsafeSysctls?: string[];
  forbiddenSysctls?: string[];
  allowedProcMountTypes?: string[];
  runtimeClass?: { allowedRuntimeClassNames?: string[]; defaultRuntimeClassName?: string };
}

export interface PodSecurityPolicy extends ApiObject {
  spec?: PodSecurityPolicySpec;
}
