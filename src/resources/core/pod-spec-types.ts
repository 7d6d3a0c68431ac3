import type { Container } from './container.ts';
import type { EphemeralContainer } from './ephemeral-container-types.ts';
import type { DnsConfig, HostAlias } from './pod-network.ts';
import type { Affinity, Toleration, TopologySpreadConstraint } from './pod-scheduling.ts';
import type { PodSecurityContext } from './pod-security-context.ts';
import type { Volume } from './volume.ts';

export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers?: Container[];
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number | bigint;
  activeDeadlineSeconds?: number | bigint;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  imagePullSecrets?: { name?: string }[];
  dnsConfig?: DnsConfig;
  readinessGates?: { conditionType?: string }[];
  enableServiceLinks?: boolean;
  runtimeClassName?: string;
  overhead?: Record<string, string>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  os?: { name?: string };
}
