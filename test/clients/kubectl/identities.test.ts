/** Users, accounts and roles as an administrator makes them, and what these may then do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { freePort, runToExit, temporaryFolder } from '../../support/server-process.ts';
import { runTranscripts } from './run-transcripts.ts';

const dataDirectory = temporaryFolder();
const securePort = `--secure-port=${await freePort()}`;
const folder = [`--data-dir=${dataDirectory}`, '--api-domain=k8s.io', securePort];
const { code, stderr } = await runToExit([...folder, '--write-client-cert=jane,dev']);
t.equal(code, 0, stderr);
const controllers = ['--controllers', 'clusterrole-aggregation,csrsigning'];
const args = [securePort, ...controllers, '--client-ca-file', join(dataDirectory, 'ca.crt')];

const GRANTS = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reconciled}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reconciled, namespace: reconciled}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: joe}]
roleRef: {kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: reconciled}
`;

const REQUEST = `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: bob}
spec:
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth]
  request: REQUEST
`;

const FILES = {
  'jane.kubeconfig': readFileSync(join(dataDirectory, 'clients', 'jane.kubeconfig'), 'utf8'),
  'jane.crt': readFileSync(join(dataDirectory, 'clients', 'jane.crt'), 'utf8'),
  'jane.key': readFileSync(join(dataDirectory, 'clients', 'jane.key'), 'utf8'),
  'grants.yaml': GRANTS,
  'request.yaml': REQUEST,
};

/** Makes the same kubeconfig for nobody in particular. */
const NOBODY = "sed '/token:/d' kubeconfig > nobody";

await runTranscripts(
  t,
  {
    roles: String.raw`
      $ kubectl create role reader --verb=get,list,watch --resource=configmaps,pods/log
      role.rbac.authorization.k8s.io/reader created
      $ kubectl create rolebinding readers --role=reader --user=jane --group=dev \
      > --serviceaccount=roles:robot
      rolebinding.rbac.authorization.k8s.io/readers created
      $ kubectl create configmap a --from-literal=x=1
      configmap/a created
      $ kubectl get configmaps -o name --as=jane
      configmap/a
      $ kubectl get configmaps -o name --as=joe --as-group=dev
      configmap/a
      $ kubectl get configmaps -o name --as=system:serviceaccount:roles:robot
      configmap/a
      $ kubectl create configmap b --as=jane
      ! error: failed to create configmap: configmaps is forbidden: User "jane" cannot <any>
      exit 1
      $ kubectl get roles,rolebindings -o wide
      NAME  CREATED AT
      role.rbac.authorization.k8s.io/reader  <time>

      NAME  ROLE  AGE  USERS  GROUPS  SERVICEACCOUNTS
      rolebinding.rbac.authorization.k8s.io/readers  Role/reader  <age>  jane  dev  roles/robot
      $ kubectl delete rolebinding readers
      rolebinding.rbac.authorization.k8s.io "readers" deleted
      $ kubectl get configmaps --as=jane
      ! Error from server (Forbidden): configmaps is forbidden: User "jane" cannot list <any>
      exit 1
    `,
    rights: String.raw`
      $ kubectl create role named --verb=get,update --resource=secrets --resource-name=s
      role.rbac.authorization.k8s.io/named created
      $ kubectl create rolebinding named --role=named --user=ann
      rolebinding.rbac.authorization.k8s.io/named created
      $ kubectl auth can-i get secret/s --as=ann
      yes
      $ kubectl auth can-i get secrets --as=ann
      no
      exit 1
      $ kubectl auth can-i get secret/s --as=ann -n default
      no
      exit 1
      $ kubectl auth can-i --list --as=ann | tr -s ' '
      Resources Non-Resource URLs Resource Names Verbs
      selfsubjectaccessreviews.authorization.k8s.io [] [] [create]
      selfsubjectrulesreviews.authorization.k8s.io [] [] [create]
      secrets [] [s] [get update]
       [/api/*] [] [get]
      ...
       [/version] [] [get]
      $ kubectl auth can-i list secrets --as=ann --as-group=system:masters
      yes
    `,
    accounts: String.raw`
      $ ${NOBODY}
      $ kubectl create serviceaccount robot
      serviceaccount/robot created
      $ kubectl create rolebinding robots --clusterrole=view --serviceaccount=accounts:robot
      rolebinding.rbac.authorization.k8s.io/robots created
      $ kubectl create token robot > token # since 1.24
      $ kubectl get sa -o name --kubeconfig=nobody --token=$(cat token) # since 1.24
      serviceaccount/robot
      $ kubectl get secrets --kubeconfig=nobody --token=$(cat token) # since 1.24
      ! Error from server (Forbidden): secrets is forbidden: User <any>:accounts:robot" cannot <any>
      exit 1
      $ kubectl get sa --kubeconfig=nobody --token=$(cat token)x # since 1.24
      ! error: You must be logged in to the server (Unauthorized)
      exit 1
      $ kubectl delete serviceaccount robot
      serviceaccount "robot" deleted
      $ kubectl get sa --kubeconfig=nobody --token=$(cat token) # since 1.24
      ! error: You must be logged in to the server (Unauthorized)
      exit 1
    `,
    escalation: String.raw`
      $ kubectl create rolebinding admins --clusterrole=admin --user=kim
      rolebinding.rbac.authorization.k8s.io/admins created
      $ kubectl create role own --verb=get --resource=pods --as=kim
      role.rbac.authorization.k8s.io/own created
      $ kubectl create role big --verb=get --resource=nodes --as=kim
      ! Error from server (Forbidden): roles.<any> "big" is forbidden: user "kim" <any>
      ! {APIGroups:[""], Resources:["nodes"], Verbs:["get"]}
      exit 1
      $ kubectl create rolebinding root --clusterrole=cluster-admin --user=kim --as=kim
      ! error: failed to create rolebinding: <any> "root" is forbidden: user "kim" <any>
      ! {APIGroups:["*"], Resources:["*"], Verbs:["*"]}
      ! {NonResourceURLs:["*"], Verbs:["*"]}
      exit 1
      $ kubectl create rolebinding more --clusterrole=view --user=jim --as=kim
      rolebinding.rbac.authorization.k8s.io/more created
    `,
    clusterroles: String.raw`
      $ kubectl create clusterrole prober --verb=get --non-resource-url=/logs/*
      clusterrole.rbac.authorization.k8s.io/prober created
      $ kubectl create clusterrolebinding probers --clusterrole=prober --group=probers
      clusterrolebinding.rbac.authorization.k8s.io/probers created
      $ kubectl auth can-i get /logs/a --as=joe --as-group=probers
      yes
      $ kubectl create clusterrole sum --aggregation-rule=example.com/part=true
      clusterrole.rbac.authorization.k8s.io/sum created
      $ kubectl label clusterrole prober example.com/part=true
      clusterrole.rbac.authorization.k8s.io/prober labeled
      $ kubectl wait clusterrole sum --for=jsonpath='{.rules[0].verbs[0]}'=get --timeout=60s
      clusterrole.rbac.authorization.k8s.io/sum condition met
      $ kubectl delete clusterrolebinding probers
      clusterrolebinding.rbac.authorization.k8s.io "probers" deleted
      $ kubectl auth can-i get /logs/a --as=joe --as-group=probers
      no
      exit 1
    `,
    reconciled: String.raw`
      $ kubectl auth reconcile -f grants.yaml
      clusterrole.rbac.authorization.k8s.io/reconciled reconciled
      ! ...
      rolebinding.rbac.authorization.k8s.io/reconciled reconciled
      ! ...
      $ kubectl auth can-i get pods --as=joe
      yes
      $ sed 's/name: joe/name: jim/' grants.yaml | kubectl auth reconcile -f -
      clusterrole.rbac.authorization.k8s.io/reconciled reconciled
      rolebinding.rbac.authorization.k8s.io/reconciled reconciled
      ! ...
      $ kubectl get rolebinding reconciled -o jsonpath='{.subjects[*].name}'
      joe jim
      $ kubectl auth reconcile -f grants.yaml --remove-extra-subjects
      clusterrole.rbac.authorization.k8s.io/reconciled reconciled
      rolebinding.rbac.authorization.k8s.io/reconciled reconciled
      ! ...
      $ kubectl auth can-i get pods --as=jim
      no
      exit 1
    `,
    certificates: String.raw`
      $ ${NOBODY}
      $ kubectl create rolebinding devs --clusterrole=view --group=dev
      rolebinding.rbac.authorization.k8s.io/devs created
      $ kubectl create configmap a
      configmap/a created
      $ kubectl get configmaps -n certificates -o name --kubeconfig=jane.kubeconfig
      configmap/a
      $ kubectl delete configmap a -n certificates --kubeconfig=jane.kubeconfig
      ! Error from server (Forbidden): configmaps "a" is forbidden: User "jane" cannot <any>
      exit 1
      $ kubectl get configmaps -o name --kubeconfig=nobody --client-certificate=jane.crt \
      > --client-key=jane.key
      configmap/a
      $ openssl req -new -newkey rsa:2048 -nodes -subj /O=dev/CN=bob -keyout bob.key \
      > -out bob.csr 2>/dev/null
      $ sed "s|REQUEST|$(base64 -w0 bob.csr)|" request.yaml | kubectl create -f -
      certificatesigningrequest.certificates.k8s.io/bob created
      $ kubectl certificate approve bob
      certificatesigningrequest.certificates.k8s.io/bob approved
      $ until kubectl get csr bob -o jsonpath='{.status.certificate}' | base64 -d | \
      > grep . > bob.crt; do sleep 0.1; done
      $ kubectl get configmaps -o name --kubeconfig=nobody --client-certificate=bob.crt \
      > --client-key=bob.key
      configmap/a
      $ kubectl get secrets --kubeconfig=nobody --client-certificate=bob.crt --client-key=bob.key
      ! Error from server (Forbidden): secrets is forbidden: User "bob" cannot list <any>
      exit 1
      $ openssl x509 -req -in bob.csr -signkey bob.key -out self.crt 2>/dev/null
      $ kubectl get configmaps --kubeconfig=nobody --client-certificate=self.crt \
      > --client-key=bob.key
      ! error: You must be logged in to the server (Unauthorized)
      exit 1
    `,
  },
  { files: FILES, ownServer: { dataDirectory, args } },
);
