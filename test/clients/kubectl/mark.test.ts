import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const CONTROLLERS = `
apiVersion: v1
kind: ReplicationController
metadata: {name: rc}
spec:
  selector: {app: rc}
  template: {metadata: {labels: {app: rc}}, spec: {containers: [{name: c, image: c}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: c}]}}
`;

const FINALIZED = `
apiVersion: v1
kind: Pod
metadata: {name: tainted, finalizers: [kubernetes.io/own, example.com/own]}
spec:
  containers: [{name: c, image: c}]
  tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}]
`;

const FILES = {
  'finalized.yaml': FINALIZED,
  'controllers.yaml': CONTROLLERS,
  'file.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
};

await runTranscripts(
  t,
  {
    labels: String.raw`
      $ kubectl create configmap a --from-literal=x=1
      configmap/a created
      $ kubectl create configmap b
      configmap/b created
      $ kubectl label configmap a tier=web env=prod
      configmap/a labeled
      $ kubectl label configmap a tier=db
      ! error: 'tier' already has a value (web), and --overwrite is false
      exit 1
      $ kubectl label configmap a tier=db --overwrite
      configmap/a <any>labeled
      $ kubectl label configmap a tier=db --overwrite
      configmap/a not labeled
      $ kubectl label configmap a env-
      configmap/a unlabeled
      $ kubectl label configmap a env-
      label "env" not found.
      configmap/a not labeled
      $ kubectl label configmaps --all team=x
      configmap/a labeled
      configmap/b labeled
      $ kubectl label configmaps -l team=x,tier seen=yes
      configmap/a labeled
      $ kubectl label configmap a --list | sort
      seen=yes
      team=x
      tier=db
      $ kubectl label configmap a bad='no spaces'
      ! error: invalid label value: "bad=no spaces": a valid label must be an empty <any>
      exit 1
      $ kubectl label configmap a 'bad key=x'
      ! The ConfigMap "a" is invalid: metadata.labels: Invalid value: "bad key": name <any>
      exit 1
      $ kubectl label configmap none x=y
      ! Error from server (NotFound): configmaps "none" not found
      exit 1
      $ kubectl label -f file.yaml from=file
      configmap/a labeled
      $ kubectl label configmap a dry=run --dry-run=server -o jsonpath='{.metadata.labels.dry}'
      run
      $ kubectl label configmap a v=1 --resource-version=1
      ! Error from server (Conflict): Operation cannot be fulfilled on configmaps "a": <any>
      exit 1
      $ kubectl label namespace labels kind=test
      namespace/labels labeled
      $ kubectl label namespace labels kubernetes.io/metadata.name=other --overwrite
      namespace/labels <any>labeled
      $ kubectl get namespace labels -o jsonpath='{.metadata.labels}'
      {"kind":"test","kubernetes.io/metadata.name":"labels"}
    `,
    annotating: String.raw`
      $ kubectl create configmap a --from-literal=x=1
      configmap/a created
      $ kubectl create configmap b
      configmap/b created
      $ kubectl annotate configmap a note='first words' other=x
      configmap/a annotated
      $ kubectl annotate configmap a note=second
      ! error: --overwrite is false but found the following declared annotation(s): <any>
      exit 1
      $ kubectl annotate configmap a note=second --overwrite
      configmap/a annotated
      $ kubectl annotate configmap a note-
      configmap/a annotated
      $ kubectl annotate configmap a --list
      other=x
      $ kubectl annotate configmap a v=1 --resource-version=1
      ! Error from server (Conflict): Operation cannot be fulfilled on configmaps "a": <any>
      exit 1
      $ version=$(kubectl get configmap a -o jsonpath={.metadata.resourceVersion})
      > kubectl annotate configmap a v=1 --resource-version="$version"
      configmap/a annotated
      $ kubectl annotate configmaps --all kubernetes.io/change-cause=mine
      configmap/a annotated
      configmap/b annotated
      $ kubectl annotate configmap a cluster.io/own=mine kubectl.kubernetes.io/own=mine \
      > k8s.io/own=mine
      configmap/a annotated
      $ kubectl annotate configmap none x=y
      ! Error from server (NotFound): configmaps "none" not found
      exit 1
      $ kubectl get configmap a -o jsonpath='{.metadata.annotations}' | tr , '\n'
      {"cluster.io/own":"mine"
      "k8s.io/own":"mine"
      "kubectl.kubernetes.io/own":"mine"
      "kubernetes.io/change-cause":"mine"
      "other":"x"
      "v":"1"}
      $ kubectl get configmap a -o \
      > jsonpath='{range .metadata.managedFields[*]}{.manager} {.operation} {end}'
      kubectl-create Update kubectl-annotate Update
    `,
    scales: String.raw`
      $ kubectl create deployment web --image=nginx
      deployment.apps/web created
      $ kubectl scale deployment web --replicas=3
      deployment.apps/web scaled
      $ kubectl scale deployment web --current-replicas=1 --replicas=5
      ! error: Expected replicas to be 1, was 3
      exit 1
      $ kubectl scale deployment web --current-replicas=3 --replicas=5
      deployment.apps/web scaled
      $ kubectl scale deployment web --replicas=2 --resource-version=1
      ! error: Expected resource version to be 1, was <n>
      exit 1
      $ kubectl scale deployments --all --replicas=2
      deployment.apps/web scaled
      $ kubectl scale deployment none --replicas=2
      ! <any>deployments.apps "none" not found
      exit 1
      $ kubectl scale deployment/web --replicas=-1
      ! error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0
      exit 1
      $ kubectl create configmap a
      configmap/a created
      $ kubectl scale configmap a --replicas=1
      ! Error from server (NotFound): the server could not find the requested resource
      exit 1
      $ kubectl create -f controllers.yaml
      replicationcontroller/rc created
      statefulset.apps/db created
      $ kubectl scale rc/rc sts/db deployment/web --replicas=4
      replicationcontroller/rc scaled
      statefulset.apps/db scaled
      deployment.apps/web scaled
      $ kubectl scale rc rc --replicas=1 --dry-run=server
      replicationcontroller/rc scaled<any>
      $ kubectl scale -f controllers.yaml --replicas=0
      replicationcontroller/rc scaled
      statefulset.apps/db scaled
      $ kubectl get deploy,rc,sts
      NAME  READY  UP-TO-DATE  AVAILABLE  AGE
      deployment.apps/web  0/4  0  0  <age>

      NAME  DESIRED  CURRENT  READY  AGE
      replicationcontroller/rc  0  0  0  <age>

      NAME  READY  AGE
      statefulset.apps/db  0/0  <age>
    `,
    sets: String.raw`
      $ kubectl create deployment web --image=nginx
      deployment.apps/web created
      $ kubectl set image deployment/web nginx=nginx:2
      deployment.apps/web image updated
      $ kubectl set image deployment/web nginx=nginx:2
      $ kubectl set image deployment/web none=x
      ! error: unable to find container named "none"
      exit 1
      $ kubectl set image deployments --all '*=busybox'
      deployment.apps/web image updated
      $ kubectl set image deployment/web nginx=x --dry-run=server -o jsonpath='{..image}'
      x
      $ kubectl set image deployment/web nginx=x --dry-run=client
      deployment.apps/web image updated (dry run)
      $ kubectl set env deployment/web A=1 B=2
      deployment.apps/web env updated
      $ kubectl set env deployment/web --list
      # Deployment web, container nginx
      A=1
      B=2
      $ kubectl set env deployment/web A-
      deployment.apps/web env updated
      $ kubectl create configmap settings --from-literal=key=value
      configmap/settings created
      $ kubectl set env deployment/web --from=configmap/settings
      deployment.apps/web env updated
      ! ...
      $ kubectl set resources deployment web --limits=cpu=200m,memory=512Mi --requests=cpu=100m
      deployment.apps/web resource requirements updated
      $ kubectl set serviceaccount deployment web robot
      deployment.apps/web serviceaccount updated
      $ kubectl get deployment web -o jsonpath='{.metadata.generation} {..serviceAccountName}'
      8 robot
      $ kubectl get deployment web -o jsonpath='{..containers[0].resources} {..containers[0].env}'
      {"limits":{"cpu":"200m","memory":"512Mi"},"requests":{"cpu":"100m"}} [{"name":"B",<any>}]
      $ kubectl create service clusterip web --tcp=80
      service/web created
      $ kubectl set selector service web app=other
      service/web selector updated
      $ kubectl get service web -o jsonpath='{.spec.selector}'
      {"app":"other"}
    `,
    names: String.raw`
      $ kubectl create configmap a --from-literal=x=cluster.io/x --from-literal=y=kubernetes.io/y
      configmap/a created
      $ kubectl label configmap a cluster.io/a=1 kubernetes.io/a=2 k8s.io/a=3
      configmap/a labeled
      $ kubectl get configmap -l kubernetes.io/a=2,cluster.io/a=1 -L \
      > cluster.io/a,kubernetes.io/a,k8s.io/a
      NAME  DATA  AGE  A  A  A
      a  2  <age>  1  2  3
      $ kubectl get configmaps -l cluster.io/a=2
      ! No resources found in names namespace.
      $ kubectl get configmap a -o jsonpath='{.data}{"\n"}{.metadata.labels}'
      {"x":"cluster.io/x","y":"kubernetes.io/y"}
      {"cluster.io/a":"1","k8s.io/a":"3","kubernetes.io/a":"2"}
      $ kubectl get configmaps -A --field-selector=metadata.namespace=names -o name
      configmap/a
      $ kubectl patch configmap a --type=json -p \
      > '[{"op":"remove","path":"/metadata/labels/kubernetes.io~1a"}]'
      configmap/a patched
      $ kubectl patch configmap a --type=merge -p '{"metadata":{"labels":{"cluster.io/a":null}}}'
      configmap/a patched
      $ kubectl get configmap a -o jsonpath='{.metadata.labels}'
      {"k8s.io/a":"3"}
      $ kubectl get configmap a -o jsonpath='{.metadata.managedFields[*].fieldsV1}' \
      > | grep -o 'f:[a-z0-9]*.io/a'
      f:k8s.io/a
      $ kubectl create namespace cluster-system
      namespace/cluster-system created
      $ kubectl get namespace cluster-system kube-system --show-labels
      NAME  STATUS  AGE  LABELS
      cluster-system  Active  <age>  kubernetes.io/metadata.name=cluster-system
      kube-system  Active  <age>  kubernetes.io/metadata.name=kube-system
      $ kubectl create configmap b -n cluster-system
      configmap/b created
      $ kubectl get configmaps -n kube-system
      ! No resources found in kube-system namespace.
      $ kubectl get configmap b -n cluster-system -o jsonpath='{.metadata.namespace}'
      cluster-system
      $ kubectl delete namespace cluster-system
      namespace "cluster-system" deleted
      $ kubectl delete namespace kube-system
      ! Error from server (Forbidden): namespaces "kube-system" is forbidden: this <any>
      exit 1
      $ kubectl create secret generic s --type=kubernetes.io/basic-auth --from-literal=username=u
      secret/s created
      $ kubectl create secret generic t --type=cluster.io/basic-auth --from-literal=username=u
      secret/t created
      $ kubectl create secret generic u --type=kubernetes.io/tls --from-literal=username=u
      ! error: failed to create secret Secret "u" is invalid: [data[tls.crt]: Required <any>
      exit 1
      $ kubectl get secrets
      NAME  TYPE  DATA  AGE
      s  kubernetes.io/basic-auth  1  <age>
      t  cluster.io/basic-auth  1  <age>
      $ kubectl create -f finalized.yaml
      pod/tainted created
      $ kubectl get pod tainted -o jsonpath='{.spec.tolerations[*].key} {.metadata.finalizers}'
      node.kubernetes.io/not-ready ["kubernetes.io/own","example.com/own"]
      $ kubectl apply --server-side -f finalized.yaml --field-manager=client
      pod/tainted serverside-applied
      $ kubectl get pod tainted -o jsonpath='{.metadata.managedFields[*].manager}'
      client kubectl-create
    `,
  },
  { files: FILES },
);
