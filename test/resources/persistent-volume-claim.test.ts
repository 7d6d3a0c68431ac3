// Rows of the catalogue cannot say this of a claim: it is bound before it is updated.
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { PERSISTENT_VOLUME_CLAIM } from '../../src/resources/core/volumes/persistent-volume-claim.ts';
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

t.test('a source is a claim or a snapshot, under its older name', async (t) => {
  const claim = { kind: 'PersistentVolumeClaim', name: 'other' };
  const populator = { apiGroup: 'example.com', kind: 'Image', name: 'base' };
  const sources = (given: object, stored?: object): unknown => {
    const object = { metadata: {}, spec: { ...given } as Record<string, unknown> };
    if (stored === undefined) PERSISTENT_VOLUME_CLAIM.prepareForCreate?.(object, DEFAULT_GATES);
    else
      PERSISTENT_VOLUME_CLAIM.prepareForUpdate?.(
        object,
        { metadata: {}, spec: stored },
        DEFAULT_GATES,
      );
    return object.spec;
  };
  t.same(sources({ dataSource: claim }), { dataSource: claim });
  t.same(sources({ dataSourceRef: populator }), {}, 'the feature is off');
  t.same(sources({ dataSource: claim, dataSourceRef: populator }), { dataSource: claim });
  t.same(sources({ dataSource: populator }), {});
  t.same(sources({ dataSource: { ...populator, apiGroup: '' } }), {});
  t.same(sources({ dataSource: populator }, {}), {}, 'so it is on update');
  const kept = { dataSource: populator, dataSourceRef: populator };
  t.same(sources(kept, kept), kept, 'unless it is kept');
});
