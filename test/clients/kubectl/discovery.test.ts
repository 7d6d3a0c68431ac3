import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

await runTranscripts(t, {
  resources: String.raw`
    $ kubectl api-versions
    admissionregistration.k8s.io/v1
    apiextensions.k8s.io/v1
    apiregistration.k8s.io/v1
    apps/v1
    authentication.k8s.io/v1
    authorization.k8s.io/v1
    autoscaling/v1
    autoscaling/v2
    autoscaling/v2beta1
    autoscaling/v2beta2
    batch/v1
    batch/v1beta1
    certificates.k8s.io/v1
    coordination.k8s.io/v1
    discovery.k8s.io/v1
    discovery.k8s.io/v1beta1
    events.k8s.io/v1
    events.k8s.io/v1beta1
    flowcontrol.apiserver.k8s.io/v1beta1
    flowcontrol.apiserver.k8s.io/v1beta2
    networking.k8s.io/v1
    node.k8s.io/v1
    node.k8s.io/v1beta1
    policy/v1
    policy/v1beta1
    rbac.authorization.k8s.io/v1
    scheduling.k8s.io/v1
    storage.k8s.io/v1
    storage.k8s.io/v1beta1
    v1
    $ kubectl api-resources
    NAME  SHORTNAMES  APIVERSION  NAMESPACED  KIND
    bindings  v1  true  Binding
    componentstatuses  cs  v1  false  ComponentStatus
    configmaps  cm  v1  true  ConfigMap
    endpoints  ep  v1  true  Endpoints
    events  ev  v1  true  Event
    limitranges  limits  v1  true  LimitRange
    namespaces  ns  v1  false  Namespace
    nodes  no  v1  false  Node
    persistentvolumeclaims  pvc  v1  true  PersistentVolumeClaim
    persistentvolumes  pv  v1  false  PersistentVolume
    pods  po  v1  true  Pod
    podtemplates  v1  true  PodTemplate
    replicationcontrollers  rc  v1  true  ReplicationController
    resourcequotas  quota  v1  true  ResourceQuota
    secrets  v1  true  Secret
    serviceaccounts  sa  v1  true  ServiceAccount
    services  svc  v1  true  Service
    mutatingwebhookconfigurations  admissionregistration.k8s.io/v1  false  <any>
    validatingwebhookconfigurations  admissionregistration.k8s.io/v1  false  <any>
    customresourcedefinitions  crd,crds  apiextensions.k8s.io/v1  false  <any>
    apiservices  apiregistration.k8s.io/v1  false  APIService
    controllerrevisions  apps/v1  true  ControllerRevision
    daemonsets  ds  apps/v1  true  DaemonSet
    deployments  deploy  apps/v1  true  Deployment
    replicasets  rs  apps/v1  true  ReplicaSet
    statefulsets  sts  apps/v1  true  StatefulSet
    tokenreviews  authentication.k8s.io/v1  false  TokenReview
    localsubjectaccessreviews  authorization.k8s.io/v1  true  LocalSubjectAccessReview
    selfsubjectaccessreviews  authorization.k8s.io/v1  false  SelfSubjectAccessReview
    selfsubjectrulesreviews  authorization.k8s.io/v1  false  SelfSubjectRulesReview
    subjectaccessreviews  authorization.k8s.io/v1  false  SubjectAccessReview
    horizontalpodautoscalers  hpa  autoscaling/v2  true  HorizontalPodAutoscaler
    cronjobs  cj  batch/v1  true  CronJob
    jobs  batch/v1  true  Job
    certificatesigningrequests  csr  certificates.k8s.io/v1  false  CertificateSigningRequest
    leases  coordination.k8s.io/v1  true  Lease
    endpointslices  discovery.k8s.io/v1  true  EndpointSlice
    events  ev  events.k8s.io/v1  true  Event
    flowschemas  flowcontrol.apiserver.k8s.io/v1beta2  false  FlowSchema
    prioritylevelconfigurations  flowcontrol.apiserver.k8s.io/v1beta2  false  <any>
    ingressclasses  networking.k8s.io/v1  false  IngressClass
    ingresses  ing  networking.k8s.io/v1  true  Ingress
    networkpolicies  netpol  networking.k8s.io/v1  true  NetworkPolicy
    runtimeclasses  node.k8s.io/v1  false  RuntimeClass
    poddisruptionbudgets  pdb  policy/v1  true  PodDisruptionBudget
    podsecuritypolicies  psp  policy/v1beta1  false  PodSecurityPolicy
    clusterrolebindings  rbac.authorization.k8s.io/v1  false  ClusterRoleBinding
    clusterroles  rbac.authorization.k8s.io/v1  false  ClusterRole
    rolebindings  rbac.authorization.k8s.io/v1  true  RoleBinding
    roles  rbac.authorization.k8s.io/v1  true  Role
    priorityclasses  pc  scheduling.k8s.io/v1  false  PriorityClass
    csidrivers  storage.k8s.io/v1  false  CSIDriver
    csinodes  storage.k8s.io/v1  false  CSINode
    csistoragecapacities  storage.k8s.io/v1beta1  true  CSIStorageCapacity
    storageclasses  sc  storage.k8s.io/v1  false  StorageClass
    volumeattachments  storage.k8s.io/v1  false  VolumeAttachment
    $ kubectl api-resources -o wide --api-group=apps # since 1.26
    NAME  SHORTNAMES  APIVERSION  NAMESPACED  KIND  VERBS  CATEGORIES
    controllerrevisions  apps/v1  true  ControllerRevision  <any>
    daemonsets  ds  apps/v1  true  DaemonSet  <any>
    deployments  deploy  apps/v1  true  Deployment  <any>
    replicasets  rs  apps/v1  true  ReplicaSet  <any>
    statefulsets  sts  apps/v1  true  StatefulSet  <any>
    $ kubectl api-resources --verbs=list,get --namespaced=false -o name
    componentstatuses
    namespaces
    nodes
    persistentvolumes
    mutatingwebhookconfigurations.admissionregistration.k8s.io
    validatingwebhookconfigurations.admissionregistration.k8s.io
    customresourcedefinitions.apiextensions.k8s.io
    apiservices.apiregistration.k8s.io
    certificatesigningrequests.certificates.k8s.io
    flowschemas.flowcontrol.apiserver.k8s.io
    prioritylevelconfigurations.flowcontrol.apiserver.k8s.io
    ingressclasses.networking.k8s.io
    runtimeclasses.node.k8s.io
    podsecuritypolicies.policy
    clusterrolebindings.rbac.authorization.k8s.io
    clusterroles.rbac.authorization.k8s.io
    priorityclasses.scheduling.k8s.io
    csidrivers.storage.k8s.io
    csinodes.storage.k8s.io
    storageclasses.storage.k8s.io
    volumeattachments.storage.k8s.io
    $ kubectl api-resources --namespaced=true --categories=all -o name # since 1.29
    pods
    replicationcontrollers
    services
    daemonsets.apps
    deployments.apps
    replicasets.apps
    statefulsets.apps
    horizontalpodautoscalers.autoscaling
    cronjobs.batch
    jobs.batch
    $ kubectl api-resources --sort-by=kind --api-group=batch --no-headers
    cronjobs  cj  batch/v1  true  CronJob
    jobs  batch/v1  true  Job
  `,
  explanations: String.raw`
    $ kubectl explain deployment.spec.replicas | grep FIELD
    FIELD:<any> replicas <integer>
    $ kubectl explain pods # since 1.27
    KIND:  Pod
    VERSION:  v1

    DESCRIPTION:
    ...
    FIELDS:
      apiVersion  <string>
    ...
      kind  <string>
    ...
      metadata  <ObjectMeta>
    ...
      spec  <PodSpec>
    ...
      status  <PodStatus>
    ...
    $ kubectl explain deployment.spec.strategy.type | grep -c '^ *- .Re\|^ *- .Ro'
    2
    $ kubectl explain pods --recursive | grep -c 'no description\|<empty>'
    0
    exit 1
    $ kubectl explain deployment.spec.strategy # since 1.27
    GROUP:  apps
    KIND:  Deployment
    VERSION:  v1

    FIELD: strategy <DeploymentStrategy>


    DESCRIPTION:
    ...
    FIELDS:
      rollingUpdate  <RollingUpdateDeployment>
    ...
      type  <string>
    ...
    $ kubectl explain deployment.spec.strategy --recursive # since 1.27
    GROUP:  apps
    KIND:  Deployment
    VERSION:  v1

    FIELD: strategy <DeploymentStrategy>


    DESCRIPTION:
    ...
    FIELDS:
      rollingUpdate  <RollingUpdateDeployment>
        maxSurge  <string>
        maxUnavailable  <string>
      type  <string>
    $ kubectl explain pod.spec.containers.ports.hostPort # since 1.27
    KIND:  Pod
    VERSION:  v1

    FIELD: hostPort <integer>


    DESCRIPTION:
    ...
    $ kubectl explain configmap.nothing # since 1.27
    KIND:  ConfigMap
    VERSION:  v1
    ! error: field "nothing" does not exist
    exit 1
    $ kubectl explain nothings
    ! the server doesn't have a resource type "nothings"
    exit 1
    $ kubectl explain cronjobs.spec --api-version=batch/v1beta1 # since 1.27
    GROUP:  batch
    KIND:  CronJob
    VERSION:  v1beta1

    FIELD: spec <CronJobSpec>


    DESCRIPTION:
    ...
    FIELDS:
      concurrencyPolicy  <string>
      enum: Allow, Forbid, Replace
    ...
      failedJobsHistoryLimit  <integer>
    ...
      jobTemplate  <JobTemplateSpec> -required-
    ...
      schedule  <string> -required-
    ...
      startingDeadlineSeconds  <integer>
    ...
      successfulJobsHistoryLimit  <integer>
    ...
      suspend  <boolean>
    ...
    $ kubectl explain horizontalpodautoscalers.spec --api-version=autoscaling/v1 # since 1.27
    GROUP:  autoscaling
    KIND:  HorizontalPodAutoscaler
    VERSION:  v1

    FIELD: spec <HorizontalPodAutoscalerSpec>


    DESCRIPTION:
    ...
    FIELDS:
      maxReplicas  <integer> -required-
    ...
      minReplicas  <integer>
    ...
      scaleTargetRef  <CrossVersionObjectReference> -required-
    ...
      targetCPUUtilizationPercentage  <integer>
    ...
    $ kubectl explain configmap --output=plaintext-openapiv2 # since 1.27
    KIND:  ConfigMap
    VERSION:  v1

    DESCRIPTION:
    ...
    FIELDS:
       apiVersion  <string>
    ...
       binaryData  <map[string]string>
    ...
       data  <map[string]string>
    ...
       immutable  <boolean>
    ...
       kind  <string>
    ...
       metadata  <Object>
    ...
  `,
  cluster: String.raw`
    $ kubectl version | grep -o 'Server.*v1.23.17+shardplane'
    Server<any>v1.23.17+shardplane
    ! ...
    $ kubectl version -o json
    ...
      "serverVersion": {
        "major": "1",
        "minor": "23",
        "gitVersion": "v1.23.17+shardplane",
        "gitCommit": "<any>",
        "gitTreeState": "<any>",
        "buildDate": "<time>",
        "goVersion": "node<any>",
        "compiler": "v8",
        "platform": "<any>"
      }
    }
    ! ...
    $ kubectl cluster-info
    <any>control plane<any> is running at <any>https://127.0.0.1:<any>

    To further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.
    $ kubectl run web --image=nginx
    pod/web created
    $ kubectl cluster-info dump --output-directory=dump
    Cluster info dumped to dump
    $ find dump -type f | sort
    dump/cluster/daemonsets.json
    dump/cluster/deployments.json
    dump/cluster/events.json
    dump/cluster/pods.json
    dump/cluster/replicasets.json
    dump/cluster/replication-controllers.json
    dump/cluster/services.json
    dump/cluster/web/logs.txt
    dump/kube-system/daemonsets.json
    dump/kube-system/deployments.json
    dump/kube-system/events.json
    dump/kube-system/pods.json
    dump/kube-system/replicasets.json
    dump/kube-system/replication-controllers.json
    dump/kube-system/services.json
    dump/nodes.json
    $ grep -c '"name": "web"' dump/cluster/pods.json
    2
    $ kubectl cluster-info dump --namespaces=cluster -o yaml | grep '^kind'
    kind: NodeList
    kind: EventList
    kind: ReplicationControllerList
    kind: ServiceList
    kind: DaemonSetList
    kind: DeploymentList
    kind: ReplicaSetList
    kind: PodList
    $ kubectl config view
    apiVersion: v1
    clusters:
    - cluster:
        certificate-authority-data: DATA+OMITTED
        server: <server>
      name: shardplane
    contexts:
    - context:
        cluster: shardplane
        namespace: cluster
        user: admin
      name: shardplane
    current-context: shardplane
    kind: Config
    preferences: {}
    users:
    - name: admin
      user:
        token: REDACTED
    $ kubectl config view --minify -o jsonpath='{.contexts[0].context.namespace}'
    cluster
    $ kubectl config get-contexts
    CURRENT  NAME  CLUSTER  AUTHINFO  NAMESPACE
    *  shardplane  shardplane  admin  cluster
    $ kubectl config set-context --current --namespace=kube-system
    Context "shardplane" modified.
    $ kubectl get serviceaccounts
    ! No resources found in kube-system namespace.
  `,
});
