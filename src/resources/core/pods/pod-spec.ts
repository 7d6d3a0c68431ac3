/**
 * The specification of a pod, of its own or in a template (README.md#pods). Rules of one value are
 * in the schema.
 */
import type { PodSpec } from '#messages/core.v1';
import { addProblems, invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkLabels } from '../../../semantics/metadata/label-validation.ts';
import { qualifiedName } from '../../../semantics/metadata/names.ts';
import { checkHostNetworkPorts } from './container-ports.ts';
import { checkResources } from './container-resources.ts';
import { checkContainers, checkInitContainers } from './container.ts';
import { checkEphemeralContainers } from './ephemeral-containers.ts';
import { checkDnsConfig, checkHostAliases } from './pod-network.ts';
import { checkHostProcess, checkOs } from './pod-os.ts';
import {
  checkAffinity,
  checkPreemptionPolicy,
  checkTolerations,
  checkTopologySpread,
} from './pod-scheduling.ts';
import { checkPodSecurityContext } from './pod-security-context.ts';
import { checkVolumes } from '../volumes/volume.ts';

/**
 * Adds the problems of a specification to `errors`; `podName` is '' in a template. Names in
 * `stored` that are no longer allowed may stay.
 */
export function checkPodSpec(
  spec: PodSpec,
  podName: string,
  field: string,
  errors: FieldError[],
  stored?: PodSpec,
): void {
  const { containers = [], initContainers = [] } = spec;
  const volumes = checkVolumes(spec.volumes ?? [], podName, `${field}.volumes`, errors);
  checkContainers(containers, volumes, `${field}.containers`, errors);
  checkInitContainers(initContainers, containers, volumes, `${field}.initContainers`, errors);
  checkEphemeralContainers(spec, volumes, `${field}.ephemeralContainers`, errors);
  if (spec.nodeSelector) checkLabels(spec.nodeSelector, `${field}.nodeSelector`, errors);
  checkSecurity(spec, field, errors, stored);
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
  checkPreemptionPolicy(spec.preemptionPolicy, `${field}.preemptionPolicy`, errors);
  if (spec.overhead) checkResources({ limits: spec.overhead }, `${field}.overhead`, errors);
  checkOs(spec, field, errors);
}

function checkSecurity(spec: PodSpec, field: string, errors: FieldError[], stored?: PodSpec): void {
  const at = `${field}.securityContext`;
  if (spec.hostNetwork === true) {
    checkHostNetworkPorts(spec.containers ?? [], `${field}.containers`, errors);
  }
  if (spec.hostPID === true && spec.shareProcessNamespace === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${at}.shareProcessNamespace`, true, detail));
  }
  const { securityContext } = spec;
  if (!securityContext) return;
  checkPodSecurityContext(securityContext, at, errors, stored?.securityContext);
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
