import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

/** The namespace is there because this command does not fill it in. */
const ROLE = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: reviews}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
`;

const FILES = { 'role.yaml': ROLE };

await runTranscripts(
  t,
  {
    reviews: String.raw`
      $ kubectl auth can-i create pods
      yes
      $ kubectl auth can-i '*' '*'
      yes
      $ kubectl auth can-i get /healthz
      yes
      $ kubectl auth can-i get pods --subresource=log
      yes
      $ kubectl auth can-i list nothings
      yes
      ! Warning: the server doesn't have a resource type 'nothings'
      $ kubectl auth can-i get pods/web --quiet
      $ kubectl auth can-i --list
      Resources  Non-Resource URLs  Resource Names  Verbs
      *.*  []  []  [*]
                                                      [*]  []  [*]
      selfsubjectaccessreviews.authorization.k8s.io  []  []  [create]
      selfsubjectrulesreviews.authorization.k8s.io  []  []  [create]
                                                      [/api/*]  []  [get]
                                                      [/api]  []  [get]
                                                      [/apis/*]  []  [get]
                                                      [/apis]  []  [get]
                                                      [/healthz]  []  [get]
                                                      [/healthz]  []  [get]
                                                      [/livez]  []  [get]
                                                      [/livez]  []  [get]
                                                      [/openapi/*]  []  [get]
                                                      [/openapi]  []  [get]
                                                      [/readyz]  []  [get]
                                                      [/readyz]  []  [get]
                                                      [/version/]  []  [get]
                                                      [/version/]  []  [get]
                                                      [/version]  []  [get]
                                                      [/version]  []  [get]
      $ kubectl auth whoami # since 1.27
      ! error: the selfsubjectreviews API is not enabled in the cluster
      ! enable APISelfSubjectReview feature gate and authentication.k8s.io/v1alpha1 or <any>
      exit 1
      $ kubectl auth reconcile -f role.yaml
      role.rbac.authorization.k8s.io/reader reconciled
      ! ...
      $ sed 's/\[get\]/[get, list]/' role.yaml | kubectl auth reconcile -f -
      role.rbac.authorization.k8s.io/reader reconciled
      ! <any>reconciliation required update
      ! <any>missing rules added:
      ! <any>{Verbs:[list] <any>
      $ kubectl auth reconcile -f role.yaml --remove-extra-permissions
      role.rbac.authorization.k8s.io/reader reconciled
      ! <any>reconciliation required update
      ! <any>extra rules removed:
      ! <any>{Verbs:[list] <any>
      $ kubectl get role reader -o jsonpath='{.rules[*].verbs}'
      ["get"]
      $ kubectl get configmaps --token=bad
      ! error: You must be logged in to the server (Unauthorized)
      exit 1
      $ kubectl create serviceaccount robot
      serviceaccount/robot created
      $ kubectl create token robot --audience=a --duration=1h | tr -cd . # since 1.24
      ..
      $ kubectl create token robot -o yaml | sed 's/token: .*/token: hidden/' # since 1.24
      apiVersion: authentication.k8s.io/v1
      kind: TokenRequest
      metadata:
        creationTimestamp: null
      spec:
        audiences:
        - https://kubernetes.default.svc
        boundObjectRef: null
        expirationSeconds: 3600
      status:
        expirationTimestamp: "<time>"
        token: hidden
      $ kubectl create token robot --duration=1s # since 1.24
      ! error: failed to create token: TokenRequest.authentication.k8s.io "" is <any>
      exit 1
      $ kubectl create token robot --bound-object-kind=Pod --bound-object-name=none # since 1.24
      ! error: failed to create token: pods "none" not found
      exit 1
      $ kubectl create token nobody # since 1.24
      ! error: failed to create token: serviceaccounts "nobody" not found
      exit 1
    `,
  },
  { files: FILES },
);
