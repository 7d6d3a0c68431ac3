import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const NODE_AND_VOLUMES = `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {node-role.kubernetes.io/worker: ''}}
status:
  conditions: [{type: Ready, status: 'True'}]
  addresses: [{type: InternalIP, address: 10.1.0.1}]
  nodeInfo: {kubeletVersion: v1.23.9, osImage: Linux, kernelVersion: '6.1',
    containerRuntimeVersion: cri://1, architecture: amd64, bootID: b, kubeProxyVersion: v1.23.9,
    machineID: m, operatingSystem: linux, systemUUID: s}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: vol}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /x}
  storageClassName: fast
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: claim}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
  storageClassName: fast
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
  annotations: {storageclass.kubernetes.io/is-default-class: 'true'}
provisioner: example.com/disk
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed}
spec: {podSelector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits}
spec: {limits: [{type: Container, default: {cpu: 200m}}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: web}
subsets: [{addresses: [{ip: 10.1.0.5}], ports: [{port: 80}]}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: me}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: c}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: c, image: c}]}}
`;
const FILES = { 'node-and-volumes.yaml': NODE_AND_VOLUMES };

await runTranscripts(
  t,
  {
    kinds: String.raw`
      $ kubectl run web --image=nginx --labels=app=kinds --port=80
      pod/web created
      $ kubectl create deployment web --image=nginx --replicas=2
      deployment.apps/web created
      $ kubectl create service clusterip web --tcp=80:8080
      service/web created
      $ kubectl get pods,deployments,services -o wide
      NAME  READY  STATUS  RESTARTS  AGE  IP  NODE  NOMINATED NODE  READINESS GATES
      pod/web  0/1  Pending  0  <age>  <none>  <none>  <none>  <none>

      NAME  READY  UP-TO-DATE  AVAILABLE  AGE  CONTAINERS  IMAGES  SELECTOR
      deployment.apps/web  0/2  0  0  <age>  nginx  nginx  app=web

      NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE  SELECTOR
      service/web  ClusterIP  <ip>  <none>  80/TCP  <age>  app=web
      $ kubectl get all
      NAME  READY  STATUS  RESTARTS  AGE
      pod/web  0/1  Pending  0  <age>

      NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE
      service/web  ClusterIP  <ip>  <none>  80/TCP  <age>

      NAME  READY  UP-TO-DATE  AVAILABLE  AGE
      deployment.apps/web  0/2  0  0  <age>
      $ kubectl get pod/web service/web -o name
      pod/web
      service/web
      $ kubectl get pods --field-selector=status.phase=Pending
      NAME  READY  STATUS  RESTARTS  AGE
      web  0/1  Pending  0  <age>
      $ kubectl get pods --field-selector=status.phase!=Pending,spec.restartPolicy=Always
      ! No resources found in kinds namespace.
      $ kubectl get pods --all-namespaces -l app=kinds
      NAMESPACE  NAME  READY  STATUS  RESTARTS  AGE
      kinds  web  0/1  Pending  0  <age>
      $ kubectl get pods -A -l app=kinds -o \
      > custom-columns=NS:.metadata.namespace,NAME:.metadata.name
      NS  NAME
      kinds  web
      $ kubectl get deployments.v1.apps web
      NAME  READY  UP-TO-DATE  AVAILABLE  AGE
      web  0/2  0  0  <age>
      $ kubectl get pod web -o yaml
      apiVersion: v1
      kind: Pod
      metadata:
        creationTimestamp: "<time>"
        labels:
          app: kinds
        name: web
        namespace: kinds
        resourceVersion: "<n>"
        uid: <uid>
      spec:
        containers:
        - image: nginx
          imagePullPolicy: Always
          name: web
          ports:
          - containerPort: 80
            protocol: TCP
          resources: {}
          terminationMessagePath: /dev/termination-log
          terminationMessagePolicy: File
        dnsPolicy: ClusterFirst
        enableServiceLinks: true
        restartPolicy: Always
        schedulerName: default-scheduler
        securityContext: {}
        terminationGracePeriodSeconds: 30
      status:
        phase: Pending
        qosClass: BestEffort
      $ kubectl create -f node-and-volumes.yaml
      node/n1 created
      persistentvolume/vol created
      persistentvolumeclaim/claim created
      storageclass.storage.k8s.io/fast created
      networkpolicy.networking.k8s.io/closed created
      limitrange/limits created
      endpoints/web created
      lease.coordination.k8s.io/leader created
      statefulset.apps/db created
      daemonset.apps/agent created
      $ kubectl get nodes -o wide
      NAME  STATUS  ROLES  AGE  VERSION  INTERNAL-IP  EXTERNAL-IP  OS-IMAGE  <any>
      n1  Ready  worker  <age>  v1.23.9  10.1.0.1  <none>  Linux  6.1  cri://1
      $ kubectl get pv,pvc,sc,netpol,limits,endpoints,leases,sts,rs,ds
      NAME  CAPACITY  ACCESS MODES  RECLAIM POLICY  STATUS  CLAIM  STORAGECLASS  REASON  AGE
      persistentvolume/vol  1Gi  RWO  Retain  Pending  fast  <age>

      NAME  STATUS  VOLUME  CAPACITY  ACCESS MODES  STORAGECLASS  AGE
      persistentvolumeclaim/claim  Pending  fast  <age>

      NAME  PROVISIONER  RECLAIMPOLICY  VOLUMEBINDINGMODE  ALLOWVOLUMEEXPANSION  AGE
      storageclass.storage.k8s.io/fast (default)  example.com/disk  Delete  Immediate <any>

      NAME  POD-SELECTOR  AGE
      networkpolicy.networking.k8s.io/closed  app=web  <age>

      NAME  CREATED AT
      limitrange/limits  <time>

      NAME  ENDPOINTS  AGE
      endpoints/web  10.1.0.5:80  <age>

      NAME  HOLDER  AGE
      lease.coordination.k8s.io/leader  me  <age>

      NAME  READY  AGE
      statefulset.apps/db  0/1  <age>

      NAME  DESIRED  CURRENT  READY  UP-TO-DATE  AVAILABLE  NODE SELECTOR  AGE
      daemonset.apps/agent  0  0  0  0  0  <none>  <age>
    `,
  },
  { files: FILES, ownServer: {} },
);
