import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const PAIR = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: pair
data:
  x: '1'
---
apiVersion: v1
kind: Secret
metadata:
  name: pair
stringData:
  x: '1'
`;

/** A ConfigMap in YAML; `more` are further lines. */
function configMap(metadata: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {${metadata}}\n${more}`;
}

const FILES = {
  'pair.yaml': PAIR,
  'generated.yaml': configMap('generateName: g-'),
  'bad.yaml': configMap('name: bad', 'data: {x: [1]}\n'),
  'unknown.yaml': configMap('name: unknown', 'dat: {x: y}\n'),
  'elsewhere.yaml': configMap('name: elsewhere, namespace: nowhere'),
  'no-kind.yaml': 'apiVersion: v1\nmetadata: {name: bad}\n',
  'other-version.yaml': 'apiVersion: v2\nkind: ConfigMap\nmetadata: {name: bad}\n',
  'raw.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"}}',
};

await runTranscripts(
  t,
  {
    files: String.raw`
      $ kubectl create -f pair.yaml
      configmap/pair created
      secret/pair created
      $ kubectl create -f pair.yaml
      ! Error from server (AlreadyExists): error when creating "pair.yaml": configmaps <any>
      ! Error from server (AlreadyExists): error when creating "pair.yaml": secrets <any>
      exit 1
      $ kubectl create -f - < generated.yaml
      configmap/g-<id> created
      $ kubectl create -f generated.yaml -o name
      configmap/g-<id>
      $ mkdir folder && cp generated.yaml folder/a.yaml && cp generated.yaml folder/b.yaml
      $ kubectl create -f folder
      configmap/g-<id> created
      configmap/g-<id> created
      $ kubectl create -f bad.yaml
      ! <any>"bad.yaml": <any>
      exit 1
      $ kubectl create -f bad.yaml --validate=false
      ! Error from server (BadRequest): error when creating "bad.yaml": ConfigMap in <any>
      exit 1
      $ kubectl create -f unknown.yaml
      ! <any>"unknown.yaml": <any>unknown field "dat"<any>
      exit 1
      $ kubectl create -f unknown.yaml --validate=false
      configmap/unknown created
      $ kubectl delete configmap unknown
      configmap "unknown" deleted
      $ kubectl create -f unknown.yaml --validate=warn # since 1.25
      configmap/unknown created
      ! Warning: unknown field "dat"
      $ kubectl create -f none.yaml
      ! error: the path "none.yaml" does not exist
      exit 1
      $ kubectl create -f no-kind.yaml
      ! error: error validating "no-kind.yaml": error validating data: kind not set; if <any>
      exit 1
      $ kubectl create -f other-version.yaml
      ! <any>"other-version.yaml": no matches for kind "ConfigMap" in version "v2"
      ! ...
      exit 1
      $ kubectl create -f elsewhere.yaml
      ! Error from server (NotFound): error when creating "elsewhere.yaml": namespaces <any>
      exit 1
      $ kubectl create -f elsewhere.yaml -n nowhere
      ! Error from server (NotFound): error when creating "elsewhere.yaml": namespaces <any>
      exit 1
      $ kubectl create --raw /api/v1/namespaces/files/configmaps -f raw.json
      {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"raw",<any>}}
    `,
    dry: String.raw`
      $ kubectl create -f pair.yaml --dry-run=client -o yaml
      apiVersion: v1
      data:
        x: "1"
      kind: ConfigMap
      metadata:
        name: pair
        namespace: dry
      ---
      apiVersion: v1
      kind: Secret
      metadata:
        name: pair
        namespace: dry
      stringData:
        x: "1"
      $ kubectl create configmap d --from-literal=x=1 --dry-run=client -o yaml
      apiVersion: v1
      data:
        x: "1"
      kind: ConfigMap
      metadata:
        creationTimestamp: null
        name: d
      $ kubectl create configmap d --from-literal=x=1 --dry-run=server -o yaml
      apiVersion: v1
      data:
        x: "1"
      kind: ConfigMap
      metadata:
        creationTimestamp: "<time>"
        name: d
        namespace: dry
        uid: <uid>
      $ kubectl create configmap d --dry-run=server
      configmap/d created (server dry run)
      $ kubectl create configmap d --dry-run=client
      configmap/d created (dry run)
      $ kubectl create deployment d --image=nginx --dry-run=server -o json
      {
          "kind": "Deployment",
          "apiVersion": "apps/v1",
          "metadata": {
              "name": "d",
              "namespace": "dry",
              "uid": "<uid>",
              "generation": 1,
              "creationTimestamp": "<time>",
              "labels": {
                  "app": "d"
              }
          },
          "spec": {
              "replicas": 1,
              "selector": {
                  "matchLabels": {
                      "app": "d"
                  }
              },
              "template": {
                  "metadata": {
                      "creationTimestamp": null,
                      "labels": {
                          "app": "d"
                      }
                  },
                  "spec": {
                      "containers": [
                          {
                              "name": "nginx",
                              "image": "nginx",
                              "resources": {},
                              "terminationMessagePath": "/dev/termination-log",
                              "terminationMessagePolicy": "File",
                              "imagePullPolicy": "Always"
                          }
                      ],
                      "restartPolicy": "Always",
                      "terminationGracePeriodSeconds": 30,
                      "dnsPolicy": "ClusterFirst",
                      "securityContext": {},
                      "schedulerName": "default-scheduler"
                  }
              },
              "strategy": {
                  "type": "RollingUpdate",
                  "rollingUpdate": {
                      "maxUnavailable": "25%",
                      "maxSurge": "25%"
                  }
              },
              "revisionHistoryLimit": 10,
              "progressDeadlineSeconds": 600
          },
          "status": {}
      }
      $ kubectl create namespace dry --dry-run=server
      ! Error from server (AlreadyExists): namespaces "dry" already exists
      exit 1
      $ kubectl create service nodeport d --tcp=80 --dry-run=server
      service/d created (server dry run)
      $ kubectl get configmaps,deployments,services
      ! No resources found in dry namespace.
    `,
    annotated: String.raw`
      $ kubectl create configmap a --save-config --from-literal=x=1
      configmap/a created
      $ kubectl get configmap a -o jsonpath='{.metadata.annotations}'
      {"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"ConfigMap\",<any>}\n"}
      $ kubectl create configmap b --field-manager=robot --from-literal=x=1
      configmap/b created
      $ kubectl get configmap b -o jsonpath='{.metadata.managedFields[*].manager}'
      robot
      $ kubectl create -f pair.yaml --save-config
      configmap/pair created
      secret/pair created
      $ kubectl apply -f pair.yaml
      configmap/pair unchanged
      secret/pair configured
    `,
  },
  { files: FILES },
);
