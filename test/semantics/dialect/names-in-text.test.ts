import t from 'tap';
import { swapText } from '../../../src/semantics/dialect/names-in-text.ts';

const PAIRS: readonly (readonly [neutral: string, k8s: string])[] = [
  ['leases.coordination.cluster.io "a" not found', 'leases.coordination.k8s.io "a" not found'],
  ['Lease.coordination.cluster.io "a" is invalid', 'Lease.coordination.k8s.io "a" is invalid'],
  ['no kind "X" in "storage.cluster.io/v1"', 'no kind "X" in "storage.k8s.io/v1"'],
  ['storage.cluster.io/v1, Kind=CSIDriver.', 'storage.k8s.io/v1, Kind=CSIDriver.'],
  ['leases.coordination.cluster.io/status', 'leases.coordination.k8s.io/status'],
  ['service v1.storage.cluster.io', 'service v1.storage.k8s.io'],
  ['in the namespace "cluster-system".', 'in the namespace "kube-system".'],
  ['user system:serviceaccount:cluster-system:a', 'user system:serviceaccount:kube-system:a'],
  ['/apis/storage.cluster.io/v1/csidrivers', '/apis/storage.k8s.io/v1/csidrivers'],
  ['/api/v1/namespaces/cluster-system/pods/a', '/api/v1/namespaces/kube-system/pods/a'],
  ['cluster-system/web', 'kube-system/web'],
  [
    'application/vnd.cluster.protobuf;stream=watch',
    'application/vnd.kubernetes.protobuf;stream=watch',
  ],
  ['vnd.cluster.protobuf', 'vnd.kubernetes.protobuf'],
  [
    'annotation client.cluster.io/last-applied-configuration',
    'annotation kubectl.kubernetes.io/last-applied-configuration',
  ],
  [
    '[node.cluster.io/not-ready] [cluster.io/tls]',
    '[node.kubernetes.io/not-ready] [kubernetes.io/tls]',
  ],
  ['api-approved.cluster.io is required', 'api-approved.kubernetes.io is required'],
  [
    'as=PartialObjectMetadata;g=meta.cluster.io;v=v1',
    'as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  ],
];
const LEFT = [
  '',
  'snapshot.storage.k8s.io',
  'volumesnapshots.snapshot.storage.k8s.io',
  'kube-system-2 and my.kube-system',
  'kubectl and client',
  'mycluster.io/x',
  'https://k8s.io/docs',
];

t.test('names in texts swap both ways', async (t) => {
  for (const [neutral, k8s] of PAIRS) {
    t.equal(swapText(neutral), k8s, neutral);
    t.equal(swapText(k8s), neutral, k8s);
  }
  for (const text of LEFT) t.equal(swapText(text), text, text);
});
