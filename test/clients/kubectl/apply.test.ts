import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

/** A ConfigMap in YAML. */
function configMap(name: string, ...data: string[]): string {
  const lines = data.map((line) => `  ${line}\n`).join('');
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${lines}`;
}

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - {name: web, image: 'nginx:1', ports: [{containerPort: 80}]}
      - {name: sidecar, image: 'log:1'}
`;

const SERVICE = `
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
  - port: 80
    targetPort: 8080
`;

const FILES = {
  'one.yaml': configMap('a', 'x: "1"', 'z: "1"'),
  'two.yaml': configMap('a', 'x: "2"'),
  'b.yaml': configMap('b', 'x: "1"'),
  'bad.yaml': configMap('bad', 'x: [1]'),
  'deployment.yaml': DEPLOYMENT,
  'service.yaml': SERVICE,
};

await runTranscripts(
  t,
  {
    own: String.raw`
      $ kubectl apply -f one.yaml
      configmap/a created
      $ kubectl apply -f one.yaml
      configmap/a unchanged
      $ kubectl apply -f two.yaml
      configmap/a configured
      $ kubectl get configmap a -o jsonpath='{.data}'
      {"x":"2"}
      $ kubectl get configmap a -o jsonpath='{.metadata.annotations}'
      {"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",<any>}\n"}
      $ kubectl patch configmap a -p '{"data":{"other":"kept"}}'
      configmap/a patched
      $ kubectl apply -f one.yaml -o jsonpath='{.data}'
      {"other":"kept","x":"1","z":"1"}
      $ kubectl apply -f - < one.yaml
      configmap/a unchanged
      $ kubectl apply -f one.yaml --dry-run=server
      configmap/a unchanged (server dry run)
      $ kubectl apply -f two.yaml --dry-run=client
      configmap/a configured (dry run)
      $ kubectl apply -f two.yaml --dry-run=server -o jsonpath='{.data}'
      {"other":"kept","x":"2"}
      $ kubectl diff -f two.yaml
      diff -u -N ./LIVE-<n>/v1.ConfigMap.own.a ./MERGED-<n>/v1.ConfigMap.own.a
      --- ./LIVE-<n>/v1.ConfigMap.own.a  <any>
      +++ ./MERGED-<n>/v1.ConfigMap.own.a  <any>
      @@ -1,8 +1,7 @@
       apiVersion: v1
       data:
         other: kept
      -  x: "1"
      -  z: "1"
      +  x: "2"
       kind: ConfigMap
       metadata:
         annotations:
      ...
      exit 1
      $ kubectl diff -f one.yaml
      $ kubectl create configmap b --from-literal=x=1
      configmap/b created
      $ kubectl apply -f b.yaml
      configmap/b configured
      ! Warning: resource configmaps/b is missing the kubectl.kubernetes.io/last-applied-<any>
      $ kubectl apply -f b.yaml
      configmap/b unchanged
      $ kubectl apply -f none.yaml
      ! error: the path "none.yaml" does not exist
      exit 1
      $ kubectl apply -f bad.yaml
      ! <any>"bad.yaml": <any>
      exit 1
    `,
    applied: String.raw`
      $ kubectl apply -f deployment.yaml
      deployment.apps/web created
      $ kubectl apply -f deployment.yaml
      deployment.apps/web unchanged
      $ sed s/nginx:1/nginx:2/ deployment.yaml | kubectl apply -f -
      deployment.apps/web configured
      $ kubectl get deployment web -o jsonpath='{.metadata.generation} {..image}'
      2 nginx:2 log:1
      $ sed /sidecar/d deployment.yaml | kubectl apply -f -
      deployment.apps/web configured
      $ kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[*].name}'
      web
      $ sed '/sidecar/d; s/nginx:1/nginx:3/' deployment.yaml | kubectl diff -f - | grep '^[+-] '
      -  generation: 3
      +  generation: 4
      -  - image: nginx:1
      +  - image: nginx:3
      $ sed 's/app: web/app: other/' deployment.yaml | kubectl apply -f -
      ! The Deployment "web" is invalid: spec.selector: Invalid value: <any>
      exit 1
      $ sed 's/app: web/app: other/' deployment.yaml | kubectl apply --force -f -
      deployment.apps/web configured
      $ kubectl apply -f service.yaml
      service/web created
      $ kubectl apply -f service.yaml
      service/web unchanged
      $ sed 's/port: 80/port: 81/' service.yaml | kubectl apply -f -
      service/web configured
      $ kubectl get service web -o jsonpath='{.spec.ports}'
      [{"port":81,"protocol":"TCP","targetPort":8080}]
    `,
    annotations: String.raw`
      $ kubectl apply -f one.yaml
      configmap/a created
      $ kubectl apply view-last-applied -f one.yaml
      apiVersion: v1
      data:
        x: "1"
        z: "1"
      kind: ConfigMap
      metadata:
        annotations: {}
        name: a
        namespace: annotations
      $ kubectl apply view-last-applied configmap/a -o json
      {
        "apiVersion": "v1",
        "data": {
          "x": "1",
          "z": "1"
        },
        "kind": "ConfigMap",
        "metadata": {
          "annotations": {},
          "name": "a",
          "namespace": "annotations"
        }
      }
      $ kubectl create configmap b
      configmap/b created
      $ kubectl apply set-last-applied -f b.yaml
      ! error: no last-applied-configuration annotation found on resource: b, to create <any>
      exit 1
      $ kubectl apply set-last-applied -f b.yaml --create-annotation
      configmap/b configured
      $ kubectl apply view-last-applied configmap/b
      apiVersion: v1
      data:
        x: "1"
      kind: ConfigMap
      metadata:
        name: b
        namespace: annotations
      $ EDITOR='perl -pi -e s/x:/w:/' kubectl apply edit-last-applied configmap/a
      configmap/a edited
      $ kubectl apply view-last-applied configmap/a
      apiVersion: v1
      data:
        w: "1"
        z: "1"
      kind: ConfigMap
      metadata:
        annotations: {}
        name: a
        namespace: annotations
      $ kubectl apply -f two.yaml
      configmap/a configured
      $ kubectl get configmap a -o jsonpath='{.data}'
      {"x":"2"}
      $ EDITOR=true kubectl apply edit-last-applied configmap/a
      ! Edit cancelled, no changes made.
    `,
    folders: String.raw`
      $ mkdir folder && cp one.yaml b.yaml folder
      $ kubectl apply -f folder
      configmap/b created
      configmap/a created
      $ kubectl apply --recursive -f folder
      configmap/b unchanged
      configmap/a unchanged
      $ kubectl apply -f one.yaml -f b.yaml -o name
      configmap/a
      configmap/b
      $ mkdir set && sed 's/name: a/name: a, labels: {set: s}/' one.yaml > set/a.yaml
      $ sed 's/name: b/name: b, labels: {set: s}/' b.yaml > set/b.yaml
      $ kubectl apply -f set --prune -l set=s --prune-allowlist=core/v1/ConfigMap # since 1.26
      configmap/a configured
      configmap/b configured
      $ rm set/b.yaml
      $ kubectl apply -f set --prune -l set=s --prune-allowlist=core/v1/ConfigMap \
      > --dry-run=server # since 1.26
      configmap/a unchanged (server dry run)
      configmap/b pruned (server dry run)
      $ kubectl apply -f set --prune -l set=s --prune-allowlist=core/v1/ConfigMap # since 1.26
      configmap/a unchanged
      configmap/b pruned
      $ kubectl get configmaps -l set=s -o name # since 1.26
      configmap/a
      $ sed 's/name: a/name: c, labels: {set: s}/' one.yaml | kubectl apply -f -
      configmap/c created
      $ kubectl apply -f set --prune -l set=s 2>/dev/null
      configmap/a <any>
      configmap/c pruned
      $ printf 'resources: [one.yaml]\nnamePrefix: k-\n' > kustomization.yaml
      $ kubectl diff -k . | grep '^[+]data'
      +data:
      $ kubectl apply -k .
      configmap/k-a created
      $ kubectl apply -k .
      configmap/k-a unchanged
      $ kubectl delete -k .
      configmap "k-a" deleted
    `,
  },
  { files: FILES },
);
