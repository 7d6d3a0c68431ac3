import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

/** A ConfigMap in YAML. */
function configMap(metadata: string, data = '{}'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  ${metadata}\ndata: ${data}\n`;
}

const STATUS = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 9
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: nginx, image: nginx}]}}
status: {replicas: 2, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1}
`;

const FILES = {
  'file.yaml': configMap('name: a', '{k: v}'),
  'named.yaml': configMap('name: b'),
  'stale.yaml': configMap('{name: a, resourceVersion: "1"}'),
  'patch.yaml': 'data: {p: "1"}\n',
  'raw.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"raw":"1"}}',
  'status.yaml': STATUS,
  'new-image.sh': `perl -pi -e 's/"image": "nginx"/"image": "nginx:2"/' "$1"`,
};

await runTranscripts(
  t,
  {
    edit: String.raw`
      $ kubectl create configmap a --from-literal=x=1
      configmap/a created
      $ KUBE_EDITOR='perl -pi -e s/x:/w:/' kubectl edit configmap a
      configmap/a edited
      $ kubectl get configmap a -o jsonpath='{.data}'
      {"w":"1"}
      $ KUBE_EDITOR=true kubectl edit configmap a
      ! Edit cancelled, no changes made.
      $ KUBE_EDITOR=false kubectl edit configmap a
      ! error: there was a problem with the editor "false"
      exit 1
      $ KUBE_EDITOR='perl -pi -e s/w:/v:/' kubectl edit configmap a --output-patch
      Patch: {"data":{"v":"1","w":null}}
      configmap/a edited
      $ KUBE_EDITOR='perl -pi -e s/name:.a$/name:\ b/' kubectl edit configmap a 2>&1 | grep error
      error: At least one of apiVersion, kind and name was changed
      $ kubectl create deployment web --image=nginx
      deployment.apps/web created
      $ KUBE_EDITOR='perl -pi -e s/replicas:.1/replicas:\ 3/' kubectl edit deployment web
      deployment.apps/web edited
      $ KUBE_EDITOR='sh new-image.sh' kubectl edit deployment/web -o json | grep '"image"'
                              "image": "nginx:2",
      $ kubectl get deployment web -o \
      > jsonpath='{.spec.replicas} {.spec.template.spec.containers[0].image}'
      3 nginx:2
      $ KUBE_EDITOR='perl -pi -e s/replicas:.3/replicas:\ -1/' kubectl edit deployment web 2>&1 | \
      > grep invalid
      error: deployments.apps "web" is invalid
      $ KUBE_EDITOR='perl -pi -e s/name:.b/name:\ c/' kubectl create -f named.yaml --edit
      configmap/c created
    `,
    patch: String.raw`
      $ kubectl create deployment web --image=nginx
      deployment.apps/web created
      $ kubectl patch deployment web -p \
      > '{"spec":{"template":{"spec":{"containers":[{"name":"log","image":"log"}]}}}}'
      deployment.apps/web patched
      $ kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[*].name}'
      log nginx
      $ kubectl patch deployment web -p \
      > '{"spec":{"template":{"spec":{"containers":[{"name":"log","$patch":"delete"}]}}}}'
      deployment.apps/web patched
      $ kubectl patch deployment web --type=merge -p \
      > '{"spec":{"template":{"spec":{"containers":[{"name":"one","image":"one"}]}}}}'
      deployment.apps/web patched
      $ kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[*].name}'
      one
      $ kubectl patch deployment web --type=json -p \
      > '[{"op":"replace","path":"/spec/replicas","value":4}]'
      deployment.apps/web patched
      $ kubectl patch deployment web --type=json -p \
      > '[{"op":"test","path":"/spec/replicas","value":5}]'
      ! The request is invalid<any>
      exit 1
      $ kubectl patch deployment web -p 'spec: {replicas: 4}'
      deployment.apps/web patched (no change)
      $ kubectl patch deployment web -p '{"spec":{"replicas":-1}}'
      ! The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be <any>
      exit 1
      $ kubectl patch deployment web --subresource=status --type=merge -p \
      > '{"status":{"replicas":4,"readyReplicas":3}}' # since 1.24
      deployment.apps/web patched
      $ kubectl patch deployment web --subresource=scale --type=merge -p \
      > '{"spec":{"replicas":6}}' # since 1.24
      scale.autoscaling/web patched
      $ kubectl get deployment web --subresource=status # since 1.24
      NAME  AGE
      web  <age>
      $ kubectl get deployment web --subresource=scale -o yaml # since 1.24
      apiVersion: autoscaling/v1
      kind: Scale
      metadata:
        creationTimestamp: "<time>"
        name: web
        namespace: patch
        resourceVersion: "<n>"
        uid: <uid>
      spec:
        replicas: 6
      status:
        replicas: 4
        selector: app=web
      $ kubectl get deployment web --subresource=scale # since 1.24
      NAME  AGE
      web  <age>
      $ kubectl patch configmap none -p '{}'
      ! Error from server (NotFound): configmaps "none" not found
      exit 1
      $ kubectl create configmap a --from-literal=x=1
      configmap/a created
      $ kubectl patch configmap a --type=merge -p '{"data":{"x":"2"}}' --dry-run=server -o \
      > jsonpath='{.data}'
      {"x":"2"}
      $ kubectl patch configmap a --type=merge -p '{"data":{"x":"3"}}' --dry-run=client -o \
      > jsonpath='{.data}'
      {"x":"3"}
      $ kubectl patch -f file.yaml -p '{"data":{"y":"2"}}'
      configmap/a patched
      $ kubectl patch configmap a --patch-file=patch.yaml
      configmap/a patched
      $ kubectl patch configmap a --type=merge -p '{"data":{"x":null}}'
      configmap/a patched
      $ kubectl patch configmap a --type=merge -p '{"data":{"x":null}}'
      configmap/a patched (no change)
      $ kubectl get configmap a -o jsonpath='{.data}'
      {"p":"1","y":"2"}
      $ kubectl patch configmap a -p '{"metadata":{"resourceVersion":"1"},"data":{"z":"1"}}'
      ! Error from server (Conflict): Operation cannot be fulfilled on configmaps "a": <any>
      exit 1
      $ kubectl patch configmap a -p '{"dat":{"z":"1"}}'
      configmap/a patched (no change)
      $ kubectl patch configmap a -p x
      ! Error from server (BadRequest): json: cannot unmarshal string into Go value of <any>
      exit 1
    `,
    replace: String.raw`
      $ kubectl create configmap a --from-literal=x=1
      configmap/a created
      $ kubectl replace -f file.yaml
      configmap/a replaced
      $ kubectl get configmap a -o jsonpath='{.data}'
      {"k":"v"}
      $ kubectl get configmap a -o yaml | sed 's/k: v/k: w/' | kubectl replace -f -
      configmap/a replaced
      $ kubectl get configmap a -o json | sed 's/"w"/"u"/' | kubectl replace -f - -o \
      > jsonpath='{.data}'
      {"k":"u"}
      $ kubectl replace -f stale.yaml
      ! Error from server (Conflict): error when replacing "stale.yaml": Operation <any>
      exit 1
      $ kubectl replace -f named.yaml
      ! Error from server (NotFound): error when replacing "named.yaml": configmaps "b" not found
      exit 1
      $ kubectl replace --force -f file.yaml
      configmap "a" deleted
      configmap/a replaced
      $ kubectl replace --force -f named.yaml
      configmap/b replaced
      $ kubectl replace -f file.yaml --dry-run=server
      configmap/a replaced (server dry run)
      $ kubectl replace -f file.yaml --save-config -o name
      configmap/a
      $ kubectl replace --raw /api/v1/namespaces/replace/configmaps/a -f raw.json
      {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a",<any>},"data":{"raw":"1"}}
      $ kubectl create deployment web --image=nginx
      deployment.apps/web created
      $ kubectl get deployment web -o yaml | sed 's/replicas: 1/replicas: 2/' | kubectl replace -f -
      deployment.apps/web replaced
      $ kubectl replace -f status.yaml --subresource=status # since 1.24
      deployment.apps/web replaced
      $ kubectl get deployment web # since 1.24
      NAME  READY  UP-TO-DATE  AVAILABLE  AGE
      web  1/2  2  1  <age>
    `,
  },
  { files: FILES },
);
