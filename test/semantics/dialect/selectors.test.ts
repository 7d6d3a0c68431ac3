import t from 'tap';
import { swapFieldSelector, swapLabelSelector } from '../../../src/semantics/dialect/selectors.ts';

type Pair = readonly [neutral: string, k8s: string];

const LABELS: readonly Pair[] = [
  ['cluster.io/os=linux', 'kubernetes.io/os=linux'],
  ['!node.cluster.io/x, app', '!node.kubernetes.io/x, app'],
  ['app in (cluster-system,b),a.cluster.io/x', 'app in (cluster-system,b),a.kubernetes.io/x'],
  ['cluster.io/metadata.name=cluster-system', 'kubernetes.io/metadata.name=kube-system'],
  ['cluster.io/metadata.name == cluster-public', 'kubernetes.io/metadata.name == kube-public'],
  ['cluster.io/metadata.name!=cluster-system', 'kubernetes.io/metadata.name!=kube-system'],
  [
    'a=b,cluster.io/metadata.name in (cluster-system, cluster-node-lease,x)',
    'a=b,kubernetes.io/metadata.name in (kube-system, kube-node-lease,x)',
  ],
  [
    'cluster.io/metadata.name notin (cluster-system)',
    'kubernetes.io/metadata.name notin (kube-system)',
  ],
];
const LABELS_LEFT = ['', ',', 'app=kube-system', '((', '=x', 'app=kubernetes.io/os'];

const FIELDS: readonly (readonly [kind: string, ...Pair])[] = [
  ['Pod', 'metadata.namespace=cluster-system', 'metadata.namespace=kube-system'],
  [
    'Pod',
    'metadata.name=kube-system,metadata.namespace!=cluster-public',
    'metadata.name=kube-system,metadata.namespace!=kube-public',
  ],
  ['Namespace', 'metadata.name==cluster-system', 'metadata.name==kube-system'],
  ['Event', 'involvedObject.namespace=cluster-system', 'involvedObject.namespace=kube-system'],
  ['Event', 'regarding.namespace=cluster-system', 'regarding.namespace=kube-system'],
  [
    'Event',
    'involvedObject.apiVersion=coordination.cluster.io/v1,type=Normal',
    'involvedObject.apiVersion=coordination.k8s.io/v1,type=Normal',
  ],
  ['Secret', ' type == cluster.io/tls', ' type == cluster.io/tls'],
  ['Secret', 'type=cluster.io/tls', 'type=kubernetes.io/tls'],
  ['Secret', 'type!=cluster.io/a\\,b\\=c', 'type!=kubernetes.io/a\\,b\\=c'],
  [
    'CertificateSigningRequest',
    'spec.signerName=cluster.io/legacy-unknown',
    'spec.signerName=kubernetes.io/legacy-unknown',
  ],
];
const FIELDS_LEFT = [
  'type=kubernetes.io/tls',
  '',
  'metadata.name=a\\,metadata.namespace=kube-system',
  'spec.nodeName=x',
  '=',
];

t.test('keys of label selectors swap, and the names of namespaces', async (t) => {
  for (const [neutral, k8s] of LABELS) {
    t.equal(swapLabelSelector(neutral), k8s, neutral);
    t.equal(swapLabelSelector(k8s), neutral, k8s);
  }
  for (const text of LABELS_LEFT) t.equal(swapLabelSelector(text), text, text);
});

t.test('values of field selectors swap where they are names', async (t) => {
  for (const [kind, neutral, k8s] of FIELDS) {
    t.equal(swapFieldSelector(kind, neutral), k8s, neutral);
    t.equal(swapFieldSelector(kind, k8s), neutral, k8s);
  }
  for (const text of FIELDS_LEFT) t.equal(swapFieldSelector('Pod', text), text, text);
});
