/** Which group and which version comes first. */
import t from 'tap';
import {
  compareGroups,
  compareVersions,
  ownGroupPriority,
  ownVersionPriority,
} from '../../../src/front/discovery/priority.ts';

t.test('versions', async (t) => {
  const rows: [group: string, order: string][] = [
    ['autoscaling', 'v2 v1 v2beta1 v2beta2'],
    ['autoscaling', 'v1 v3 v2beta3'],
    ['flowcontrol.apiserver.cluster.io', 'v1beta2 v1beta1'],
    ['garden.example', 'v10 v2 v1 v10beta3 v12alpha1 foo1'],
  ];
  for (const [group, order] of rows) {
    const versions = order
      .split(' ')
      .map((version) => ({ version, priority: ownVersionPriority(group, version) }));
    for (const shuffled of [versions.toReversed(), versions]) {
      t.same(shuffled.toSorted(compareVersions), versions, `${group}: ${order}`);
    }
  }
  const newest = { version: 'v2', priority: 10 };
  const preferred = { version: 'v1', priority: 11 };
  t.ok(compareVersions(preferred, newest) < 0, 'the priority comes first');
});

t.test('groups: those of the table, then all others by name', async (t) => {
  const names = ['', 'apps', 'batch', 'policy', 'a.example', 'autoscaling.example', 'z.example'];
  const groups = names.map((name) => ({ name, priority: ownGroupPriority(name) }));
  t.same(groups.toReversed().toSorted(compareGroups), groups);
  const late = { name: 'a.example', priority: 100 };
  t.same([late, ...groups].toSorted(compareGroups), [...groups, late], 'one of lower priority');
  const early = { name: 'a.example', priority: 17_900 };
  const [core, ...others] = groups;
  t.same([...groups, early].toSorted(compareGroups), [core, early, ...others], 'of a higher one');
});
