import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const TEMPLATE = '{metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: c}]}}';
const ONCE = '{template: {spec: {restartPolicy: Never, containers: [{name: c, image: c}]}}}';

const WORKLOADS = `
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}, annotations: {note: for people}}
spec:
  containers:
  - name: web
    image: nginx
    ports: [{containerPort: 80}]
    env: [{name: A, value: '1'}, {name: B, valueFrom: {configMapKeyRef: {name: settings, key: x}}}]
    resources: {requests: {cpu: 100m}, limits: {memory: 1Gi}}
    volumeMounts: [{name: v, mountPath: /v}]
  volumes: [{name: v, configMap: {name: settings}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: a}}, template: ${TEMPLATE}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec: {selector: {matchLabels: {app: a}}, template: ${TEMPLATE}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: db, selector: {matchLabels: {app: a}}, template: ${TEMPLATE}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: ${ONCE}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec: {schedule: '*/5 * * * *', jobTemplate: {spec: ${ONCE}}}
`;

const EVENT = `
apiVersion: v1
kind: Event
metadata: {name: pulled}
involvedObject: {kind: Pod, name: web, namespace: events, uid: UID, apiVersion: v1}
reason: Pulled
message: The image is there
type: Normal
count: 3
firstTimestamp: '2026-01-01T00:00:00Z'
lastTimestamp: '2026-01-02T00:00:00Z'
source: {component: agent, host: n1}
`;

const OTHER_EVENT = `
apiVersion: v1
kind: Event
metadata: {name: failed}
involvedObject: {kind: Pod, name: other, namespace: events, apiVersion: v1}
reason: Failed
message: It failed
type: Warning
firstTimestamp: '2026-01-03T00:00:00Z'
lastTimestamp: '2026-01-03T00:00:00Z'
source: {component: agent}
`;

const FILES = {
  'workloads.yaml': WORKLOADS,
  'event.yaml': EVENT,
  'events.yaml': `${EVENT}---${OTHER_EVENT}`,
};

await runTranscripts(
  t,
  {
    workloads: String.raw`
      $ kubectl create -f workloads.yaml
      pod/web created
      deployment.apps/web created
      replicaset.apps/web created
      statefulset.apps/db created
      job.batch/once created
      cronjob.batch/tick created
      $ kubectl describe pod web
      Name:  web
      Namespace:  workloads
      Node:  <none>
      Labels:  app=web
      Annotations:  note: for people
      Status:  Pending
      IP:
      IPs:  <none>
      Containers:
        web:
          Image:  nginx
          Port:  80/TCP
          Host Port:  0/TCP
          Limits:
            memory:  1Gi
          Requests:
            cpu:  100m
            memory:  1Gi
          Environment:
            A:  1
            B:  <set to the key 'x' of config map 'settings'>  Optional: false
          Mounts:
            /v from v (rw)
      Volumes:
        v:
          Type:  ConfigMap (a volume populated by a ConfigMap)
          Name:  settings
          Optional:  false
      QoS Class:  Burstable
      ...
      Events:  <none>
      $ kubectl describe pods -l app=none
      ! No resources found in workloads namespace.
      $ kubectl describe pods we | head -1
      Name:  web
      $ kubectl describe pods none
      ! Error from server (NotFound): pods "none" not found
      exit 1
      $ kubectl describe deployment web
      Name:  web
      Namespace:  workloads
      CreationTimestamp:  <date>
      Labels:  <none>
      Annotations:  <none>
      Selector:  app=a
      Replicas:  2 desired | 0 updated | 0 total | 0 available | 0 unavailable
      StrategyType:  RollingUpdate
      MinReadySeconds:  0
      RollingUpdateStrategy:  25% max unavailable, 25% max surge
      Pod Template:
        Labels:  app=a
        Containers:
         c:
          Image:  c
          Port:  <none>
          Host Port:  <none>
          Environment:  <none>
          Mounts:  <none>
        Volumes:  <none>
      ...
      Events:  <none>
      $ kubectl describe job once
      Name:  once
      Namespace:  workloads
      Selector:  controller-uid=<uid>
      Labels:  controller-uid=<uid>
                        job-name=once
      Annotations:  <none>
      Parallelism:  1
      Completions:  1
      ...
      Pods Statuses:  0 Active / 0 Succeeded / 0 Failed
      Pod Template:
        Labels:  controller-uid=<uid>
                 job-name=once
        Containers:
         c:
          Image:  c
          Port:  <none>
          Host Port:  <none>
          Environment:  <none>
          Mounts:  <none>
        Volumes:  <none>
      ...
      Events:  <none>
      $ kubectl describe cronjob tick
      Name:  tick
      Namespace:  workloads
      Labels:  <none>
      Annotations:  <none>
      Schedule:  */5 * * * *
      Concurrency Policy:  Allow
      Suspend:  False
      Successful Job History Limit:  3
      Failed Job History Limit:  1
      Starting Deadline Seconds:  <unset>
      Selector:  <unset>
      Parallelism:  <unset>
      Completions:  <unset>
      Pod Template:
        Labels:  <none>
        Containers:
         c:
          Image:  c
          Port:  <none>
          Host Port:  <none>
          Environment:  <none>
          Mounts:  <none>
        Volumes:  <none>
      ...
      Last Schedule Time:  <unset>
      Active Jobs:  <none>
      Events:  <none>
      $ kubectl describe -f workloads.yaml | grep '^Name:'
      Name:  web
      Name:  web
      Name:  web
      Name:  db
      Name:  once
      Name:  tick
      $ kubectl describe statefulset db
      Name:  db
      Namespace:  workloads
      CreationTimestamp:  <date>
      Selector:  app=a
      Labels:  <none>
      Annotations:  <none>
      Replicas:  1 desired | 0 total
      Update Strategy:  RollingUpdate
        Partition:  0
      Pods Status:  0 Running / 0 Waiting / 0 Succeeded / 0 Failed
      Pod Template:
        Labels:  app=a
        Containers:
         c:
          Image:  c
          Port:  <none>
          Host Port:  <none>
          Environment:  <none>
          Mounts:  <none>
        Volumes:  <none>
      ...
      Volume Claims:  <none>
      Events:  <none>
      $ kubectl describe replicaset web
      Name:  web
      Namespace:  workloads
      Selector:  app=a
      Labels:  <none>
      Annotations:  <none>
      Replicas:  0 current / 1 desired
      Pods Status:  0 Running / 0 Waiting / 0 Succeeded / 0 Failed
      Pod Template:
        Labels:  app=a
        Containers:
         c:
          Image:  c
          Port:  <none>
          Host Port:  <none>
          Environment:  <none>
          Mounts:  <none>
        Volumes:  <none>
      ...
      Events:  <none>
    `,
    events: String.raw`
      $ kubectl run web --image=nginx
      pod/web created
      $ uid=$(kubectl get pod web -o jsonpath='{.metadata.uid}')
      > perl -pi -e "s/UID/$uid/" event.yaml events.yaml && kubectl create -f events.yaml
      event/pulled created
      event/failed created
      $ kubectl get events --sort-by=.metadata.name
      LAST SEEN  TYPE  REASON  OBJECT  MESSAGE
      <age>  Warning  Failed  pod/other  It failed
      <age>  Normal  Pulled  pod/web  The image is there
      $ kubectl get events -o wide --field-selector=type=Warning
      LAST SEEN  TYPE  REASON  OBJECT  SUBOBJECT  SOURCE  MESSAGE  FIRST SEEN  COUNT  NAME
      <age>  Warning  Failed  pod/other  agent  It failed  <age>  1  failed
      $ kubectl get events --field-selector=involvedObject.name=other,reason=Failed -o name
      event/failed
      $ kubectl describe pod web | sed -n '/^Events/,$p'
      Events:
        Type  Reason  Age  From  Message
        ----  ------  ----  ----  -------
        Normal  Pulled  <age> (x3 over <age>)  agent  The image is there
      $ kubectl describe event pulled
      Name:  pulled
      Namespace:  events
      Labels:  <none>
      Annotations:  <none>
      API Version:  v1
      Count:  3
      Event Time:  <nil>
      First Timestamp:  <time>
      Involved Object:
        API Version:  v1
        Kind:  Pod
        Name:  web
        Namespace:  events
        UID:  <uid>
      Kind:  Event
      Last Timestamp:  <time>
      Message:  The image is there
      Metadata:
        Creation Timestamp:  <time>
      ...
        Resource Version:  <n>
        UID:  <uid>
      Reason:  Pulled
      Reporting Component:
      Reporting Instance:
      Source:
        Component:  agent
        Host:  n1
      Type:  Normal
      Events:  <none>
      $ kubectl events # since 1.26
      LAST SEEN  TYPE  REASON  OBJECT  MESSAGE
      <age> (x3 over <age>)  Normal  Pulled  Pod/web  The image is there
      <age>  Warning  Failed  Pod/other  It failed
      $ kubectl events --for=pod/web # since 1.26
      LAST SEEN  TYPE  REASON  OBJECT  MESSAGE
      <age> (x3 over <age>)  Normal  Pulled  Pod/web  The image is there
      $ kubectl events --types=Warning --no-headers # since 1.28
      <age>  Warning  Failed  Pod/other  It failed
      $ kubectl events --for=pod/web --watch & # since 1.26
      LAST SEEN  TYPE  REASON  OBJECT  MESSAGE
      <age> (x3 over <age>)  Normal  Pulled  Pod/web  The image is there
      $ sed 's/name: pulled/name: later/; s/: Pulled/: Started/' event.yaml | kubectl create -f -
      event/later created
      & <age> (x3 over <age>)  Normal  Started  Pod/web  The image is there
      $ kubectl get events --field-selector=involvedObject.name=other --watch &
      LAST SEEN  TYPE  REASON  OBJECT  MESSAGE
      <age>  Warning  Failed  pod/other  It failed
      $ kubectl delete events later failed
      event "later" deleted
      event "failed" deleted
      & <age>  Warning  Failed  pod/other  It failed
    `,
  },
  { files: FILES },
);
