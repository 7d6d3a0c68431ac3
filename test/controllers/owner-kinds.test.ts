import t from 'tap';
import { OwnerKinds } from '../../src/controllers/garbage/owner-kinds.ts';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { LEASE } from '../../src/resources/coordination/lease.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';

const kinds = new OwnerKinds([
  { definition: CONFIG_MAP, groupVersion: 'v1' },
  { definition: NAMESPACE, groupVersion: 'v1' },
  { definition: LEASE, groupVersion: 'coordination.cluster.io/v1' },
  { definition: LEASE, groupVersion: 'coordination.cluster.io/v1beta1' },
  { definition: LEASE, groupVersion: 'other.cluster.io/v2' },
]);

const LEASES = 'leases.coordination.cluster.io';
const inA = (resource: string) => ({ resource, key: 'a/x' });

const ROWS: readonly [apiVersion: string, kind: string, namespace: string, found?: object][] = [
  ['v1', 'ConfigMap', 'a', inA('configmaps')],
  ['coordination.cluster.io/v1', 'Lease', 'a', inA(LEASES)],
  ['coordination.cluster.io/v1beta1', 'Lease', 'a', inA(LEASES)],
  ['other.cluster.io/v2', 'Lease', 'a', inA(LEASES)],
  ['v1', 'Namespace', 'a', { resource: 'namespaces', key: 'x' }],
  ['v1', 'Namespace', '', { resource: 'namespaces', key: 'x' }],
  ['v1', 'ConfigMap', ''],
  ['v2', 'ConfigMap', 'a'],
  ['v1', 'Nonsense', 'a'],
  ['other.cluster.io/v1', 'Lease', 'a'],
  ['', 'ConfigMap', 'a'],
  ['v1', 'toString', 'a'],
];

for (const [apiVersion, kind, namespace, found] of ROWS) {
  t.test(`${apiVersion} ${kind} from namespace "${namespace}"`, async (t) => {
    t.same(kinds.find({ apiVersion, kind, name: 'x', uid: 'u' }, namespace), found);
  });
}
