/** All kinds that are served: a new kind is its message in `proto/`, its file, and a line here. */
import { neutralGroup } from '../semantics/dialect/own-names.ts';
import { groupResourceText } from '../semantics/errors/status.ts';
import { MUTATING_POLICY_BINDING } from './admissionregistration/mutating-policy-binding.ts';
import { MUTATING_POLICY } from './admissionregistration/mutating-policy.ts';
import { MUTATING_WEBHOOK_CONFIGURATION } from './admissionregistration/mutating-webhooks.ts';
import { VALIDATING_POLICY_BINDING } from './admissionregistration/validating-policy-binding.ts';
import { VALIDATING_POLICY } from './admissionregistration/validating-policy.ts';
import { VALIDATING_WEBHOOK_CONFIGURATION } from './admissionregistration/validating-webhooks.ts';
import { CUSTOM_RESOURCE_DEFINITION } from './apiextensions/custom-resource-definition.ts';
import { API_SERVICE } from './apiregistration/api-service.ts';
import { STORAGE_VERSION } from './apiserverinternal/storage-version.ts';
import { CONTROLLER_REVISION } from './apps/controller-revision.ts';
import { DAEMON_SET } from './apps/daemon-set.ts';
import { DEPLOYMENT } from './apps/deployment.ts';
import { REPLICA_SET } from './apps/replica-set.ts';
import { STATEFUL_SET } from './apps/stateful-set.ts';
import { HORIZONTAL_POD_AUTOSCALER } from './autoscaling/horizontal-pod-autoscaler.ts';
import { CRON_JOB } from './batch/cron-job.ts';
import { JOB } from './batch/job.ts';
import { CERTIFICATE_SIGNING_REQUEST } from './certificates/certificate-signing-request.ts';
import { CLUSTER_TRUST_BUNDLE } from './certificates/cluster-trust-bundle.ts';
import { POD_CERTIFICATE_REQUEST } from './certificates/pod-certificate-request.ts';
import { LEASE } from './coordination/lease.ts';
import { LEASE_CANDIDATE } from './coordination/lease-candidate.ts';
import { NODE } from './core/nodes/cluster-node.ts';
import { CONFIG_MAP } from './core/config-map.ts';
import { ENDPOINTS } from './core/services/endpoints.ts';
import { EVENT } from './core/event.ts';
import { LIMIT_RANGE } from './core/limit-range.ts';
import { NAMESPACE } from './core/namespace.ts';
import { PERSISTENT_VOLUME_CLAIM } from './core/volumes/persistent-volume-claim.ts';
import { PERSISTENT_VOLUME } from './core/volumes/persistent-volume.ts';
import { POD_TEMPLATE } from './core/pods/pod-template.ts';
import { POD } from './core/pods/pod.ts';
import { REPLICATION_CONTROLLER } from './core/replication-controller.ts';
import { RESOURCE_QUOTA } from './core/resource-quota.ts';
import { SECRET } from './core/secret.ts';
import { SERVICE_ACCOUNT } from './core/service-account.ts';
import { SERVICE } from './core/services/service.ts';
import { ENDPOINT_SLICE } from './discovery/endpoint-slice.ts';
import { FLOW_SCHEMA } from './flowcontrol/flow-schema.ts';
import { PRIORITY_LEVEL_CONFIGURATION } from './flowcontrol/priority-level-configuration.ts';
import { EVICTION } from './lifecycle/eviction.ts';
import { EVICTION_REQUEST } from './lifecycle/eviction-request.ts';
import type { BuiltInKind, KindDefinition } from './kind.ts';
import { isReleased } from './kind-lives.ts';
import { CLUSTER_CIDR } from './networking/cluster-cidr.ts';
import { INGRESS_CLASS } from './networking/ingress-class.ts';
import { INGRESS } from './networking/ingress.ts';
import { IP_ADDRESS } from './networking/ip-address.ts';
import { NETWORK_POLICY } from './networking/network-policy.ts';
import { SERVICE_CIDR } from './networking/service-cidr.ts';
import { RUNTIME_CLASS } from './node/runtime-class.ts';
import { POD_DISRUPTION_BUDGET } from './policy/pod-disruption-budget.ts';
import { POD_SECURITY_POLICY } from './policy/pod-security-policy.ts';
import { CLUSTER_ROLE_BINDING } from './rbac/cluster-role-binding.ts';
import { CLUSTER_ROLE } from './rbac/cluster-role.ts';
import { ROLE_BINDING } from './rbac/role-binding.ts';
import { ROLE } from './rbac/role.ts';
import { ALPHA_RESOURCE_CLAIM_TEMPLATE } from './resource/alpha/alpha-claim-template.ts';
import { ALPHA_RESOURCE_CLAIM } from './resource/alpha/alpha-claim.ts';
import { ALPHA_RESOURCE_SLICE } from './resource/alpha/alpha-slice.ts';
import { RESOURCE_CLAIM_PARAMETERS } from './resource/alpha/claim-parameters.ts';
import { RESOURCE_CLASS_PARAMETERS } from './resource/alpha/class-parameters.ts';
import { POD_SCHEDULING, POD_SCHEDULING_CONTEXT } from './resource/alpha/pod-scheduling.ts';
import { RESOURCE_CLASS } from './resource/alpha/resource-class.ts';
import { DEVICE_CLASS } from './resource/device-class.ts';
import { DEVICE_TAINT_RULE } from './resource/device-taint-rule.ts';
import { RESOURCE_CLAIM } from './resource/resource-claim.ts';
import { RESOURCE_CLAIM_TEMPLATE } from './resource/resource-claim-template.ts';
import { RESOURCE_POOL_STATUS_REQUEST } from './resource/resource-pool-status-request.ts';
import { RESOURCE_SLICE } from './resource/resource-slice.ts';
import { COMPOSITE_POD_GROUP } from './scheduling/composite-pod-group.ts';
import { POD_GROUP_V1ALPHA2 } from './scheduling/pod-group-v1alpha2.ts';
import { POD_GROUP } from './scheduling/pod-group.ts';
import { PRIORITY_CLASS } from './scheduling/priority-class.ts';
import { WORKLOAD_V1ALPHA1 } from './scheduling/workload-v1alpha1.ts';
import { WORKLOAD_V1ALPHA2 } from './scheduling/workload-v1alpha2.ts';
import { WORKLOAD } from './scheduling/workload.ts';
import { STORAGE_VERSION_MIGRATION } from './storagemigration/storage-version-migration.ts';
import { CSI_DRIVER } from './storage/csi-driver.ts';
import { CSI_NODE } from './storage/csi-node.ts';
import { CSI_STORAGE_CAPACITY } from './storage/csi-storage-capacity.ts';
import { STORAGE_CLASS } from './storage/storage-class.ts';
import { VOLUME_ATTACHMENT } from './storage/volume-attachment.ts';
import { VOLUME_ATTRIBUTES_CLASS } from './storage/volume-attributes-class.ts';

/** The kinds of all releases. */
export const KINDS_OF_ALL: readonly BuiltInKind[] = [
  NAMESPACE,
  CONFIG_MAP,
  SECRET,
  PERSISTENT_VOLUME,
  PERSISTENT_VOLUME_CLAIM,
  EVENT,
  POD,
  POD_TEMPLATE,
  CRON_JOB,
  JOB,
  CSI_DRIVER,
  CSI_NODE,
  CSI_STORAGE_CAPACITY,
  STORAGE_CLASS,
  VOLUME_ATTACHMENT,
  CONTROLLER_REVISION,
  DAEMON_SET,
  DEPLOYMENT,
  REPLICA_SET,
  STATEFUL_SET,
  REPLICATION_CONTROLLER,
  LEASE,
  SERVICE,
  ENDPOINTS,
  ENDPOINT_SLICE,
  INGRESS,
  INGRESS_CLASS,
  NETWORK_POLICY,
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_WEBHOOK_CONFIGURATION,
  CUSTOM_RESOURCE_DEFINITION,
  API_SERVICE,
  HORIZONTAL_POD_AUTOSCALER,
  CERTIFICATE_SIGNING_REQUEST,
  NODE,
  LIMIT_RANGE,
  RESOURCE_QUOTA,
  SERVICE_ACCOUNT,
  FLOW_SCHEMA,
  PRIORITY_LEVEL_CONFIGURATION,
  RUNTIME_CLASS,
  POD_DISRUPTION_BUDGET,
  POD_SECURITY_POLICY,
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  ROLE,
  ROLE_BINDING,
  PRIORITY_CLASS,
  STORAGE_VERSION,
  IP_ADDRESS,
  SERVICE_CIDR,
  CLUSTER_CIDR,
  VOLUME_ATTRIBUTES_CLASS,
  CLUSTER_TRUST_BUNDLE,
  POD_CERTIFICATE_REQUEST,
  VALIDATING_POLICY,
  VALIDATING_POLICY_BINDING,
  MUTATING_POLICY,
  MUTATING_POLICY_BINDING,
  LEASE_CANDIDATE,
  STORAGE_VERSION_MIGRATION,
  DEVICE_CLASS,
  RESOURCE_CLAIM,
  RESOURCE_CLAIM_TEMPLATE,
  RESOURCE_SLICE,
  DEVICE_TAINT_RULE,
  RESOURCE_POOL_STATUS_REQUEST,
  RESOURCE_CLASS,
  ALPHA_RESOURCE_CLAIM,
  ALPHA_RESOURCE_CLAIM_TEMPLATE,
  ALPHA_RESOURCE_SLICE,
  RESOURCE_CLAIM_PARAMETERS,
  RESOURCE_CLASS_PARAMETERS,
  POD_SCHEDULING_CONTEXT,
  POD_SCHEDULING,
  WORKLOAD_V1ALPHA1,
  WORKLOAD_V1ALPHA2,
  POD_GROUP_V1ALPHA2,
  WORKLOAD,
  POD_GROUP,
  COMPOSITE_POD_GROUP,
  EVICTION,
  EVICTION_REQUEST,
];

/** Whether the release has some version of it. */
function isServed(definition: BuiltInKind): boolean {
  const { group, kind, otherVersions = [] } = definition;
  return [definition, ...otherVersions].some((view) =>
    isReleased({ group: view.group ?? group, version: view.version, kind }),
  );
}

/** Those of the release. */
export const KINDS = KINDS_OF_ALL.filter(isServed);

/**
 * The name of a resource type in the process and in data folders, the same in both dialects:
 * `configmaps`, `leases.coordination.cluster.io`.
 */
export function resourceKey({ group, plural }: Pick<KindDefinition, 'group' | 'plural'>): string {
  return groupResourceText({ group: neutralGroup(group), resource: plural });
}
