/**
 * The roles of each release for people, nodes and other programs, and who has them
 * (../../auth/bootstrap-policy/README.md#tables).
 */
export const CLUSTER_ROLES = `
admin
cluster-admin | Group system:masters
  * | * | *
  * | *
edit in admin
system:aggregate-to-admin in admin
  create | authorization.cluster.io | localsubjectaccessreviews
  create delete deletecollection get list patch update watch | rbac.authorization.cluster.io |
    rolebindings roles
system:aggregate-to-edit in edit
  get list watch | core | pods/attach pods/exec pods/portforward pods/proxy secrets
    services/proxy
  impersonate | core | serviceaccounts
  create delete deletecollection patch update | core | pods pods/attach pods/exec
    pods/portforward pods/proxy
  create | core | pods/eviction [24-]
  create delete deletecollection patch update | core | configmaps events persistentvolumeclaims
    replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services
    services/proxy [-35]
  create delete deletecollection patch update | core | configmaps persistentvolumeclaims
    replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services
    services/proxy [35-]
  create | core | serviceaccounts/token [24-]
  create delete deletecollection patch update | core events.cluster.io | events [35-]
  create delete deletecollection patch update | apps | daemonsets deployments
    deployments/rollback deployments/scale replicasets replicasets/scale statefulsets
    statefulsets/scale
  create delete deletecollection patch update | autoscaling | horizontalpodautoscalers
  create delete deletecollection patch update | batch | cronjobs jobs
  create delete deletecollection patch update | extensions | daemonsets deployments
    deployments/rollback deployments/scale ingresses networkpolicies replicasets
    replicasets/scale replicationcontrollers/scale
  create delete deletecollection patch update | policy | poddisruptionbudgets
  create delete deletecollection patch update | networking.cluster.io | ingresses
    networkpolicies
  create delete deletecollection get list patch update watch | coordination.cluster.io | leases
    [24-]
  create delete deletecollection patch update | resource.cluster.io | resourceclaims
    resourceclaimtemplates [33- DynamicResourceAllocation]
  create delete deletecollection patch update | scheduling.cluster.io | podgroups workloads
    [36- GenericWorkload]
  create delete deletecollection patch update | scheduling.cluster.io | compositepodgroups
    [37- CompositePodGroup]
  create delete deletecollection patch update | lifecycle.cluster.io | evictionrequests
    [37- EvictionRequestAPI]
system:aggregate-to-view in view
  get list watch | core | configmaps endpoints persistentvolumeclaims
    persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale
    serviceaccounts services services/status
  get list watch | core | bindings events limitranges namespaces/status pods/log pods/status
    replicationcontrollers/status resourcequotas resourcequotas/status [-35]
  get list watch | core | bindings limitranges namespaces/status pods/log pods/status
    replicationcontrollers/status resourcequotas resourcequotas/status [35-]
  get list watch | core | namespaces
  get list watch | core events.cluster.io | events [35-]
  get list watch | discovery.cluster.io | endpointslices
  get list watch | apps | controllerrevisions daemonsets daemonsets/status deployments
    deployments/scale deployments/status replicasets replicasets/scale replicasets/status
    statefulsets statefulsets/scale statefulsets/status
  get list watch | autoscaling | horizontalpodautoscalers horizontalpodautoscalers/status
  get list watch | batch | cronjobs cronjobs/status jobs jobs/status
  get list watch | extensions | daemonsets daemonsets/status deployments deployments/scale
    deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale
    replicasets/status replicationcontrollers/scale
  get list watch | policy | poddisruptionbudgets poddisruptionbudgets/status
  get list watch | networking.cluster.io | ingresses ingresses/status networkpolicies
  get list watch | resource.cluster.io | resourceclaims resourceclaims/status
    resourceclaimtemplates [33- DynamicResourceAllocation]
  get list watch | scheduling.cluster.io | podgroups podgroups/status workloads
    [36- GenericWorkload]
  get list watch | scheduling.cluster.io | compositepodgroups compositepodgroups/status
    [37- CompositePodGroup]
  get list watch | lifecycle.cluster.io | evictionrequests evictions [37- EvictionRequestAPI]
system:auth-delegator
  create | authentication.cluster.io | tokenreviews
  create | authorization.cluster.io | subjectaccessreviews
system:basic-user | Group system:authenticated
  create | authorization.cluster.io | selfsubjectaccessreviews selfsubjectrulesreviews
  create | authentication.cluster.io | selfsubjectreviews [26- APISelfSubjectReview]
system:certificates.cluster.io:certificatesigningrequests:nodeclient
  create | certificates.cluster.io | certificatesigningrequests/nodeclient
system:certificates.cluster.io:certificatesigningrequests:selfnodeclient
  create | certificates.cluster.io | certificatesigningrequests/selfnodeclient
system:certificates.cluster.io:kube-apiserver-client-approver
  approve | certificates.cluster.io | signers | cluster.io/kube-apiserver-client
system:certificates.cluster.io:kube-apiserver-client-kubelet-approver
  approve | certificates.cluster.io | signers | cluster.io/kube-apiserver-client-kubelet
system:certificates.cluster.io:kubelet-serving-approver
  approve | certificates.cluster.io | signers | cluster.io/kubelet-serving
system:certificates.cluster.io:legacy-unknown-approver
  approve | certificates.cluster.io | signers | cluster.io/legacy-unknown
system:cluster-trust-bundle-discovery [27- ClusterTrustBundle] | Group system:serviceaccounts
  get list watch | certificates.cluster.io | clustertrustbundles
system:discovery | Group system:authenticated
  get | /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/
system:heapster
  get list watch | core | events namespaces nodes pods
  get list watch | extensions | deployments
system:kube-aggregator
  get list watch | core | endpoints services
system:kube-controller-manager | User system:kube-controller-manager
  create patch update | core events.cluster.io | events
  create | coordination.cluster.io | leases
  get update | coordination.cluster.io | leases | kube-controller-manager
  create | core | endpoints [-28]
  get update | core | endpoints | kube-controller-manager [-28]
  create | core | secrets serviceaccounts
  delete | core | secrets
  get | core | configmaps namespaces secrets serviceaccounts
  update | core | secrets serviceaccounts
  create | authentication.cluster.io | tokenreviews
  create | authorization.cluster.io | subjectaccessreviews
  list watch | * | *
  create | core | serviceaccounts/token
system:kube-dns | ServiceAccount kube-dns
  list watch | core | endpoints services
system:kube-scheduler | User system:kube-scheduler
  create patch update | core events.cluster.io | events
  create | coordination.cluster.io | leases
  get update | coordination.cluster.io | leases | kube-scheduler [-31]
  create | core | endpoints [-28]
  get update | core | endpoints | kube-scheduler [-28]
  get list update watch | coordination.cluster.io | leases | kube-scheduler [31-]
  create delete deletecollection get list patch update watch | coordination.cluster.io |
    leasecandidates [31-]
  get list watch | core | nodes
  delete get list watch | core | pods
  create | core | bindings pods/binding
  patch update | core | pods/status
  get list watch | core | replicationcontrollers services
  get list watch | apps extensions | replicasets
  get list watch | apps | statefulsets
  get list watch | policy | poddisruptionbudgets
  get list watch | core | persistentvolumeclaims persistentvolumes
  create | authentication.cluster.io | tokenreviews
  create | authorization.cluster.io | subjectaccessreviews
  get list watch | storage.cluster.io | csinodes
  get list watch | storage.cluster.io | volumeattachments [32-]
  get list watch | core | namespaces
  get list watch | storage.cluster.io | csidrivers [CSIStorageCapacity]
  get list watch | storage.cluster.io | csistoragecapacities [CSIStorageCapacity]
  get list watch | resource.cluster.io | resourceclaims resourceclasses
    [26-30 DynamicResourceAllocation]
  get list watch | resource.cluster.io | resourceclasses [30-31 DynamicResourceAllocation]
  get list watch | resource.cluster.io | deviceclasses [31- DynamicResourceAllocation]
  get list patch update watch | resource.cluster.io | resourceclaims
    [30- DynamicResourceAllocation]
  get list patch update watch | resource.cluster.io | resourceclaims/status
    [26- DynamicResourceAllocation]
  create delete deletecollection get list patch update watch | resource.cluster.io |
    podschedulings [26-27 DynamicResourceAllocation]
  get list watch | resource.cluster.io | podschedulings/status [26-27 DynamicResourceAllocation]
  create delete deletecollection get list patch update watch | resource.cluster.io |
    podschedulingcontexts [27-32 DynamicResourceAllocation]
  get list watch | resource.cluster.io | podschedulingcontexts/status
    [27-32 DynamicResourceAllocation]
  get list patch update watch | core | pods/finalizers [30-34 DynamicResourceAllocation]
  get list watch | resource.cluster.io | resourceclaimparameters resourceclassparameters
    resourceslices [30-31 DynamicResourceAllocation]
  update | core | pods/finalizers [34- DynamicResourceAllocation]
  get list watch | resource.cluster.io | resourceslices [31- DynamicResourceAllocation]
  create delete | resource.cluster.io | resourceclaims
    [34- DRAExtendedResource DynamicResourceAllocation]
  get list watch | resource.cluster.io | devicetaintrules
    [33-34 DynamicResourceAllocation, 34-35 DRADeviceTaints DynamicResourceAllocation,
    35- DRADeviceTaintRules]
  get list watch | scheduling.cluster.io | workloads [35-36 GenericWorkload]
  patch update | resource.cluster.io | resourceclaims/binding
    [36- DRAResourceClaimGranularStatusAuthorization]
  get list watch | scheduling.cluster.io | podgroups [36- GenericWorkload]
  patch update | scheduling.cluster.io | podgroups/status [36- GenericWorkload]
  get list watch | scheduling.cluster.io | compositepodgroups [37- CompositePodGroup]
  patch update | scheduling.cluster.io | compositepodgroups/status [37- CompositePodGroup]
system:kubelet-api-admin
  get list watch | core | nodes
  proxy | core | nodes
  * | core | nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats [-27]
  * | core | nodes/log nodes/metrics nodes/proxy nodes/stats [27-]
  * | core | nodes/configz nodes/healthz nodes/pods [32- KubeletFineGrainedAuthz]
system:monitoring | Group system:monitoring
  get | /healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/* [-26]
  get | /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* [26-36]
  get | /flagz@ComponentFlagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz
    /readyz/* /statusz@ComponentStatusz [36-]
  get | core | nodes/metrics [34-]
  get | /flagz [32-36 ComponentFlagz]
  get | /statusz [32-36 ComponentStatusz]
system:node | nobody
  create | authentication.cluster.io | tokenreviews
  create | authorization.cluster.io | localsubjectaccessreviews subjectaccessreviews
  get list watch | core | services
  create get list watch | core | nodes
  patch update | core | nodes/status
  patch update | core | nodes
  create patch update | core | events [-35]
  create patch update | core events.cluster.io | events [35-]
  get list watch | core | pods
  create delete | core | pods
  patch update | core | pods/status
  create | core | pods/eviction
  get list watch | core | configmaps secrets
  get | core | persistentvolumeclaims persistentvolumes
  get | core | endpoints
  create get list watch | certificates.cluster.io | certificatesigningrequests
  create delete get patch update | coordination.cluster.io | leases
  get | storage.cluster.io | volumeattachments
  create | core | serviceaccounts/token
  get patch update | core | persistentvolumeclaims/status [ExpandPersistentVolumes]
  get list watch | storage.cluster.io | csidrivers
  create delete get patch update | storage.cluster.io | csinodes
  get patch update | storage.cluster.io | csinodes/status [37- CSIVolumeHealth]
  get list watch | node.cluster.io | runtimeclasses
  get | resource.cluster.io | resourceclaims [26- DynamicResourceAllocation]
  deletecollection | resource.cluster.io | resourceslices [31- DynamicResourceAllocation]
  get list watch | certificates.cluster.io | clustertrustbundles [27- ClusterTrustBundle]
  get | core | serviceaccounts [33- KubeletServiceAccountTokenForCredentialProviders]
  create get list watch | certificates.cluster.io | podcertificaterequests
    [34- PodCertificateRequest]
system:node-bootstrapper
  create get list watch | certificates.cluster.io | certificatesigningrequests
system:node-problem-detector
  get | core | nodes
  patch | core | nodes/status
  create patch update | core events.cluster.io | events
system:node-proxier | User system:kube-proxy
  list watch | core | endpoints services
  get list watch | core | nodes
  create patch update | core events.cluster.io | events
  list watch | networking.cluster.io | servicecidrs [30- MultiCIDRServiceAllocator]
  list watch | discovery.cluster.io | endpointslices
system:persistent-volume-provisioner
  create delete get list watch | core | persistentvolumes
  get list update watch | core | persistentvolumeclaims
  get list watch | storage.cluster.io | storageclasses
  watch | core | events
  create patch update | core events.cluster.io | events
system:public-info-viewer | Group system:authenticated, Group system:unauthenticated
  get | /healthz /livez /readyz /version /version/
system:service-account-issuer-discovery | Group system:serviceaccounts
  get | /.well-known/openid-configuration /openid/v1/jwks [-28]
  get | /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks
    /openid/v1/jwks/ [28-]
system:volume-scheduler | User system:kube-scheduler
  get list patch update watch | core | persistentvolumes
  get list watch | storage.cluster.io | storageclasses
  get list patch update watch | core | persistentvolumeclaims
view in edit
`;

/** Those in the namespaces of the system. */
export const NAMESPACED_ROLES = `
cluster-public/system:controller:bootstrap-signer | ServiceAccount bootstrap-signer
  get list watch | core | configmaps
  update | core | configmaps | cluster-info
  create patch update | core events.cluster.io | events
cluster-system/extension-apiserver-authentication-reader as
    system::extension-apiserver-authentication-reader | User system:kube-controller-manager,
    User system:kube-scheduler
  get list watch | core | configmaps | extension-apiserver-authentication
cluster-system/system::leader-locking-kube-controller-manager | User
    system:kube-controller-manager, ServiceAccount kube-controller-manager, ServiceAccount
    leader-election-controller [31-]
  watch | core | configmaps [-35]
  get update | core | configmaps | kube-controller-manager [-35]
  create get list update watch | coordination.cluster.io | leases [31-]
  create get list update watch | coordination.cluster.io | leasecandidates [31-]
cluster-system/system::leader-locking-kube-scheduler | User system:kube-scheduler,
    ServiceAccount kube-scheduler
  watch | core | configmaps [-35]
  get update | core | configmaps | kube-scheduler [-35]
  create get list update watch | coordination.cluster.io | leases [31-]
  create get list update watch | coordination.cluster.io | leasecandidates [31-]
cluster-system/system:controller:bootstrap-signer | ServiceAccount bootstrap-signer
  get list watch | core | secrets
cluster-system/system:controller:cloud-provider | ServiceAccount cloud-provider
  create get list watch | core | configmaps
cluster-system/system:controller:token-cleaner | ServiceAccount token-cleaner
  delete get list watch | core | secrets
  create patch update | core events.cluster.io | events
`;
