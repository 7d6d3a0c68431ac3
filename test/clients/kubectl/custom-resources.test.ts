/** A definition as its user meets it: kubectl knows no type by itself, it asks the server. */
import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sites.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {plural: sites, kind: Site, shortNames: [st], categories: [all, shop]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Host, type: string, jsonPath: .spec.host}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    - {name: Ports, type: string, jsonPath: '.spec.ports[*].number', priority: 1}
    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        description: Site is a web site.
        type: object
        required: [spec]
        properties:
          spec:
            description: What the site is to be.
            type: object
            required: [host]
            properties:
              host: {description: Under which it is found., type: string, pattern: '^[a-z.]+$'}
              replicas: {type: integer, minimum: 0, default: 1}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [number]
                items:
                  type: object
                  required: [number]
                  properties: {number: {type: integer}, name: {type: string}}
          status:
            type: object
            properties:
              replicas: {type: integer}
              conditions:
                type: array
                items:
                  type: object
                  properties: {type: {type: string}, status: {type: string}}
`;

const SITE = `
apiVersion: shop.example.com/v1
kind: Site
metadata: {name: web, labels: {app: web}}
spec:
  host: example.com
  ports: [{number: 80}]
`;
const ANOTHER_PORT = SITE.replace('{number: 80}', '{number: 443, name: tls}');
const WRONG = SITE.replace('name: web', 'name: wrong').replace('example.com\n', 'EXAMPLE\n');

const FILES = {
  'definition.yaml': DEFINITION,
  'site.yaml': SITE,
  'tls.yaml': ANOTHER_PORT,
  'wrong.yaml': WRONG,
};

await runTranscripts(
  t,
  {
    sites: String.raw`
      $ kubectl get sites
      ! error: the server doesn't have a resource type "sites"
      exit 1
      $ kubectl apply -f definition.yaml
      customresourcedefinition.apiextensions.k8s.io/sites.shop.example.com created
      $ until kubectl wait --for=condition=Established crd/sites.shop.example.com 2>/dev/null; do
      > sleep 0.1
      > done
      customresourcedefinition.apiextensions.k8s.io/sites.shop.example.com condition met
      $ kubectl api-resources --api-group=shop.example.com
      NAME  SHORTNAMES  APIVERSION  NAMESPACED  KIND
      sites  st  shop.example.com/v1  true  Site
      $ kubectl get sites
      ! No resources found in sites namespace.
      $ kubectl get crd
      NAME  CREATED AT
      sites.shop.example.com  <time>
      $ kubectl explain sites | grep -c 'APIVersion defines'
      1
      $ kubectl explain sites.metadata | grep -c "Standard object's metadata"
      1
      $ kubectl explain sites.metadata | grep -c 'CreationTimestamp is a timestamp'
      1
      $ kubectl explain site.spec # since 1.27
      GROUP:  shop.example.com
      KIND:  Site
      VERSION:  v1

      FIELD: spec <Object>


      DESCRIPTION:
          What the site is to be.

      FIELDS:
        host  <string> -required-
          Under which it is found.

        ports  <[]Object>
          <no description>

        replicas  <integer>
          <no description>
      $ kubectl explain sites --recursive # since 1.27
      ...
      FIELDS:
        apiVersion  <string>
        kind  <string>
        metadata  <ObjectMeta>
          annotations  <map[string]string>
      ...
        spec  <Object> -required-
          host  <string> -required-
          ports  <[]Object>
            name  <string>
            number  <integer> -required-
          replicas  <integer>
        status  <Object>
          conditions  <[]Object>
            status  <string>
            type  <string>
          replicas  <integer>
      $ kubectl apply -f site.yaml
      site.shop.example.com/web created
      $ kubectl apply -f site.yaml
      site.shop.example.com/web unchanged
      $ kubectl apply -f tls.yaml
      site.shop.example.com/web configured
      $ kubectl get st
      NAME  HOST  REPLICAS  READY  AGE
      web  example.com  1    <age>
      $ kubectl get st web -o wide
      NAME  HOST  REPLICAS  PORTS  READY  AGE
      web  example.com  1  443    <age>
      $ kubectl apply --server-side -f site.yaml # since 1.26
      site.shop.example.com/web serverside-applied
      $ kubectl get site web -o jsonpath='{.spec}' # since 1.26
      {"host":"example.com","ports":[{"number":80}],"replicas":1}
      $ sed 's/host: .*/host: other.example/' site.yaml | kubectl apply --server-side --field-manager=other -f - # since 1.26
      ! error: Apply failed with 1 conflict: conflict with "kubectl": .spec.host
      ! ...
      exit 1
      $ kubectl apply --dry-run=server --validate=false -f wrong.yaml
      ! The Site "wrong" is invalid: spec.host: Invalid value: "EXAMPLE": spec.host in body should match '^[a-z.]+$'
      exit 1
      $ kubectl scale site web --replicas=3
      site.shop.example.com/web scaled
      $ KUBE_EDITOR='sed -i s/example.com$/shop.example/' kubectl edit site web
      site.shop.example.com/web edited
      $ kubectl patch site web --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}' # since 1.24
      site.shop.example.com/web patched
      $ kubectl wait --for=condition=Ready site/web --timeout=60s
      site.shop.example.com/web condition met
      $ kubectl get shop
      NAME  HOST  REPLICAS  READY  AGE
      web  shop.example  3  True  <age>
      $ kubectl get all -l app=web
      NAME  HOST  REPLICAS  READY  AGE
      site.shop.example.com/web  shop.example  3  True  <age>
      $ kubectl describe site web
      Name:  web
      ...
      API Version:  shop.example.com/v1
      Kind:  Site
      ...
      Spec:
        Host:  shop.example
        Ports:
          Number:  80
        Replicas:  3
      Status:
        Conditions:
          Status:  True
          Type:  Ready
      Events:  <none>
      $ kubectl delete st web
      site.shop.example.com "web" deleted
      $ kubectl apply -f site.yaml
      site.shop.example.com/web created
      $ kubectl delete crd sites.shop.example.com
      customresourcedefinition.apiextensions.k8s.io "sites.shop.example.com" deleted
      $ kubectl get sites
      ! <any>
      exit 1
    `,
  },
  { files: FILES, ownServer: {} },
);
