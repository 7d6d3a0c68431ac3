/**
 * The roles of the controllers of each release, by the names of their accounts
 * (../../auth/bootstrap-policy/README.md#tables). Each is bound to its account alone.
 */
export const CONTROLLER_ROLES = `
attachdetach-controller
  list watch | core | persistentvolumeclaims persistentvolumes
  get list watch | core | nodes
  patch update | core | nodes/status
  list watch | core | pods
  create patch update | core events.cluster.io | events
  create delete get list watch | storage.cluster.io | volumeattachments
  get list watch | storage.cluster.io | csidrivers
  get list watch | storage.cluster.io | csinodes [CSIMigration]
certificate-controller
  delete get list watch | certificates.cluster.io | certificatesigningrequests
  update | certificates.cluster.io | certificatesigningrequests/approval
    certificatesigningrequests/status
  approve | certificates.cluster.io | signers | cluster.io/kube-apiserver-client-kubelet
  sign | certificates.cluster.io | signers | cluster.io/kube-apiserver-client
    cluster.io/kube-apiserver-client-kubelet cluster.io/kubelet-serving
    cluster.io/legacy-unknown
  create | authorization.cluster.io | subjectaccessreviews
  create patch update | core events.cluster.io | events
clusterrole-aggregation-controller
  escalate get list patch update watch | rbac.authorization.cluster.io | clusterroles
cronjob-controller
  get list update watch | batch | cronjobs
  create delete get list patch update watch | batch | jobs
  update | batch | cronjobs/status
  update | batch | cronjobs/finalizers
  delete list | core | pods [-32]
  delete list watch | core | pods [32-]
  create patch update | core events.cluster.io | events
daemon-set-controller
  get list watch | apps extensions | daemonsets
  update | apps extensions | daemonsets/status
  update | apps extensions | daemonsets/finalizers
  list watch | core | nodes
  create delete list patch watch | core | pods
  create | core | pods/binding
  create delete get list patch update watch | apps | controllerrevisions
  create patch update | core events.cluster.io | events
deployment-controller
  get list update watch | apps extensions | deployments
  update | apps extensions | deployments/status
  update | apps extensions | deployments/finalizers
  create delete get list patch update watch | apps extensions | replicasets
  get list update watch | core | pods
  create patch update | core events.cluster.io | events
device-taint-eviction-controller [33- DRADeviceTaints DynamicResourceAllocation]
  delete get list watch | core | pods
  patch update | core | pods/status
  get list watch | resource.cluster.io | resourceclaims
  get list watch | resource.cluster.io | resourceslices
  get list watch | resource.cluster.io | deviceclasses
  create patch update | core events.cluster.io | events [35-]
  patch update | resource.cluster.io | devicetaintrules/status [35- DRADeviceTaintRules]
  get list watch | resource.cluster.io | devicetaintrules [33-35, 35- DRADeviceTaintRules]
  create patch update | core events.cluster.io | events [33-35]
disruption-controller
  get list watch | apps extensions | deployments
  get list watch | apps extensions | replicasets
  get list watch | core | replicationcontrollers
  get list watch | policy | poddisruptionbudgets
  get list watch | apps | statefulsets
  update | policy | poddisruptionbudgets/status
  patch update | core | pods/status [31-]
  get | * | */scale
  create patch update | core events.cluster.io | events
  patch update | core | pods/status [26-31 PodDisruptionConditions]
endpoint-controller
  get list watch | core | pods services
  create delete get list update | core | endpoints [-32]
  create delete get list update watch | core | endpoints [32-]
  create | core | endpoints/restricted
  create patch update | core events.cluster.io | events
endpointslice-controller
  get list watch | core | nodes pods services
  update | core | services/finalizers
  create delete get list update | discovery.cluster.io | endpointslices [-32]
  create delete get list update watch | discovery.cluster.io | endpointslices [32-]
  create patch update | core events.cluster.io | events
endpointslicemirroring-controller
  get list watch | core | endpoints services
  update | core | services/finalizers
  update | core | endpoints/finalizers
  create delete get list update | discovery.cluster.io | endpointslices [-32]
  create delete get list update watch | discovery.cluster.io | endpointslices [32-]
  create patch update | core events.cluster.io | events
ephemeral-volume-controller
  get list watch | core | pods
  update | core | pods/finalizers
  create get list watch | core | persistentvolumeclaims
  create patch update | core events.cluster.io | events
expand-controller [ExpandPersistentVolumes]
  get list patch update watch | core | persistentvolumes
  patch update | core | persistentvolumeclaims/status
  get list watch | core | persistentvolumeclaims
  get list watch | storage.cluster.io | storageclasses [-32]
  get | core | endpoints services [-32]
  get | core | secrets [-32]
  create patch update | core events.cluster.io | events
  get | core | services [32-36]
generic-garbage-collector
  delete get list patch update watch | * | *
  create patch update | core events.cluster.io | events
horizontal-pod-autoscaler
  get list watch | autoscaling | horizontalpodautoscalers
  update | autoscaling | horizontalpodautoscalers/status
  get update | * | */scale
  list | core | pods [-32]
  get | core | services/proxy | http:heapster: https:heapster: [-27]
  list | metrics.cluster.io | pods [-32]
  get list | custom.metrics.cluster.io | * [-32]
  get list | external.metrics.cluster.io | * [24-32]
  list watch | core | pods [32-]
  list watch | metrics.cluster.io | pods [32-]
  get list watch | custom.metrics.cluster.io | * [32-]
  get list watch | external.metrics.cluster.io | * [32-]
  create patch update | core events.cluster.io | events
job-controller
  get list patch update watch | batch | jobs
  update | batch | jobs/status
  update | batch | jobs/finalizers
  create delete list patch watch | core | pods
  create patch update | core events.cluster.io | events
  create get list watch | scheduling.cluster.io | podgroups workloads [36-37 WorkloadWithJob]
  create get list patch update watch | scheduling.cluster.io | podgroups workloads
    [37- WorkloadWithJob]
kube-apiserver-serving-clustertrustbundle-publisher [32- ClusterTrustBundle]
  attest | certificates.cluster.io | signers | cluster.io/kube-apiserver-serving
  create delete list update watch | certificates.cluster.io | clustertrustbundles
  create patch update | core events.cluster.io | events
legacy-service-account-token-cleaner [28- LegacyServiceAccountTokenCleanUp]
  get | core | configmaps | kube-apiserver-legacy-service-account-token-tracking
  delete | core | secrets [28-29]
  delete patch | core | secrets [29-]
namespace-controller
  delete get list watch | core | namespaces
  update | core | namespaces/finalize namespaces/status
  delete deletecollection get list | * | * [-32]
  delete deletecollection get list watch | * | * [32-]
node-controller
  delete get list patch update | core | nodes [-32]
  delete get list patch update watch | core | nodes [32-]
  patch update | core | nodes/status
  update | core | pods/status [-26]
  patch update | core | pods/status [26-]
  delete list | core | pods [-31]
  create get list update | networking.cluster.io | clustercidrs [25-30]
  delete get list | core | pods [31-32]
  delete get list watch | core | pods [32-]
  get list watch | coordination.cluster.io | leases [37-]
  create patch update | core events.cluster.io | events
  patch | core | pods/status [25-26 PodDisruptionConditions]
  get | core | pods [26-31 PodDisruptionConditions]
persistent-volume-binder
  create delete get list update watch | core | persistentvolumes
  update | core | persistentvolumes/status
  get list update watch | core | persistentvolumeclaims
  update | core | persistentvolumeclaims/status
  create delete get list watch | core | pods
  get list watch | storage.cluster.io | storageclasses
  create delete get update | core | endpoints [-32]
  create delete get | core | services [-32]
  get | core | secrets [-32]
  get list | core | nodes [-32]
  list watch | core | nodes [32-]
  create patch update | core events.cluster.io | events [32-]
  watch | core | events
  create patch update | core events.cluster.io | events [-32]
  get | core | services [32-36]
pod-garbage-collector
  delete list watch | core | pods
  get list | core | nodes [-32]
  get list watch | core | nodes [32-]
  patch | core | pods/status [25- PodDisruptionConditions]
podcertificaterequestcleaner [34- PodCertificateRequest]
  delete get list watch | certificates.cluster.io | podcertificaterequests
podgroup-protection-controller [36- GenericWorkload]
  get list update watch | scheduling.cluster.io | podgroups
  get list watch | core | pods
pv-protection-controller
  get list update watch | core | persistentvolumes
  create patch update | core events.cluster.io | events
pvc-protection-controller
  get list update watch | core | persistentvolumeclaims
  update | core | persistentvolumeclaims/status [36-]
  get list watch | core | pods
  create patch update | core events.cluster.io | events
replicaset-controller
  get list update watch | apps extensions | replicasets
  update | apps extensions | replicasets/status
  update | apps extensions | replicasets/finalizers
  create delete list patch watch | core | pods
  create patch update | core events.cluster.io | events
replication-controller
  get list update watch | core | replicationcontrollers
  update | core | replicationcontrollers/status
  update | core | replicationcontrollers/finalizers
  create delete list patch watch | core | pods
  create patch update | core events.cluster.io | events
resource-claim-controller [26- DynamicResourceAllocation]
  get list watch | core | pods
  update | core | pods/finalizers
  create get list watch | resource.cluster.io | resourceclaims [26-28]
  create delete get list watch | resource.cluster.io | resourceclaims [28-]
  create get list patch update watch | resource.cluster.io | podschedulingcontexts [28-32]
  patch update | resource.cluster.io | resourceclaims/status [26-30]
  patch update | resource.cluster.io | resourceclaims resourceclaims/status [30-]
  patch update | core | pods/status [28-]
  create patch update | core events.cluster.io | events
  get list watch | scheduling.cluster.io | podgroups [36- DRAWorkloadResourceClaims]
  patch update | scheduling.cluster.io | podgroups/status [36- DRAWorkloadResourceClaims]
  patch update | resource.cluster.io | resourceclaims/binding
    [36- DRAResourceClaimGranularStatusAuthorization]
resourcepoolstatusrequest-controller [36- DRAResourcePoolStatus]
  delete get list watch | resource.cluster.io | resourcepoolstatusrequests
  patch update | resource.cluster.io | resourcepoolstatusrequests/status
  get list watch | resource.cluster.io | resourceslices
  get list watch | resource.cluster.io | resourceclaims
  get list watch | resource.cluster.io | devicetaintrules [37-]
  create patch update | core events.cluster.io | events
resourcequota-controller
  list watch | * | *
  update | core | resourcequotas/status
  create patch update | core events.cluster.io | events
root-ca-cert-publisher
  create update | core | configmaps
  create patch update | core events.cluster.io | events
route-controller
  list watch | core | nodes
  patch | core | nodes/status
  create patch update | core events.cluster.io | events
selinux-warning-controller [32- SELinuxChangePolicy]
  create patch update | core events.cluster.io | events
  get list watch | core | persistentvolumes
  get list watch | core | persistentvolumeclaims
  get list watch | core | pods
  get list watch | storage.cluster.io | csidrivers
service-account-controller
  create | core | serviceaccounts
  create patch update | core events.cluster.io | events
service-cidrs-controller [29- MultiCIDRServiceAllocator]
  get list patch update watch | networking.cluster.io | servicecidrs
  patch update | networking.cluster.io | servicecidrs/finalizers
  patch update | networking.cluster.io | servicecidrs/status
  get list watch | networking.cluster.io | ipaddresses
  create patch update | core events.cluster.io | events
service-controller
  get list watch | core | services
  patch update | core | services/status
  list watch | core | nodes
  create patch update | core events.cluster.io | events
statefulset-controller
  list watch | core | pods
  get list watch | apps | statefulsets
  update | apps | statefulsets/status
  update | apps | statefulsets/finalizers
  create delete get patch update | core | pods
  create delete get list patch update watch | apps | controllerrevisions
  create get | core | persistentvolumeclaims [-28]
  create get list watch | core | persistentvolumeclaims [28-]
  create patch update | core events.cluster.io | events [-35]
  update | core | persistentvolumeclaims [-27 StatefulSetAutoDeletePVC]
  delete update | core | persistentvolumeclaims [27- StatefulSetAutoDeletePVC]
  update | core | pods/finalizers [28- StatefulSetAutoDeletePVC]
  create patch update | core events.cluster.io | events [35-]
storage-version-garbage-collector [APIServerIdentity StorageVersionAPI]
  get list watch | coordination.cluster.io | leases
  delete get list patch update watch | internal.apiserver.cluster.io | storageversions
  get patch update | internal.apiserver.cluster.io | storageversions/status
storage-version-migrator-controller [30- StorageVersionMigrator]
  list patch | * | * [30-31, 37-]
  create list patch | * | * [31-32, 35-37]
  create list patch watch | * | * [32-35]
  get | apiextensions.cluster.io | customresourcedefinitions [36-]
  patch | apiextensions.cluster.io | customresourcedefinitions/status [36-]
  update | storagemigration.cluster.io | storageversionmigrations/status
ttl-after-finished-controller
  delete get list watch | batch | jobs
  create patch update | core events.cluster.io | events
ttl-controller
  list patch update watch | core | nodes
  create patch update | core events.cluster.io | events
validatingadmissionpolicy-status-controller [28- ValidatingAdmissionPolicy]
  get list watch | admissionregistration.cluster.io | validatingadmissionpolicies
  get patch update | admissionregistration.cluster.io | validatingadmissionpolicies/status
  create patch update | core events.cluster.io | events
volumeattributesclass-protection-controller [32- VolumeAttributesClass]
  get list watch | core | persistentvolumeclaims
  get list watch | core | persistentvolumes
  get list update watch | storage.cluster.io | volumeattributesclasses
  create patch update | core events.cluster.io | events
`;
