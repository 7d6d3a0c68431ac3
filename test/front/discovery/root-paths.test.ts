/** `/` lists paths. */
import t from 'tap';
import { discoveryDocuments } from '../../../src/front/discovery/discovery-documents.ts';
import { rootPaths } from '../../../src/front/documents/root-paths.ts';
import type { HealthCheck } from '../../../src/front/documents/health.ts';
import { BUILT_IN_TYPES } from '../../../src/types/served-types.ts';

const TYPES = BUILT_IN_TYPES.filter(({ group }) => group === '' || group === 'batch');
const CHECKS: readonly Pick<HealthCheck, 'name' | 'notIn'>[] = [
  { name: 'ping' },
  { name: 'etcd', notIn: ['livez'] },
  { name: 'shutdown', notIn: ['livez', 'healthz'] },
];

t.test('documents, health checks and the rest, sorted', async (t) => {
  const documents = discoveryDocuments({ types: TYPES, virtualKinds: [] }, '');
  t.same(rootPaths(documents.keys(), CHECKS, ['/version', '/metrics', '/apis']), {
    paths: [
      '/api',
      '/api/v1',
      '/apis',
      '/apis/',
      '/apis/batch',
      '/apis/batch/v1',
      '/apis/batch/v1beta1',
      '/healthz',
      '/healthz/etcd',
      '/healthz/ping',
      '/livez',
      '/livez/ping',
      '/metrics',
      '/readyz',
      '/readyz/etcd',
      '/readyz/ping',
      '/readyz/shutdown',
      '/version',
    ],
  });
});
