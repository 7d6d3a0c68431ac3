/**
 * The permissions of each controller of a cluster in release 1.23, whether it runs here or
 * elsewhere (README.md). Each is the cluster role `system:controller:<name>`, bound to the account
 * of that name in the namespace of the system.
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
  get list watch | storage.cluster.io | csinodes
certificate-controller
  delete get list watch | certificates.cluster.io | certificatesigningrequests
  update | certificates.cluster.io | certificatesigningrequests/approval
    certificatesigningrequests/status
  approve | certificates.cluster.io | signers | cluster.io/kube-apiserver-client-kubelet
  sign | certificates.cluster.io | signers | cluster.io/kube-apiserver-client
    cluster.io/kube-apiserver-client-kubelet cluster.io/kubelet-serving cluster.io/legacy-unknown
  create | authorization.cluster.io | subjectaccessreviews
  create patch update | core events.cluster.io | events
clusterrole-aggregation-controller
  escalate get list patch update watch | rbac.authorization.cluster.io | clusterroles
cronjob-controller
  get list update watch | batch | cronjobs
  create delete get list patch update watch | batch | jobs
  update | batch | cronjobs/status
  update | batch | cronjobs/finalizers
  delete list | core | pods
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
disruption-controller
  get list watch | apps extensions | deployments
  get list watch | apps extensions | replicasets
  get list watch | core | replicationcontrollers
  get list watch | policy | poddisruptionbudgets
  get list watch | apps | statefulsets
  update | policy | poddisruptionbudgets/status
  get | * | */scale
  create patch update | core events.cluster.io | events
endpoint-controller
  get list watch | core | pods services
  create delete get list update | core | endpoints
  create | core | endpoints/restricted
  create patch update | core events.cluster.io | events
endpointslice-controller
  get list watch | core | nodes pods services
  update | core | services/finalizers
  create delete get list update | discovery.cluster.io | endpointslices
  create patch update | core events.cluster.io | events
endpointslicemirroring-controller
  get list watch | core | endpoints services
  update | core | services/finalizers
  update | core | endpoints/finalizers
  create delete get list update | discovery.cluster.io | endpointslices
  create patch update | core events.cluster.io | events
ephemeral-volume-controller
  get list watch | core | pods
  update | core | pods/finalizers
  create get list watch | core | persistentvolumeclaims
  create patch update | core events.cluster.io | events
expand-controller
  get list patch update watch | core | persistentvolumes
  patch update | core | persistentvolumeclaims/status
  get list watch | core | persistentvolumeclaims
  get list watch | storage.cluster.io | storageclasses
  get | core | endpoints services
  get | core | secrets
  create patch update | core events.cluster.io | events
generic-garbage-collector
  delete get list patch update watch | * | *
  create patch update | core events.cluster.io | events
horizontal-pod-autoscaler
  get list watch | autoscaling | horizontalpodautoscalers
  update | autoscaling | horizontalpodautoscalers/status
  get update | * | */scale
  list | core | pods
  get | core | services/proxy | http:heapster: https:heapster:
  list | metrics.cluster.io | pods
  get list | custom.metrics.cluster.io | *
  create patch update | core events.cluster.io | events
job-controller
  get list patch update watch | batch | jobs
  update | batch | jobs/status
  update | batch | jobs/finalizers
  create delete list patch watch | core | pods
  create patch update | core events.cluster.io | events
namespace-controller
  delete get list watch | core | namespaces
  update | core | namespaces/finalize namespaces/status
  delete deletecollection get list | * | *
node-controller
  delete get list patch update | core | nodes
  patch update | core | nodes/status
  update | core | pods/status
  delete list | core | pods
  create patch update | core events.cluster.io | events
persistent-volume-binder
  create delete get list update watch | core | persistentvolumes
  update | core | persistentvolumes/status
  get list update watch | core | persistentvolumeclaims
  update | core | persistentvolumeclaims/status
  create delete get list watch | core | pods
  get list watch | storage.cluster.io | storageclasses
  create delete get update | core | endpoints
  create delete get | core | services
  get | core | secrets
  get list | core | nodes
  watch | core | events
  create patch update | core events.cluster.io | events
pod-garbage-collector
  delete list watch | core | pods
  get list | core | nodes
pv-protection-controller
  get list update watch | core | persistentvolumes
  create patch update | core events.cluster.io | events
pvc-protection-controller
  get list update watch | core | persistentvolumeclaims
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
service-account-controller
  create | core | serviceaccounts
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
  create get | core | persistentvolumeclaims
  create patch update | core events.cluster.io | events
ttl-after-finished-controller
  delete get list watch | batch | jobs
  create patch update | core events.cluster.io | events
ttl-controller
  list patch update watch | core | nodes
  create patch update | core events.cluster.io | events
`;
