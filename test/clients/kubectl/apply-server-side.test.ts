import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

/** A ConfigMap in YAML. */
function configMap(name: string, data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;
}

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: 'nginx:1', ports: [{containerPort: 80}]}
      - {name: sidecar, image: 'log:1'}
`;

const FILES = {
  'one.yaml': configMap('a', 'x: "1", z: "1"'),
  'two.yaml': configMap('a', 'x: "2"'),
  'three.yaml': configMap('a', 'x: "3"'),
  'b.yaml': configMap('b', 'x: "1", z: "1"'),
  'b2.yaml': configMap('b', 'x: "2"'),
  'bad.yaml': configMap('bad', 'x: [1]'),
  'unknown.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unknown}\ndat: {x: y}\n',
  'deployment.yaml': DEPLOYMENT,
};

await runTranscripts(
  t,
  {
    managers: String.raw`
      $ kubectl apply --server-side -f one.yaml
      configmap/a serverside-applied
      $ kubectl apply --server-side -f one.yaml
      configmap/a serverside-applied
      $ kubectl apply --server-side -f two.yaml --field-manager=other
      ! error: Apply failed with 1 conflict: conflict with "kubectl": .data.x
      ! Please review the fields above--they currently have other managers. Here
      ! are the ways you can resolve this warning:
      ! * If you intend to manage all of these fields, please re-run the apply
      !   command with the <any> flag.
      ! * If you do not intend to manage all of the fields, please edit your
      !   manifest to remove references to the fields that should keep their
      !   current managers.
      ! * You may co-own fields by updating your manifest to match the existing
      !   value; in this case, you'll become the manager if the other manager(s)
      !   stop managing the field (remove it from their configuration).
      ! See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
      exit 1
      $ kubectl apply --server-side -f two.yaml --field-manager=other --force-conflicts
      configmap/a serverside-applied
      $ kubectl get configmap a -o yaml --show-managed-fields
      apiVersion: v1
      data:
        x: "2"
        z: "1"
      kind: ConfigMap
      metadata:
        creationTimestamp: "<time>"
        managedFields:
        - apiVersion: v1
          fieldsType: FieldsV1
          fieldsV1:
            f:data:
              f:z: {}
          manager: kubectl
          operation: Apply
          time: "<time>"
        - apiVersion: v1
          fieldsType: FieldsV1
          fieldsV1:
            f:data:
              f:x: {}
          manager: other
          operation: Apply
          time: "<time>"
        name: a
        namespace: managers
        resourceVersion: "<n>"
        uid: <uid>
      $ kubectl apply --server-side -f one.yaml
      ! error: Apply failed with 1 conflict: conflict with "other": .data.x
      ! Please review the fields above--they currently have other managers. Here
      ! ...
      exit 1
      $ kubectl apply --server-side -f one.yaml --dry-run=server --force-conflicts -o \
      > jsonpath='{.data}'
      {"x":"1","z":"1"}
      $ kubectl apply --server-side -f one.yaml --dry-run=client
      ! error: --dry-run=client doesn't work with --server-side (did you mean <any>
      exit 1
      $ kubectl patch configmap a -p '{"data":{"z":"2"}}'
      configmap/a patched
      $ kubectl apply --server-side -f one.yaml
      ! error: Apply failed with 2 conflicts: conflicts with "kubectl-patch" using v1:
      ! - .data.z
      ! conflicts with "other":
      ! - .data.x
      ! Please review the fields above--they currently have other managers. Here
      ! ...
      exit 1
      $ kubectl apply --server-side -f three.yaml --force-conflicts
      configmap/a serverside-applied
      $ kubectl get configmap a -o jsonpath='{.data}'
      {"x":"3","z":"2"}
      $ kubectl apply --server-side -f bad.yaml --validate=false
      ! Error from server: failed to create typed patch object (managers/bad; /v1, Kind=<any>
      exit 1
      $ kubectl apply --server-side -f unknown.yaml --validate=false
      ! Error from server: failed to create typed patch object <any>: field not declared in schema
      exit 1
      $ kubectl apply --server-side -f none.yaml
      ! error: the path "none.yaml" does not exist
      exit 1
    `,
    migration: String.raw`
      $ kubectl apply -f b.yaml
      configmap/b created
      $ kubectl apply --server-side -f b.yaml
      configmap/b serverside-applied
      $ kubectl get configmap b -o \
      > jsonpath='{range .metadata.managedFields[*]}{.manager} {.operation}{"\n"}{end}' | sort # since 1.26
      kubectl Apply
      kubectl-last-applied Apply
      $ kubectl apply --server-side -f b2.yaml
      configmap/b serverside-applied
      $ kubectl get configmap b -o jsonpath='{.data}' # since 1.26
      {"x":"2"}
      $ kubectl apply view-last-applied configmap/b
      apiVersion: v1
      data:
        x: "2"
      kind: ConfigMap
      metadata:
        name: b
        namespace: migration
      $ kubectl apply -f b.yaml
      configmap/b configured
    `,
    lists: String.raw`
      $ kubectl apply --server-side -f deployment.yaml
      deployment.apps/web serverside-applied
      $ sed s/nginx:1/nginx:2/ deployment.yaml | kubectl apply --server-side --field-manager=x -f -
      ! error: Apply failed with 1 conflict: conflict with "kubectl": .spec.<any>.image
      ! Please review the fields above--they currently have other managers. Here
      ! ...
      exit 1
      $ sed s/nginx:1/nginx:2/ deployment.yaml | kubectl apply --server-side -f -
      deployment.apps/web serverside-applied
      $ sed /sidecar/d deployment.yaml | kubectl apply --server-side -f -
      deployment.apps/web serverside-applied
      $ kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[*].image}'
      nginx:1
      $ kubectl scale deployment web --replicas=4
      deployment.apps/web scaled
      $ kubectl apply --server-side -f deployment.yaml
      ! error: Apply failed with 1 conflict: conflict with "kubectl" with subresource <any>.replicas
      ! Please review the fields above--they currently have other managers. Here
      ! ...
      exit 1
      $ kubectl diff --server-side --force-conflicts -f deployment.yaml | grep '^[+-] ' # since 1.25
      -  generation: 4
      +  generation: 5
      -  replicas: 4
      +  replicas: 2
      +  - image: log:1
      +  imagePullPolicy: IfNotPresent
      +  name: sidecar
      +  resources: {}
      +  terminationMessagePath: /dev/termination-log
      +  terminationMessagePolicy: File
    `,
  },
  { files: FILES },
);
