/**
 * The versions in which the reference stores the objects of a kind, each with the first minor that
 * does, where they are not always in the version that this server stores: clients see by a hash
 * that they have changed.
 */
export const STORAGE_VERSIONS: Readonly<Record<string, string>> = {
  'admissionregistration.cluster.io MutatingAdmissionPolicy': 'v1alpha1 32, v1beta1 35, v1 37',
  'admissionregistration.cluster.io MutatingAdmissionPolicyBinding':
    'v1alpha1 32, v1beta1 35, v1 37',
  'admissionregistration.cluster.io ValidatingAdmissionPolicy': 'v1alpha1 26, v1beta1 29, v1 31',
  'admissionregistration.cluster.io ValidatingAdmissionPolicyBinding':
    'v1alpha1 26, v1beta1 29, v1 31',
  'apiextensions.cluster.io CustomResourceDefinition': 'v1beta1 23',
  'autoscaling HorizontalPodAutoscaler': 'v1 23, v2 27',
  'certificates.cluster.io ClusterTrustBundle': 'v1alpha1 27, v1beta1 33',
  'certificates.cluster.io PodCertificateRequest': 'v1alpha1 34, v1beta1 35',
  'coordination.cluster.io LeaseCandidate': 'v1alpha1 31, v1alpha2 32, v1beta1 33',
  'discovery.cluster.io EndpointSlice': 'v1beta1 23, v1 31',
  'flowcontrol.apiserver.cluster.io FlowSchema': 'v1beta1 23, v1beta2 26, v1beta3 27, v1 30',
  'flowcontrol.apiserver.cluster.io PriorityLevelConfiguration':
    'v1beta1 23, v1beta2 26, v1beta3 27, v1 30',
  'networking.cluster.io IPAddress': 'v1alpha1 27, v1beta1 31, v1 34',
  'networking.cluster.io ServiceCIDR': 'v1alpha1 29, v1beta1 31, v1 34',
  'policy PodDisruptionBudget': 'v1beta1 23, v1 27',
  'resource.cluster.io DeviceClass': 'v1alpha3 31, v1beta1 32, v1beta2 34, v1 35',
  'resource.cluster.io DeviceTaintRule': 'v1alpha3 33, v1beta2 37',
  'resource.cluster.io PodSchedulingContext': 'v1alpha2 27, v1alpha3 31',
  'resource.cluster.io ResourceClaim':
    'v1alpha1 26, v1alpha2 27, v1alpha3 31, v1beta1 32, v1beta2 34, v1 35',
  'resource.cluster.io ResourceClaimTemplate':
    'v1alpha1 26, v1alpha2 27, v1alpha3 31, v1beta1 32, v1beta2 34, v1 35',
  'resource.cluster.io ResourceClass': 'v1alpha1 26, v1alpha2 27',
  'resource.cluster.io ResourceSlice': 'v1alpha2 30, v1alpha3 31, v1beta1 32, v1beta2 34, v1 35',
  'storage.cluster.io CSIStorageCapacity': 'v1beta1 23, v1 25',
  'storagemigration.cluster.io StorageVersionMigration': 'v1alpha1 30, v1beta1 35',
  'storage.cluster.io VolumeAttributesClass': 'v1alpha1 29, v1beta1 31, v1 36',
};
