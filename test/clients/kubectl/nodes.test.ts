import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const NODE = `
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {podCIDR: 10.2.0.0/24}
status:
  conditions: [{type: Ready, status: 'True', reason: Posting}]
  addresses: [{type: InternalIP, address: 10.2.0.1}]
  capacity: {cpu: '2', memory: 4Gi, pods: '10'}
  allocatable: {cpu: '2', memory: 4Gi, pods: '10'}
  nodeInfo: {kubeletVersion: v1.23.9, osImage: Linux, kernelVersion: '6.1',
    containerRuntimeVersion: cri://1, architecture: amd64, bootID: b, kubeProxyVersion: v1.23.9,
    machineID: m, operatingSystem: linux, systemUUID: s}
`;

/** A pod that runs on n1 and that no controller looks after. */
function pod(name: string): string {
  return `---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: ${name}}}
spec: {nodeName: n1, containers: [{name: c, image: c, resources: {requests: {cpu: 100m}}}]}
`;
}

/** A request of the subject CN=ann, O=team. */
const REQUEST = `
LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWU1IOENBUUF3SFRFTU1Bb0dBMVVF
QXd3RFlXNXVNUTB3Q3dZRFZRUUtEQVIwWldGdE1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFj
RFFnQUV3ZlRCWXdzemhOOFF2akdYQW5Wc3ZzMEs5Q2duS1J2VTM0RFpLR01pCjNGVmVXMm9vcmIxNnF2
eG9nMktzem5EVkZNMUlZY3I5SFp2aGNJUVZqdWprMktBQU1Bb0dDQ3FHU000OUJBTUMKQTBrQU1FWUNJ
UUR0cXl3cFBEeHh3R1g3N2FGU0prTysvU05ISERRdjZFeG80R2FReUJJS2VBSWhBTHV6QWROKwpSekJJ
S2FXcmdwK1VLVHg4Vm41d1RESWFwclJYdWNQQUI3dHoKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVT
VC0tLS0tCg==`.replaceAll('\n', '');

function certificateRequest(name: string): string {
  return `---
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: ${name}}
spec:
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth]
  request: ${REQUEST}
`;
}

/** The status that a controller would report when not one of the pods may go. */
const NOTHING_ALLOWED = {
  status: {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  },
};

const RUNNING = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'kept', labels: { app: 'kept' } },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};

const FILES = {
  'nothing-allowed.json': JSON.stringify(NOTHING_ALLOWED),
  'running.json': JSON.stringify(RUNNING),
  'node.yaml': NODE,
  'pods.yaml': pod('kept') + pod('free'),
  'requests.yaml': certificateRequest('ann') + certificateRequest('bob'),
};

await runTranscripts(
  t,
  {
    nodes: String.raw`
      $ kubectl create -f node.yaml
      node/n1 created
      $ kubectl taint node n1 key=value:NoSchedule
      node/n1 tainted
      $ kubectl taint node n1 key=other:NoSchedule
      ! error: node n1 already has key taint(s) with same effect(s) and --overwrite is false
      exit 1
      $ kubectl taint node n1 key=other:NoSchedule --overwrite
      node/n1 modified
      $ kubectl get node n1 -o jsonpath='{.spec.taints}'
      [{"effect":"NoSchedule","key":"key","value":"other"}]
      $ kubectl taint node n1 gone:NoExecute-
      ! error: taint "gone:NoExecute" not found
      exit 1
      $ kubectl taint node n1 key:NoSchedule-
      node/n1 untainted
      $ kubectl taint node none key:NoSchedule
      ! Error from server (NotFound): nodes "none" not found
      exit 1
      $ kubectl cordon n1
      node/n1 cordoned
      $ kubectl cordon n1
      node/n1 already cordoned
      $ kubectl get nodes
      NAME  STATUS  ROLES  AGE  VERSION
      n1  Ready,SchedulingDisabled  <none>  <age>  v1.23.9
      $ kubectl uncordon n1
      node/n1 uncordoned
      $ kubectl create -f pods.yaml
      pod/kept created
      pod/free created
      $ kubectl drain n1 --dry-run=client
      node/n1 cordoned (dry run)
      ! error: unable to drain node "n1" due to error:<any>cannot delete Pods <any>
      ! There are pending nodes to be drained:
      !  n1
      ! <any>cannot delete Pods <any> (use --force to override): nodes/free, nodes/kept
      exit 1
      $ kubectl drain n1 --dry-run=server --force
      node/n1 cordoned (server dry run)
      evicting pod nodes/<any> (server dry run)
      evicting pod nodes/<any> (server dry run)
      node/n1 drained (server dry run)
      ! <any> deleting Pods <any>: nodes/free, nodes/kept
      $ kubectl create pdb all --selector=app=kept --min-available=1
      poddisruptionbudget.policy/all created
      $ kubectl patch pdb all --subresource=status --type=merge \
      > --patch-file=nothing-allowed.json # since 1.24
      poddisruptionbudget.policy/all patched
      $ kubectl replace --raw /api/v1/namespaces/nodes/pods/kept/status -f running.json
      {"kind":"Pod",<any>}
      $ kubectl drain n1 --force --grace-period=0 --timeout=2s --pod-selector=app=kept \
      > # since 1.24
      node/n1 cordoned
      evicting pod nodes/kept
      ...
      ! <any> deleting Pods <any>: nodes/kept
      ! error when evicting pods/"kept" -n "nodes" (will retry after 5s): <any> disruption budget.
      ! ...
      exit 1
      $ kubectl drain n1 --force --grace-period=0 --pod-selector=app=free
      node/n1 <any>cordoned
      evicting pod nodes/free
      pod/free evicted
      node/n1 drained
      ! <any> deleting Pods <any>: nodes/free
      $ kubectl drain n1 --force --disable-eviction --grace-period=0
      node/n1 already cordoned
      pod/kept deleted
      node/n1 drained
      ! <any> deleting Pods <any>: nodes/kept
      $ kubectl get pods
      ! No resources found in nodes namespace.
      $ kubectl get pods -A --field-selector=spec.nodeName=n1
      ! No resources found
      $ kubectl label node n1 node-role.kubernetes.io/worker=
      node/n1 labeled
      $ kubectl get nodes
      NAME  STATUS  ROLES  AGE  VERSION
      n1  Ready,SchedulingDisabled  worker  <age>  v1.23.9
      $ kubectl top nodes
      ! error: Metrics API not available
      exit 1
      $ kubectl top pods
      ! error: Metrics API not available
      exit 1
      $ kubectl describe node n1
      Name:  n1
      Roles:  worker
      Labels:  node-role.kubernetes.io/worker=
      Annotations:  <none>
      CreationTimestamp:  <date>
      Taints:  <none>
      Unschedulable:  true
      Lease:  Failed to get lease: leases.coordination.k8s.io "n1" not found
      Conditions:
        Type  Status  LastHeartbeatTime  LastTransitionTime  Reason  Message
        ----  ------  -----------------  ------------------  ------  -------
        Ready  True  <date>  <date>  Posting
      Addresses:
        InternalIP:  10.2.0.1
      Capacity:
        cpu:  2
        memory:  4Gi
        pods:  10
      Allocatable:
        cpu:  2
        memory:  4Gi
        pods:  10
      System Info:
        Machine ID:  m
        System UUID:  s
        Boot ID:  b
        Kernel Version:  6.1
        OS Image:  Linux
        Operating System:  linux
        Architecture:  amd64
        Container Runtime Version:  cri://1
        Kubelet Version:  v1.23.9
        Kube-Proxy Version:  v1.23.9
      PodCIDR:  10.2.0.0/24
      PodCIDRs:  10.2.0.0/24
      Non-terminated Pods:  (0 in total)
        Namespace  Name  CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
        ---------  ----  ------------  ----------  ---------------  -------------  ---
      Allocated resources:
        (Total limits may be over 100 percent, i.e., overcommitted.)
        Resource  Requests  Limits
        --------  --------  ------
        cpu  0 (0%)  0 (0%)
        memory  0 (0%)  0 (0%)
        ephemeral-storage  0 (0%)  0 (0%)
      Events:  <none>
      $ kubectl delete node n1
      node "n1" deleted
    `,
    certificates: String.raw`
      $ kubectl create -f requests.yaml
      certificatesigningrequest.certificates.k8s.io/ann created
      certificatesigningrequest.certificates.k8s.io/bob created
      $ kubectl get csr
      NAME  AGE  SIGNERNAME  REQUESTOR  REQUESTEDDURATION  CONDITION
      ann  <age>  kubernetes.io/kube-apiserver-client  admin  <none>  Pending
      bob  <age>  kubernetes.io/kube-apiserver-client  admin  <none>  Pending
      $ kubectl certificate approve ann
      certificatesigningrequest.certificates.k8s.io/ann approved
      $ kubectl certificate deny bob
      certificatesigningrequest.certificates.k8s.io/bob denied
      $ kubectl certificate approve bob
      ! error: certificate signing request "bob" is already Denied
      exit 1
      $ kubectl certificate approve none
      ! Error from server (NotFound): certificatesigningrequests.certificates.k8s.io <any>
      exit 1
      $ kubectl get csr
      NAME  AGE  SIGNERNAME  REQUESTOR  REQUESTEDDURATION  CONDITION
      ann  <age>  kubernetes.io/kube-apiserver-client  admin  <none>  Approved
      bob  <age>  kubernetes.io/kube-apiserver-client  admin  <none>  Denied
      $ kubectl get csr bob -o \
      > jsonpath='{.status.conditions[*].type} {.status.conditions[*].reason}'
      Denied KubectlDeny
      $ kubectl describe csr ann
      Name:  ann
      Labels:  <none>
      Annotations:  <none>
      CreationTimestamp:  <date>
      Requesting User:  admin
      Signer:  kubernetes.io/kube-apiserver-client
      Status:  Approved
      Subject:
               Common Name:  ann
               Serial Number:
               Organization:  team
      Events:  <none>
      $ kubectl delete csr ann bob
      certificatesigningrequest.certificates.k8s.io "ann" deleted
      certificatesigningrequest.certificates.k8s.io "bob" deleted
    `,
  },
  { files: FILES },
);
