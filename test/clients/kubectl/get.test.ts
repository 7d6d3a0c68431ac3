import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

await runTranscripts(t, {
  default: String.raw`
    $ kubectl get configmaps
    ! No resources found in default namespace.
    $ kubectl create configmap a --from-literal=x=1
    configmap/a created
    $ kubectl get configmap/a --namespace default
    NAME  DATA  AGE
    a  1  <age>
    $ kubectl get namespace default --show-labels
    NAME  STATUS  AGE  LABELS
    default  Active  <age>  kubernetes.io/metadata.name=default
  `,
  tables: String.raw`
    $ kubectl create configmap a --from-literal=x=1 --from-literal=y=2
    configmap/a created
    $ kubectl create configmap b
    configmap/b created
    $ kubectl label configmap a tier=web
    configmap/a labeled
    $ kubectl get configmaps
    NAME  DATA  AGE
    a  2  <age>
    b  0  <age>
    $ kubectl get cm/a cm/b --no-headers
    a  2  <age>
    b  0  <age>
    $ kubectl get configmap a --show-labels
    NAME  DATA  AGE  LABELS
    a  2  <age>  tier=web
    $ kubectl get cm -L tier
    NAME  DATA  AGE  TIER
    a  2  <age>  web
    b  0  <age>
    $ kubectl get cm -l tier=web
    NAME  DATA  AGE
    a  2  <age>
    $ kubectl get cm -l 'tier notin (web),!other'
    NAME  DATA  AGE
    b  0  <age>
    $ kubectl get cm -l tier=none
    ! No resources found in tables namespace.
    $ kubectl get cm --field-selector metadata.name!=a
    NAME  DATA  AGE
    b  0  <age>
    $ kubectl get cm --field-selector data=b
    ! Error from server (BadRequest): Unable to find "/v1, Resource=configmaps" that <any>
    exit 1
    $ kubectl get cm a c
    NAME  DATA  AGE
    a  2  <age>
    ! Error from server (NotFound): configmaps "c" not found
    exit 1
    $ kubectl get cm a c --ignore-not-found
    NAME  DATA  AGE
    a  2  <age>
    $ kubectl get cm,secrets
    NAME  DATA  AGE
    configmap/a  2  <age>
    configmap/b  0  <age>
    $ kubectl get nothings
    ! error: the server doesn't have a resource type "nothings"
    exit 1
    $ kubectl get configmaps -n nowhere
    ! No resources found in nowhere namespace.
    $ kubectl get configmap a -n nowhere
    ! Error from server (NotFound): namespaces "nowhere" not found
    exit 1
  `,
  outputs: String.raw`
    $ kubectl create configmap a --from-literal=x=1
    configmap/a created
    $ kubectl create configmap b --from-literal=y=2
    configmap/b created
    $ kubectl label configmap a tier=web
    configmap/a labeled
    $ kubectl get cm -o name --sort-by=.metadata.uid | sort
    configmap/a
    configmap/b
    $ kubectl get cm -o name --sort-by='{.data.y}'
    configmap/a
    configmap/b
    $ kubectl get cm -o jsonpath='{.items[*].metadata.name}'
    a b
    $ kubectl get cm -o jsonpath='{range .items[*]}{.metadata.name}={.data.x}{"\n"}{end}'
    a=1
    b=
    $ kubectl get cm -o custom-columns=NAME:.metadata.name,X:.data.x
    NAME  X
    a  1
    b  <none>
    $ kubectl get cm a -o go-template='{{.data.x}}{{"\n"}}'
    1
    $ kubectl get cm a -o yaml
    apiVersion: v1
    data:
      x: "1"
    kind: ConfigMap
    metadata:
      creationTimestamp: "<time>"
      labels:
        tier: web
      name: a
      namespace: outputs
      resourceVersion: "<n>"
      uid: <uid>
    $ kubectl get cm a -o json
    {
        "apiVersion": "v1",
        "data": {
            "x": "1"
        },
        "kind": "ConfigMap",
        "metadata": {
            "creationTimestamp": "<time>",
            "labels": {
                "tier": "web"
            },
            "name": "a",
            "namespace": "outputs",
            "resourceVersion": "<n>",
            "uid": "<uid>"
        }
    }
    $ kubectl get cm a -o yaml --show-managed-fields
    apiVersion: v1
    data:
      x: "1"
    kind: ConfigMap
    metadata:
      creationTimestamp: "<time>"
      labels:
        tier: web
      managedFields:
      - apiVersion: v1
        fieldsType: FieldsV1
        fieldsV1:
          f:data:
            .: {}
            f:x: {}
        manager: kubectl-create
        operation: Update
        time: "<time>"
      - apiVersion: v1
        fieldsType: FieldsV1
        fieldsV1:
          f:metadata:
            f:labels:
              .: {}
              f:tier: {}
        manager: kubectl-label
        operation: Update
        time: "<time>"
      name: a
      namespace: outputs
      resourceVersion: "<n>"
      uid: <uid>
    $ kubectl get cm -o yaml
    apiVersion: v1
    items:
    - apiVersion: v1
      data:
        x: "1"
      kind: ConfigMap
      metadata:
        creationTimestamp: "<time>"
        labels:
          tier: web
        name: a
        namespace: outputs
        resourceVersion: "<n>"
        uid: <uid>
    - apiVersion: v1
      data:
        "y": "2"
      kind: ConfigMap
      metadata:
        creationTimestamp: "<time>"
        name: b
        namespace: outputs
        resourceVersion: "<n>"
        uid: <uid>
    kind: List
    metadata:
      resourceVersion: ""
    ...
    $ kubectl get --raw /api/v1/namespaces/outputs/configmaps/b
    {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b",<any>},"data":{"y":"2"}}
    $ kubectl get --raw '/api/v1/namespaces/outputs/configmaps?limit=1' \
    > | grep -o '"remainingItemCount":1'
    "remainingItemCount":1
    $ kubectl get --raw /readyz
    ok
    $ kubectl get --raw /nothing
    ! Error from server (NotFound): the server could not find the requested resource
    exit 1
  `,
  chunks: String.raw`
    $ for name in c1 c2 c3 c4 c5; do kubectl create configmap $name; done
    configmap/c1 created
    configmap/c2 created
    configmap/c3 created
    configmap/c4 created
    configmap/c5 created
    $ kubectl get configmaps --chunk-size=2
    NAME  DATA  AGE
    c1  0  <age>
    c2  0  <age>
    c3  0  <age>
    c4  0  <age>
    c5  0  <age>
    $ kubectl get configmaps --chunk-size=2 -o name
    configmap/c1
    configmap/c2
    configmap/c3
    configmap/c4
    configmap/c5
    $ kubectl get configmaps --chunk-size=2 -v=6 2>&1 >/dev/null | grep -c continue=
    2
  `,
  watches: String.raw`
    $ kubectl create configmap a
    configmap/a created
    $ kubectl get configmaps --watch &
    NAME  DATA  AGE
    a  0  <age>
    $ kubectl create configmap b --from-literal=x=1
    configmap/b created
    & b  1  <age>
    $ kubectl patch configmap a -p '{"data":{"y":"2"}}'
    configmap/a patched
    & a  1  <age>
    $ kubectl delete configmap a
    configmap "a" deleted
    & a  1  <age>
    $ kubectl get configmaps --watch --output-watch-events &
    EVENT  NAME  DATA  AGE
    ADDED  b  1  <age>
    $ kubectl patch configmap b -p '{"data":{"y":"2"}}'
    configmap/b patched
    & MODIFIED  b  2  <age>
    $ kubectl delete configmap b
    configmap "b" deleted
    & DELETED  b  2  <age>
    $ kubectl create configmap c --from-literal=x=1
    configmap/c created
    & ADDED  c  1  <age>
    $ kubectl get configmap c --watch -o jsonpath='{.data.x}{"\n"}' &
    1
    $ kubectl patch configmap c -p '{"data":{"x":"2"}}'
    configmap/c patched
    & 2
    $ kubectl label configmap c tier=web
    configmap/c labeled
    & 2
    $ kubectl get configmaps -l tier=web -w --output-watch-events -o name &
    configmap/c
    $ kubectl label configmap c tier-
    configmap/c unlabeled
    & configmap/c
    $ kubectl get configmaps -A --field-selector=metadata.namespace=watches -w &
    NAMESPACE  NAME  DATA  AGE
    watches  c  1  <age>
    $ kubectl delete configmap c
    configmap "c" deleted
    & watches  c  1  <age>
  `,
});
