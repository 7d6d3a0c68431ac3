/** Which group and which version comes first. */
import t from 'tap';
import { compareGroups, compareVersions } from '../../../src/front/discovery/priority.ts';

t.test('versions', async (t) => {
  const rows: [group: string, order: string][] = [
    ['autoscaling', 'v2 v1 v2beta1 v2beta2'],
    ['autoscaling', 'v1 v3 v2beta3'],
    ['flowcontrol.apiserver.cluster.io', 'v1beta2 v1beta1'],
    ['garden.example', 'v10 v2 v1 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10'],
    ['garden.example', 'v1 1v V1 v1beta v1gamma1 v2.1 v99999999999999999999'],
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
