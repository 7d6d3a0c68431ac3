import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const REVISION = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-1
  labels: {app: web, pod-template-hash: '1'}
  annotations: {deployment.kubernetes.io/revision: '1', kubernetes.io/change-cause: the first}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true, uid: UID}]
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, pod-template-hash: '1'}}
    spec: {containers: [{name: nginx, image: 'nginx:old'}]}
`;

const SETS = `
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

/** The status that a controller would report once it has seen this generation of the Deployment. */
function rolledOut(observedGeneration: number): string {
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    status: {
      observedGeneration,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    },
  });
}

const FILES = {
  'revision.yaml': REVISION,
  'sets.yaml': SETS,
  'status-1.json': rolledOut(1),
  'status-5.json': rolledOut(5),
};

await runTranscripts(
  t,
  {
    rollouts: String.raw`
      $ kubectl create deployment web --image=nginx
      deployment.apps/web created
      $ kubectl rollout status deployment/web --watch=false
      Waiting for deployment spec update to be observed...
      $ kubectl rollout status deployment/web --timeout=1s
      Waiting for deployment spec update to be observed...
      ! ...
      ! error: timed out waiting for the condition
      exit 1
      $ kubectl replace --raw /apis/apps/v1/namespaces/rollouts/deployments/web/status -f \
      > status-1.json
      {"kind":"Deployment",<any>}
      $ kubectl rollout status deployment/web
      deployment "web" successfully rolled out
      $ kubectl rollout history deployment/web
      deployment.apps/web
      No rollout history found.
      $ uid=$(kubectl get deployment web -o jsonpath='{.metadata.uid}')
      > sed "s/UID/$uid/" revision.yaml | kubectl create -f -
      replicaset.apps/web-1 created
      $ kubectl rollout history deployment/web
      deployment.apps/web
      REVISION  CHANGE-CAUSE
      1  the first
      $ kubectl rollout history deployment/web --revision=1
      deployment.apps/web with revision #1
      Pod Template:
      ...
         nginx:
          Image:  nginx:old
      ...
      $ kubectl rollout undo deployment/web --to-revision=1
      deployment.apps/web rolled back
      $ kubectl rollout undo deployment/web --to-revision=9
      ! error: unable to find specified revision 9 in history
      exit 1
      $ kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}'
      nginx:old
      $ kubectl rollout restart deployment/web
      deployment.apps/web restarted
      $ kubectl get deployment web -o jsonpath='{.spec.template.metadata.annotations}'
      {"kubectl.kubernetes.io/restartedAt":"<time>"}
      $ kubectl rollout pause deployment/web
      deployment.apps/web paused
      $ kubectl rollout pause deployment/web
      ! error: deployments.apps "web" is already paused
      exit 1
      $ kubectl rollout restart deployment/web
      ! error: deployments.apps "web" can't restart paused deployment (run rollout resume first)
      exit 1
      $ kubectl rollout resume deployment/web
      deployment.apps/web resumed
      $ kubectl rollout resume deployment/web
      ! error: deployments.apps "web" is not paused
      exit 1
      $ kubectl rollout status deployment/web &
      Waiting for deployment spec update to be observed...
      $ kubectl replace --raw /apis/apps/v1/namespaces/rollouts/deployments/web/status -f \
      > status-5.json
      {"kind":"Deployment",<any>}
      & deployment "web" successfully rolled out
      & exit 0
      $ kubectl rollout status deployment/none
      ! Error from server (NotFound): deployments.apps "none" not found
      exit 1
      $ kubectl create -f sets.yaml
      statefulset.apps/db created
      daemonset.apps/agent created
      $ kubectl rollout status statefulset/db --watch=false
      Waiting for statefulset spec update to be observed...
      $ kubectl rollout status daemonset/agent --watch=false
      Waiting for daemon set spec update to be observed...
      $ kubectl rollout restart statefulset/db daemonset/agent
      statefulset.apps/db restarted
      daemonset.apps/agent restarted
      $ kubectl rollout history daemonset/agent
      daemonset.apps/agent
      No rollout history found.
      $ kubectl rollout status configmap/none
      ! Error from server (NotFound): configmaps "none" not found
      exit 1
    `,
    agents: String.raw`
      $ kubectl run web --image=nginx
      pod/web created
      $ kubectl logs web
      $ kubectl exec web -- ls
      ! Error from server (BadRequest): pod web does not have a host assigned
      exit 1
      $ kubectl attach web
      ! If you don't see a command prompt, try pressing enter.
      ! Error from server (BadRequest): pod web does not have a host assigned
      exit 1
      $ kubectl port-forward web 8080:80
      ! error: unable to forward port because pod is not running. Current status=Pending
      exit 1
      $ kubectl cp web:/a a
      ! Error from server (BadRequest): pod web does not have a host assigned
      exit 1
      $ kubectl debug web --image=busybox --attach=false --profile=general \
      > --container=one # since 1.30
      $ kubectl get pod web -o jsonpath='{.spec.ephemeralContainers[*].name}' # since 1.30
      one
      $ kubectl debug web --image=busybox --attach=false --copy-to=copy \
      > --profile=general # since 1.30
      Defaulting debug container name to debugger-<id>.
      $ kubectl get pod copy # since 1.30
      NAME  READY  STATUS  RESTARTS  AGE
      copy  0/2  Pending  0  <age>
    `,
  },
  { files: FILES },
);
