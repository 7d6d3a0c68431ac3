// A server tells in which versions it stores objects.
import t from 'tap';
import { toldStatus } from '../../src/controllers/identity/storage-versions.ts';
import { EVENT } from '../../src/resources/core/event.ts';
import { RUNTIME_CLASS } from '../../src/resources/node/runtime-class.ts';

const [NOW, LATER] = ['2021-12-07T00:00:00Z', '2021-12-08T00:00:00Z'];
const ENTRY = {
  apiServerID: 'server-1',
  encodingVersion: 'node.cluster.io/v1',
  decodableVersions: ['node.cluster.io/v1', 'node.cluster.io/v1beta1', 'node.cluster.io/v1alpha1'],
};
const TOLD = {
  storageVersions: [ENTRY],
  commonEncodingVersion: 'node.cluster.io/v1',
  conditions: [
    {
      type: 'AllEncodingVersionsEqual',
      status: 'True',
      lastTransitionTime: NOW,
      reason: 'CommonEncodingVersionSet',
      message: 'Common encoding version set',
    },
  ],
};

t.test('the version that is stored, and all that can be read', async (t) => {
  t.same(toldStatus(undefined, 'server-1', RUNTIME_CLASS, NOW), TOLD);
  t.same(toldStatus({}, 'server-1', RUNTIME_CLASS, NOW), TOLD);
  const [events] = toldStatus(undefined, 'server-1', EVENT, NOW).storageVersions ?? [];
  t.same(events?.decodableVersions, ['v1', 'events.cluster.io/v1', 'events.cluster.io/v1beta1']);
});

t.test('what was told stays, and what others told goes', async (t) => {
  t.same(toldStatus(TOLD, 'server-1', RUNTIME_CLASS, LATER), TOLD);
  const other = { ...ENTRY, apiServerID: 'server-0' };
  const both = { ...TOLD, storageVersions: [other, ENTRY] };
  t.same(toldStatus(both, 'server-1', RUNTIME_CLASS, LATER), TOLD);
  const mine = { type: 'Mine', status: 'True', reason: 'a', message: 'b' };
  const more = { ...TOLD, conditions: [...TOLD.conditions, mine] };
  const kept = toldStatus(more, 'server-1', RUNTIME_CLASS, LATER);
  t.same(kept.conditions, [mine, ...TOLD.conditions], 'and conditions of others stay');
});

t.test('another version than before is a change of the condition', async (t) => {
  const [condition] = TOLD.conditions;
  const moved = { ...TOLD, conditions: [{ ...condition, lastTransitionTime: LATER }] };
  const before = { ...TOLD, commonEncodingVersion: 'node.cluster.io/v1beta1' };
  t.same(toldStatus(before, 'server-1', RUNTIME_CLASS, LATER), moved);
  const differed = { ...TOLD, conditions: [{ ...condition, status: 'False' }] };
  t.same(toldStatus(differed, 'server-1', RUNTIME_CLASS, LATER), moved);
});
