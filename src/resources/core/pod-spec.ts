/**
 * The specification of a pod, of its own or in a template (API-FACTS 13.3 and 14.2). Rules of one
 * value are in the schema.
 */
import { addProblems, invalid, type FieldError } from '../../semantics/field-error.ts';
import { checkLabels } from '../../semantics/label-validation.ts';
import { qualifiedName } from '../../semantics/names.ts';
import { checkHostNetworkPorts } from './container-ports.ts';
import { checkResources } from './container-resources.ts';
import { checkContainers, checkInitContainers, type Container } from './container.ts';
import { checkEphemeralContainers, type EphemeralContainer } from './ephemeral-containers.ts';
import { checkDnsConfig, checkHostAliases, type DnsConfig, type HostAlias } from './pod-network.ts';
import { checkHostProcess, checkOs } from './pod-os.ts';
import {
  checkAffinity,
  checkTolerations,
  checkTopologySpread,
  type Affinity,
  type Toleration,
  type TopologySpreadConstraint,
} from './pod-scheduling.ts';
import { checkPodSecurityContext, type PodSecurityContext } from './pod-security-context.ts';
import { checkVolumes, type Volume } from './volume.ts';

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
  dnsConfig?: DnsConfig;
  readinessGates?: { conditionType?: string }[];
  enableServiceLinks?: boolean;
  overhead?: Record<string, string>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  os?: { name?: string };
}

/** Adds the problems of a specification to `errors`; `podName` is '' in a template. */
export function checkPodSpec(
  spec: PodSpec,
  podName: string,
  field: string,
  errors: FieldError[],
): void {
  const { containers = [], initContainers = [] } = spec;
  const volumes = checkVolumes(spec.volumes ?? [], podName, `${field}.volumes`, errors);
  checkContainers(containers, volumes, `${field}.containers`, errors);
  checkInitContainers(initContainers, containers, volumes, `${field}.initContainers`, errors);
  checkEphemeralContainers(spec, volumes, `${field}.ephemeralContainers`, errors);
  if (spec.nodeSelector) checkLabels(spec.nodeSelector, `${field}.nodeSelector`, errors);
  checkSecurity(spec, field, errors);
  if (spec.affinity) checkAffinity(spec.affinity, `${field}.affinity`, errors);
  checkDnsConfig(spec.dnsConfig, spec.dnsPolicy, `${field}.dnsConfig`, errors);
  checkReadinessGates(spec.readinessGates ?? [], `${field}.readinessGates`, errors);
  if (spec.topologySpreadConstraints) {
    const at = `${field}.topologySpreadConstraints`;
    checkTopologySpread(spec.topologySpreadConstraints, at, errors);
  }
  checkHostProcess(spec, field, errors);
  if (spec.tolerations) checkTolerations(spec.tolerations, `${field}.tolerations`, errors);
  if (spec.hostAliases) checkHostAliases(spec.hostAliases, `${field}.hostAliases`, errors);
  if (spec.overhead) checkResources({ limits: spec.overhead }, `${field}.overhead`, errors);
  checkOs(spec, field, errors);
}

function checkSecurity(spec: PodSpec, field: string, errors: FieldError[]): void {
  const at = `${field}.securityContext`;
  if (spec.hostNetwork === true) {
    checkHostNetworkPorts(spec.containers ?? [], `${field}.containers`, errors);
  }
  if (spec.hostPID === true && spec.shareProcessNamespace === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${at}.shareProcessNamespace`, true, detail));
  }
  if (spec.securityContext) checkPodSecurityContext(spec.securityContext, at, errors);
}

function checkReadinessGates(
  gates: readonly { readonly conditionType?: string }[],
  field: string,
  errors: FieldError[],
): void {
  gates.forEach(({ conditionType = '' }, index) => {
    addProblems(
      qualifiedName(conditionType),
      `${field}[${index}].conditionType`,
      conditionType,
      errors,
    );
  });
}
