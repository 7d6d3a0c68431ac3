/** Which members clients must send, for documents: the model's rules are those of the server. */
import { REQUIRED_IN } from '../../release/data/required-members.ts';
import { isIn } from '../../release/life.ts';
import { ownRelease } from '../../release/release.ts';
import type { FieldSchema } from '../../codec/model/schema-model.ts';

/**
 * Members that are always written and may be left out by clients all the same: they are marked as
 * optional in the public schema, or show an empty list or zero.
 */
const OPTIONAL: ReadonlySet<string> = new Set([
  'admissionregistration.v1.ValidatingAdmissionPolicySpec.variables',
  'apiextensions.v1.CustomResourceDefinitionStatus.conditions',
  'apiextensions.v1.CustomResourceDefinitionStatus.storedVersions',
  'apps.v1.ControllerRevision.data',
  'apps.v1.StatefulSetOrdinals.start',
  'apps.v1.StatefulSetStatus.availableReplicas',
  'authentication.v1.TokenRequestSpec.expirationSeconds',
  'autoscaling.v2.HorizontalPodAutoscalerStatus.currentMetrics',
  'autoscaling.v2beta1.HorizontalPodAutoscalerStatus.conditions',
  'autoscaling.v2beta1.HorizontalPodAutoscalerStatus.currentMetrics',
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus.conditions',
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus.currentMetrics',
  'batch.v1.PodFailurePolicyOnExitCodesRequirement.containerName',
  'batch.v1.PodFailurePolicyRule.onPodConditions',
  'core.v1.AzureFilePersistentVolumeSource.secretNamespace',
  'core.v1.ContainerImage.names',
  'core.v1.Event.reportingComponent',
  'core.v1.Event.reportingInstance',
  'core.v1.GRPCAction.service',
  'core.v1.NodeRuntimeHandler.name',
  'core.v1.ProjectedVolumeSource.sources',
  'core.v1.ResourceFieldSelector.divisor',
  'core.v1.ServicePort.targetPort',
  'core.v1.TypedLocalObjectReference.apiGroup',
  'core.v1.TypedObjectReference.apiGroup',
  'discovery.v1.EndpointSlice.ports',
  'discovery.v1beta1.EndpointSlice.ports',
  'flowcontrol.v1.LimitedPriorityLevelConfiguration.nominalConcurrencyShares',
  'flowcontrol.v1beta2.FlowSchemaSpec.matchingPrecedence',
  'flowcontrol.v1beta2.LimitedPriorityLevelConfiguration.assuredConcurrencyShares',
  'flowcontrol.v1beta2.QueuingConfiguration.handSize',
  'flowcontrol.v1beta2.QueuingConfiguration.queueLengthLimit',
  'flowcontrol.v1beta2.QueuingConfiguration.queues',
  'flowcontrol.v1beta2.ResourcePolicyRule.namespaces',
  'flowcontrol.v1beta3.LimitedPriorityLevelConfiguration.nominalConcurrencyShares',
  'networking.v1.IngressClassParametersReference.scope',
  'networking.v1alpha1.ClusterCIDRSpec.ipv4',
  'networking.v1alpha1.ClusterCIDRSpec.ipv6',
  'rbac.v1.ClusterRole.rules',
  'rbac.v1.Role.rules',
  'resource.v1.AllocatedDeviceStatus.conditions',
  'resource.v1.CapacityRequestPolicy.default',
  'resource.v1.DeviceClaim.requests',
  'resource.v1alpha2.PodSchedulingContextSpec.potentialNodes',
  'resource.v1alpha2.ResourceClaimSchedulingStatus.unsuitableNodes',
  'resource.v1alpha3.DeviceClaim.requests',
  'resource.v1alpha3.DeviceRequest.adminAccess',
  'resource.v1alpha3.ResourceSliceSpec.devices',
  'resource.v1beta1.DeviceClaim.requests',
  'scheduling.v1alpha3.WorkloadSpec.podGroupTemplates',
  'storage.v1.CSINodeDriver.topologyKeys',
]);

/** Messages and times that are required: most may be left out, since they are always written. */
const REQUIRED: ReadonlySet<string> = new Set([
  'apiextensions.v1.CustomResourceDefinition.spec',
  'apiserverinternal.v1alpha1.StorageVersion.spec',
  'apiserverinternal.v1alpha1.StorageVersion.status',
  'apps.v1.DaemonSetSpec.template',
  'apps.v1.DeploymentSpec.template',
  'apps.v1.StatefulSetSpec.template',
  'authentication.v1.TokenRequest.spec',
  'authentication.v1.TokenReview.spec',
  'authorization.v1.LocalSubjectAccessReview.spec',
  'authorization.v1.SelfSubjectAccessReview.spec',
  'authorization.v1.SelfSubjectRulesReview.spec',
  'authorization.v1.SubjectAccessReview.spec',
  'batch.v1.JobSpec.template',
  'certificates.v1.CertificateSigningRequest.spec',
  'certificates.v1.ClusterTrustBundle.spec',
  'certificates.v1.PodCertificateRequest.spec',
  'certificates.v1beta1.PodCertificateRequest.spec',
  'core.v1.Event.metadata',
  'core.v1.PersistentVolumeClaimTemplate.spec',
  'events.v1.Event.eventTime',
  'events.v1.EventSeries.lastObservedTime',
  'lifecycle.v1alpha1.Eviction.spec',
  'lifecycle.v1alpha1.EvictionRequest.spec',
  'meta.v1.Condition.lastTransitionTime',
  'node.v1alpha1.RuntimeClass.spec',
  'scheduling.v1alpha1.PodGroup.policy',
  'scheduling.v1alpha1.Workload.spec',
  'scheduling.v1alpha2.PodGroup.spec',
  'scheduling.v1alpha2.PodGroupSpec.schedulingPolicy',
  'scheduling.v1alpha2.PodGroupTemplate.schedulingPolicy',
  'scheduling.v1alpha2.Workload.spec',
  'scheduling.v1alpha3.CompositePodGroup.spec',
  'scheduling.v1alpha3.CompositePodGroupSpec.schedulingPolicy',
  'scheduling.v1alpha3.CompositePodGroupSpec.workloadRef',
  'scheduling.v1alpha3.CompositePodGroupTemplate.schedulingPolicy',
  'scheduling.v1alpha3.PodGroup.spec',
  'scheduling.v1alpha3.PodGroupSpec.schedulingPolicy',
  'scheduling.v1alpha3.PodGroupTemplate.schedulingPolicy',
  'scheduling.v1alpha3.Workload.spec',
  'storage.v1.CSIDriver.spec',
  'storage.v1.CSINode.spec',
  'storage.v1.VolumeAttachment.spec',
  'storage.v1.VolumeAttachmentSpec.source',
  'storagemigration.v1.StorageVersionMigrationSpec.resource',
]);

/** Names of members that are required wherever they are. */
const REQUIRED_NAMES: ReadonlySet<string> = new Set([
  'backend',
  'clientConfig',
  'current',
  'describedObject',
  'expirationTimestamp',
  'fsGroup',
  'involvedObject',
  'jobTemplate',
  'metric',
  'names',
  'podAffinityTerm',
  'podSelector',
  'preference',
  'priorityLevelConfiguration',
  'roleRef',
  'runAsUser',
  'scaleTargetRef',
  'seLinux',
  'secretRef',
  'selector',
  'supplementalGroups',
  'target',
  'verbs',
]);

/** Whether a field of the message is among the `required` of its definition. */
export function isRequiredMember(message: string, field: FieldSchema): boolean {
  const path = `${message}.${field.name}`;
  const life = REQUIRED_IN[path];
  if (life !== undefined) return isIn(life, ownRelease().minor);
  if (field.always !== true) return false;
  const { container, type } = field;
  const mayBeLeftOut =
    container === 'single' && (type.includes('.') || type === 'Time' || type === 'MicroTime');
  if (!mayBeLeftOut) return !OPTIONAL.has(path);
  return REQUIRED.has(path) || REQUIRED_NAMES.has(field.name);
}
