// What rows of the catalogue cannot say of a claim: it is bound before it is updated.
import t from 'tap';
import { PERSISTENT_VOLUME_CLAIM } from '../../src/resources/core/persistent-volume-claim.ts';
import { KindRules } from './kind-rules.ts';

const request = (storage: string, others: object = {}): Record<string, unknown> => ({
  spec: { resources: { requests: { storage, ...others } } },
});
const rules = new KindRules(PERSISTENT_VOLUME_CLAIM, {
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeName: 'pv-1',
    volumeMode: 'Filesystem',
  },
  status: { phase: 'Bound', capacity: { storage: '1Gi' } },
});
const FIXED =
  'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';
const SHRINKS =
  'spec.resources.requests.storage: Forbidden: field can not be less than previous value';

t.test('a bound claim may ask for more, and only for that', async (t) => {
  rules.checkUpdates(t, [
    ['it grows', {}, request('2Gi'), []],
    ['it does not shrink', {}, request('1000Mi'), [SHRINKS]],
    ['nothing else is asked for', {}, request('2Gi', { iops: '1' }), [FIXED]],
    ['nothing else changes', {}, { spec: { accessModes: ['ReadOnlyMany'] } }, [FIXED]],
    ['a lost claim does not grow', { status: { phase: 'Lost' } }, request('2Gi'), [FIXED]],
  ]);
});

t.test('data sources under their two names', async (t) => {
  const claim = { kind: 'PersistentVolumeClaim', name: 'other' };
  const populator = { apiGroup: 'example.com', kind: 'Image', name: 'base' };
  const sources = (given: object, stored?: object): unknown => {
    const object = { metadata: {}, spec: { ...given } as Record<string, unknown> };
    if (stored === undefined) PERSISTENT_VOLUME_CLAIM.prepareForCreate?.(object);
    else PERSISTENT_VOLUME_CLAIM.prepareForUpdate?.(object, { metadata: {}, spec: stored });
    return object.spec;
  };
  const both = (source: object): object => ({ dataSource: source, dataSourceRef: source });
  t.same(sources({ dataSource: claim }), both(claim));
  t.same(sources({ dataSourceRef: populator }), both(populator));
  t.same(sources({ dataSource: populator }), {}, 'the older name is for claims and snapshots');
  t.same(sources({ dataSource: { ...populator, apiGroup: '' } }), {});
  t.same(sources({ dataSource: populator }, {}), {}, 'so it is on update');
  t.same(sources({ dataSource: populator }, both(populator)), both(populator), 'unless it is kept');
  const other = { dataSource: claim, dataSourceRef: populator };
  t.same(sources(other), other, 'a contradiction is for the validation');
});
