/**
 * The specification of a pod, of its own or in a template (README.md#pods). Rules of one value are
 * in the schema.
 */
import type { PodSchedulingGroup, PodSpec, WorkloadReference } from '#messages/core.v1';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabels } from '../../../semantics/metadata/label-validation.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../../semantics/metadata/names.ts';
import { checkVolumes } from '../volumes/volume.ts';
import { checkContainers, checkInitContainers } from './containers/container.ts';
import { checkFileVolumes } from './containers/environment.ts';
import { checkEphemeralContainers } from './containers/ephemeral-containers.ts';
import { checkHostNetworkPorts } from './containers/ports.ts';
import { checkResources } from './containers/resources.ts';
import { checkPodClaims } from './pod-claims.ts';
import { checkDnsConfig, checkHostAliases } from './pod-network.ts';
import { checkHostProcess, checkOs } from './pod-os.ts';
import { checkPodResources } from './pod-resources.ts';
import type { PodRules } from '../pod-rules.ts';
import {
  checkAffinity,
  checkPreemptionPolicy,
  checkSchedulingGates,
  checkTolerations,
  checkTopologySpread,
  comparesNumbers,
} from './pod-scheduling.ts';
import { checkPodSecurityContext } from './pod-security-context.ts';
import { checkHostname, checkHostUsers } from './pod-users.ts';

/** Adds the problems of a specification to `errors`; `podName` is '' in a template. */
export function checkPodSpec(
  spec: PodSpec,
  podName: string,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  const { containers = [], initContainers = [], resourceClaims } = spec;
  const volumes = checkVolumes(spec.volumes ?? [], podName, `${field}.volumes`, errors, rules);
  if (resourceClaims) {
    checkPodClaims(resourceClaims, podName, rules, `${field}.resourceClaims`, errors);
  }
  const within = { ...rules, spec, volumes };
  checkContainers(containers, within, `${field}.containers`, errors);
  checkInitContainers(initContainers, containers, within, `${field}.initContainers`, errors);
  checkEphemeralContainers(spec, within, `${field}.ephemeralContainers`, errors);
  checkPodResources(spec, rules, field, errors);
  if (spec.nodeSelector) checkLabels(spec.nodeSelector, `${field}.nodeSelector`, errors);
  checkSecurity(spec, rules, field, errors);
  if (spec.affinity) checkAffinity(spec.affinity, rules, `${field}.affinity`, errors);
  checkDnsConfig(spec.dnsConfig, spec.dnsPolicy, rules, `${field}.dnsConfig`, errors);
  checkReadinessGates(spec.readinessGates ?? [], `${field}.readinessGates`, errors);
  checkPlace(spec, rules, field, errors);
  checkHostProcess(spec, field, errors);
  checkHostUsers(spec, rules, field, errors);
  checkHostname(spec, field, errors);
  if (spec.tolerations) {
    const at = `${field}.tolerations`;
    checkTolerations(spec.tolerations, at, errors, comparesNumbers(rules));
  }
  if (spec.hostAliases) checkHostAliases(spec.hostAliases, rules, `${field}.hostAliases`, errors);
  checkPreemptionPolicy(spec.preemptionPolicy, `${field}.preemptionPolicy`, errors);
  if (spec.overhead) checkResources({ limits: spec.overhead }, `${field}.overhead`, errors);
  checkOs(spec, field, errors);
  checkGroups(spec, field, errors);
  checkFileVolumes(spec, field, errors);
}

/** Checks which nodes a pod tolerates, and how pods are spread. */
function checkPlace(
  { schedulingGates, topologySpreadConstraints }: PodSpec,
  rules: PodRules,
  field: string,
  errors: FieldError[],
): void {
  if (schedulingGates) checkSchedulingGates(schedulingGates, `${field}.schedulingGates`, errors);
  if (topologySpreadConstraints === undefined) return;
  const at = `${field}.topologySpreadConstraints`;
  checkTopologySpread(topologySpreadConstraints, rules, at, errors);
}

/** The pods together with which a pod is scheduled. */
function checkGroups(
  { schedulingGroup, workloadRef, evictionResponders = [] }: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  if (workloadRef) checkWorkload(workloadRef, `${field}.workloadRef`, errors);
  if (schedulingGroup === undefined) return;
  const at = `${field}.schedulingGroup`;
  checkGroup(schedulingGroup, `${at}.podGroupName`, errors);
  if (evictionResponders.length === 0) return;
  errors.push(fieldForbidden(at, 'may not be set when evictionResponders is set'));
}

function checkGroup(
  { podGroupName: name }: PodSchedulingGroup,
  field: string,
  errors: FieldError[],
): void {
  if (name === undefined) {
    errors.push(invalid(field, name, 'must specify one of: `podGroupName`'));
  } else {
    addProblems(dnsSubdomain(name), field, name, errors);
  }
}

function checkWorkload(
  { name = '', podGroup = '', podGroupReplicaKey: key = '' }: WorkloadReference,
  field: string,
  errors: FieldError[],
): void {
  addProblems(dnsSubdomain(name), `${field}.name`, name, errors);
  addProblems(dnsLabel(podGroup), `${field}.podGroup`, podGroup, errors);
  if (key !== '') addProblems(dnsLabel(key), `${field}.podGroupReplicaKey`, key, errors);
}

function checkSecurity(spec: PodSpec, rules: PodRules, field: string, errors: FieldError[]): void {
  const at = `${field}.securityContext`;
  if (spec.hostNetwork === true) {
    const isPod = rules.isPod === true;
    checkHostNetworkPorts(spec.containers ?? [], isPod, `${field}.containers`, errors);
  }
  if (spec.hostPID === true && spec.shareProcessNamespace === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    const path = ownRelease().has('plainProcessNamespaces') ? field : at;
    errors.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  const { securityContext } = spec;
  if (!securityContext) return;
  checkPodSecurityContext(securityContext, spec, rules, at, errors);
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
