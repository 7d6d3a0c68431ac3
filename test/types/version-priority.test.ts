import t from 'tap';
import { compareVersionNames } from '../../src/types/custom/version-priority.ts';

t.test('stable before beta before alpha, the newer first, other names last', async (t) => {
  const rows = [
    'v10 v2 v1 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10',
    'v1 1v V1 v1beta v1gamma1 v2.1 v99999999999999999999',
  ];
  for (const order of rows) {
    const versions = order.split(' ');
    for (const shuffled of [versions.toReversed(), versions.toSorted()]) {
      t.same(shuffled.toSorted(compareVersionNames), versions, order);
    }
  }
  t.equal(compareVersionNames('v1', 'v1'), 0);
});
