import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const PAIR = `
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
`;

const HELD = `
apiVersion: v1
kind: ConfigMap
metadata: {name: held, finalizers: [example.com/hold]}
`;

/** A pod that a node agent has, and so is asked before it goes; without a node it goes at once. */
function pod(name: string, node: string): string {
  const spec = `{nodeName: '${node}', containers: [{name: c, image: c}]}`;
  return `---\napiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
}

const OWNER = `
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: owner}
spec:
  selector: {matchLabels: {app: a}}
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: c}]}}
`;

const OWNED = `
apiVersion: v1
kind: Pod
metadata:
  name: owned
  ownerReferences:
  - {apiVersion: apps/v1, kind: ReplicaSet, name: owner, uid: UID, blockOwnerDeletion: true}
spec: {containers: [{name: c, image: c}]}
`;

/** The whole of what its status endpoint reads. */
const READY = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};

const FILES = {
  'ready.json': JSON.stringify(READY),
  'pair.yaml': PAIR,
  'held.yaml': HELD,
  'pods.yaml': ['a', 'b', 'c', 'd'].map((name) => pod(name, 'n1')).join('') + pod('free', ''),
  'owner.yaml': OWNER,
  'owned.yaml': OWNED,
};

await runTranscripts(
  t,
  {
    deletes: String.raw`
      $ for name in a b c d e f g h; do kubectl create configmap $name -o name; done
      configmap/a
      configmap/b
      configmap/c
      configmap/d
      configmap/e
      configmap/f
      configmap/g
      configmap/h
      $ kubectl delete configmap a
      configmap "a" deleted
      $ kubectl delete configmap a
      ! Error from server (NotFound): configmaps "a" not found
      exit 1
      $ kubectl delete configmap a --ignore-not-found
      $ kubectl delete configmap b c
      configmap "b" deleted
      configmap "c" deleted
      $ kubectl delete configmap/d
      configmap "d" deleted
      $ kubectl delete configmap e --dry-run=server
      configmap "e" deleted (server dry run)
      $ kubectl delete configmap e --dry-run=client
      configmap "e" deleted (dry run)
      $ kubectl delete configmap e -o name
      configmap/e
      $ kubectl label configmap f g team=x
      configmap/f labeled
      configmap/g labeled
      $ kubectl delete configmaps -l team=x
      configmap "f" deleted
      configmap "g" deleted
      $ kubectl delete configmaps --all
      configmap "h" deleted
      $ kubectl delete configmaps --all
      No resources found
      $ kubectl create -f pair.yaml
      configmap/one created
      configmap/two created
      $ kubectl delete -f pair.yaml
      configmap "one" deleted
      configmap "two" deleted
      $ kubectl delete -f pair.yaml
      ! Error from server (NotFound): error when deleting "pair.yaml": configmaps "one" not found
      ! Error from server (NotFound): error when deleting "pair.yaml": configmaps "two" not found
      exit 1
      $ kubectl delete -f pair.yaml --ignore-not-found
      $ kubectl create -f pair.yaml -o name
      configmap/one
      configmap/two
      $ kubectl delete -f - < pair.yaml
      configmap "one" deleted
      configmap "two" deleted
      $ kubectl delete configmap
      ! error: resource(s) were provided, but no name was specified
      exit 1
      $ kubectl create configmap raw
      configmap/raw created
      $ kubectl delete --raw /api/v1/namespaces/deletes/configmaps/raw
      {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",<any>}
      $ kubectl create configmap last
      configmap/last created
      $ kubectl delete configmaps -A --field-selector=metadata.name=last
      configmap "last" deleted
    `,
    pods: String.raw`
      $ kubectl create -f pods.yaml
      pod/a created
      pod/b created
      pod/c created
      pod/d created
      pod/free created
      $ kubectl delete pod a --wait=false
      pod "a" deleted
      $ kubectl get pods
      NAME  READY  STATUS  RESTARTS  AGE
      a  0/1  Terminating  0  <age>
      b  0/1  Pending  0  <age>
      c  0/1  Pending  0  <age>
      d  0/1  Pending  0  <age>
      free  0/1  Pending  0  <age>
      $ kubectl get pod a -o jsonpath='{.metadata.deletionGracePeriodSeconds}'
      30
      $ kubectl delete pod b --grace-period=0 --force
      pod "b" force deleted
      ! <any>arning: Immediate deletion does not wait for confirmation that the running <any>
      $ kubectl delete pod c --now --wait=false
      pod "c" deleted
      $ kubectl get pod c -o jsonpath='{.metadata.deletionGracePeriodSeconds}'
      1
      $ kubectl delete pod d --grace-period=5 --timeout=1s
      pod "d" deleted
      ! ...
      ! error: timed out waiting for the condition on pods/d
      exit 1
      $ kubectl get pod d -o jsonpath='{.metadata.deletionGracePeriodSeconds}'
      5
      $ kubectl delete pod free
      pod "free" deleted
      $ kubectl delete pods --all --force
      pod "a" force deleted
      pod "c" force deleted
      pod "d" force deleted
      ! <any>arning: Immediate deletion does not wait for confirmation that the running <any>
      $ kubectl get pods
      ! No resources found in pods namespace.
    `,
    finalizers: String.raw`
      $ kubectl create -f held.yaml
      configmap/held created
      $ kubectl delete configmap held --wait=false
      configmap "held" deleted
      $ kubectl get configmap held -o \
      > jsonpath='{.metadata.finalizers} {.metadata.deletionTimestamp}'
      ["example.com/hold"] <time>
      $ kubectl delete configmap held --timeout=1s
      configmap "held" deleted
      ! ...
      ! error: timed out waiting for the condition on configmaps/held
      exit 1
      $ kubectl delete configmap held --wait=true &
      configmap "held" deleted
      $ kubectl patch configmap held --type=json -p \
      > '[{"op":"remove","path":"/metadata/finalizers"}]'
      configmap/held patched
      & exit 0
      $ kubectl get configmap held
      ! Error from server (NotFound): configmaps "held" not found
      exit 1
      $ kubectl create namespace finalizers-more
      namespace/finalizers-more created
      $ kubectl create configmap a -n finalizers-more
      configmap/a created
      $ kubectl delete namespace finalizers-more
      namespace "finalizers-more" deleted
      $ kubectl get namespace finalizers-more
      ! Error from server (NotFound): namespaces "finalizers-more" not found
      exit 1
    `,
    cascades: String.raw`
      $ kubectl create -f owner.yaml
      replicaset.apps/owner created
      $ sed "s/UID/$(kubectl get rs owner -o jsonpath='{.metadata.uid}')/" owned.yaml | kubectl \
      > create -f -
      pod/owned created
      $ kubectl delete rs owner --cascade=orphan
      replicaset.apps "owner" deleted
      $ kubectl get pod owned -o jsonpath='{.metadata.name} {.metadata.ownerReferences}'
      owned
      $ kubectl delete pod owned --grace-period=0 --force 2>/dev/null
      pod "owned" force deleted
      $ kubectl create -f owner.yaml
      replicaset.apps/owner created
      $ sed "s/UID/$(kubectl get rs owner -o jsonpath='{.metadata.uid}')/" owned.yaml | kubectl \
      > create -f -
      pod/owned created
      $ kubectl delete rs owner --cascade=foreground
      replicaset.apps "owner" deleted
      $ kubectl get pods,rs
      ! No resources found in cascades namespace.
      $ kubectl create -f owner.yaml
      replicaset.apps/owner created
      $ sed "s/UID/$(kubectl get rs owner -o jsonpath='{.metadata.uid}')/" owned.yaml | kubectl \
      > create -f -
      pod/owned created
      $ kubectl delete rs owner --cascade=background
      replicaset.apps "owner" deleted
      $ kubectl wait --for=delete pod/owned --timeout=60s
      ...
      $ kubectl get pods,rs
      ! No resources found in cascades namespace.
      $ kubectl delete rs owner --cascade=other
      ! error: invalid cascade value (other). Must be "background", "foreground", or "orphan"
      exit 1
    `,
    waits: String.raw`
      $ kubectl run a --image=nginx
      pod/a created
      $ kubectl wait --for=condition=Ready pod/a --timeout=1s
      ! ...
      ! error: timed out waiting for the condition on pods/a
      exit 1
      $ kubectl wait --for=condition=Ready pod/a --timeout=60s &
      $ kubectl replace --raw /api/v1/namespaces/waits/pods/a/status -f ready.json
      {"kind":"Pod",<any>,"status":{"phase":"Running",<any>}}
      & pod/a condition met
      & exit 0
      $ kubectl wait --for=condition=Ready pod/a
      pod/a condition met
      $ kubectl wait --for=condition=ready=false pod/a --timeout=1s
      ! ...
      ! error: timed out waiting for the condition on pods/a
      exit 1
      $ kubectl wait --for=jsonpath='{.status.phase}'=Running pod/a # since 1.24
      pod/a condition met
      $ kubectl wait --for=jsonpath='{.status.podIP}' pod/a --timeout=1s # since 1.31
      ! ...
      ! error: timed out waiting for the condition on pods/a
      exit 1
      $ kubectl wait --for=condition=Ready pods --all
      pod/a condition met
      $ kubectl wait --for=condition=Ready pod/none
      ! Error from server (NotFound): pods "none" not found
      exit 1
      $ kubectl wait --for=condition=Ready pod -l run=none
      ! error: no matching resources found
      exit 1
      $ kubectl wait --for=delete pod/none
      $ kubectl wait --for=delete pod/a --timeout=1s
      ! ...
      ! error: timed out waiting for the condition on pods/a
      exit 1
      $ kubectl wait --for=create configmap/later & # since 1.31
      $ kubectl create configmap later
      configmap/later created
      & configmap/later condition met
      & exit 0
      $ kubectl get pod a
      NAME  READY  STATUS  RESTARTS  AGE
      a  0/1  Running  0  <age>
    `,
  },
  { files: FILES },
);
