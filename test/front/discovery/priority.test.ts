/** Which group and which version comes first. */
import t from 'tap';
import { compareGroups, compareVersions } from '../../../src/front/discovery/priority.ts';

t.test('versions', async (t) => {
  const rows: [group: string, order: string][] = [
    ['autoscaling', 'v2 v1 v2beta1 v2beta2'],
    ['autoscaling', 'v1 v3 v2beta3'],
    ['flowcontrol.apiserver.cluster.io', 'v1beta2 v1beta1'],
    ['garden.example', 'v10 v2 v1 v10beta3 v12alpha1 foo1'],
  ];
  for (const [group, order] of rows) {
    const versions = order.split(' ');
    for (const shuffled of [versions.toReversed(), versions.toSorted()]) {
      const sorted = shuffled.toSorted((one, other) => compareVersions(group, one, other));
      t.same(sorted, versions, `${group}: ${order}`);
    }
  }
  t.equal(compareVersions('garden.example', 'v1', 'v1'), 0);
});

t.test('groups: those of the table, then all others by name', async (t) => {
  const groups = ['', 'apps', 'batch', 'policy', 'a.example', 'autoscaling.example', 'z.example'];
  t.same(groups.toReversed().toSorted(compareGroups), groups);
  t.equal(compareGroups('a.example', 'a.example'), 0);
});
