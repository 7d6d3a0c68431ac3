import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const THINGS = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {x: '1'}
---
apiVersion: v1
kind: Secret
metadata: {name: key}
stringData: {x: '1'}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, name: http}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: site}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
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
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota}
spec: {hard: {pods: '10'}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits}
spec: {limits: [{type: Container, default: {memory: 2Gi}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: robot, namespace: things}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  maxReplicas: 3
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
  annotations: {storageclass.kubernetes.io/is-default-class: 'true'}
provisioner: example.com/disk
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: me}
`;

const FILES = { 'things.yaml': THINGS };

await runTranscripts(
  t,
  {
    things: String.raw`
      $ kubectl create -f things.yaml
      configmap/settings created
      secret/key created
      service/web created
      ingress.networking.k8s.io/site created
      persistentvolume/vol created
      persistentvolumeclaim/claim created
      resourcequota/quota created
      limitrange/limits created
      role.rbac.authorization.k8s.io/reader created
      rolebinding.rbac.authorization.k8s.io/reader created
      poddisruptionbudget.policy/web created
      horizontalpodautoscaler.autoscaling/web created
      storageclass.storage.k8s.io/fast created
      lease.coordination.k8s.io/leader created
      $ kubectl describe configmap settings
      Name:  settings
      Namespace:  things
      Labels:  <none>
      Annotations:  <none>

      Data
      ====
      x:
      ----
      1
      ...
      BinaryData
      ====

      Events:  <none>
      $ kubectl describe secret key
      Name:  key
      Namespace:  things
      Labels:  <none>
      Annotations:  <none>

      Type:  Opaque

      Data
      ====
      x:  1 bytes
      $ kubectl describe service web
      Name:  web
      Namespace:  things
      Labels:  <none>
      Annotations:  <none>
      Selector:  app=web
      Type:  ClusterIP
      IP Family Policy:  SingleStack
      IP Families:  IPv4
      IP:  <ip>
      IPs:  <ip>
      Port:  http  80/TCP
      TargetPort:  80/TCP
      Endpoints:  <none>
      Session Affinity:  None
      ...
      Events:  <none>
      $ kubectl describe ingress site
      Name:  site
      Labels:  <none>
      Namespace:  things
      Address:
      ...
      Default backend:  web:80 (<any>)
      Rules:
        Host  Path  Backends
        ----  ----  --------
        *  *  web:80 (<any>)
      Annotations:  <none>
      Events:  <none>
      $ kubectl describe pv vol
      Name:  vol
      Labels:  <none>
      Annotations:  <none>
      Finalizers:  []
      StorageClass:  fast
      Status:  Pending
      Claim:
      Reclaim Policy:  Retain
      Access Modes:  RWO
      VolumeMode:  Filesystem
      Capacity:  1Gi
      Node Affinity:  <none>
      Message:
      Source:
          Type:  HostPath (bare host directory volume)
          Path:  /x
          HostPathType:
      Events:  <none>
      $ kubectl describe pvc claim
      Name:  claim
      Namespace:  things
      StorageClass:  fast
      Status:  Pending
      Volume:
      Labels:  <none>
      Annotations:  <none>
      Finalizers:  []
      Capacity:
      Access Modes:
      VolumeMode:  Filesystem
      Used By:  <none>
      Events:  <none>
      $ kubectl describe namespace things
      Name:  things
      Labels:  kubernetes.io/metadata.name=things
      Annotations:  <none>
      Status:  Active

      Resource Quotas
        Name:  quota
        Resource  Used  Hard
        --------  ---  ---

      Resource Limits
       Type  Resource  Min  Max  Default Request  Default Limit  Max Limit/Request Ratio
       ----  --------  ---  ---  ---------------  -------------  -----------------------
       Container  memory  -  -  2Gi  2Gi  -
      $ kubectl describe role,rolebinding reader
      Name:  reader
      Labels:  <none>
      Annotations:  <none>
      PolicyRule:
        Resources  Non-Resource URLs  Resource Names  Verbs
        ---------  -----------------  --------------  -----
        pods  []  []  [get]


      Name:  reader
      Labels:  <none>
      Annotations:  <none>
      Role:
        Kind:  Role
        Name:  reader
      Subjects:
        Kind  Name  Namespace
        ----  ----  ---------
        ServiceAccount  robot  things
      $ kubectl describe pdb,hpa
      Name:  web
      Namespace:  things
      Min available:  1
      Selector:  app=web
      Status:
          Allowed disruptions:  0
          Current:  0
          Desired:  0
          Total:  0
      Events:  <none>


      Name:  web
      Namespace:  things
      Labels:  <none>
      Annotations:  <none>
      CreationTimestamp:  <date>
      Reference:  Deployment/web
      Metrics:  ( current / target )
        resource cpu on pods  (as a percentage of request):  <unknown> / 80%
      Min replicas:  1
      Max replicas:  3
      Deployment pods:  0 current / 0 desired
      Events:  <none>
      ! ...
      $ kubectl describe sc fast
      Name:  fast
      IsDefaultClass:  Yes
      Annotations:  storageclass.kubernetes.io/is-default-class=true
      Provisioner:  example.com/disk
      Parameters:  <none>
      AllowVolumeExpansion:  <unset>
      MountOptions:  <none>
      ReclaimPolicy:  Delete
      VolumeBindingMode:  Immediate
      Events:  <none>
      $ kubectl describe lease leader
      Name:  leader
      Namespace:  things
      Labels:  <none>
      Annotations:  <none>
      API Version:  coordination.k8s.io/v1
      Kind:  Lease
      Metadata:
        Creation Timestamp:  <time>
      ...
        Resource Version:  <n>
        UID:  <uid>
      Spec:
        Holder Identity:  me
      Events:  <none>
    `,
  },
  { files: FILES },
);
