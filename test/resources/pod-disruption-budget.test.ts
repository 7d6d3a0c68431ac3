// An empty selector is all pods in policy/v1 and none in v1beta1.
import t from 'tap';
import { POD_DISRUPTION_BUDGET_V1BETA1 } from '../../src/resources/policy/pod-disruption-budget-v1beta1.ts';
import type { ApiObject } from '../../src/resources/kind.ts';

const KEY = 'pdb.cluster.io/deprecated-v1beta1-empty-selector-match';
const NONE = { matchExpressions: [{ key: KEY, operator: 'Exists' }] };
const ALL = { matchExpressions: [{ key: KEY, operator: 'DoesNotExist' }] };
const APP = { matchLabels: { app: 'web' } };

/** A case, the selector in v1beta1, and the same in v1. */
const SELECTORS: readonly [what: string, beta: object, stored: object][] = [
  ['no pods', {}, NONE],
  ['all pods', ALL, {}],
  ['some pods', APP, APP],
];

const budget = (selector: object): ApiObject => ({
  metadata: {},
  spec: structuredClone({ selector }),
});

for (const [what, beta, stored] of SELECTORS) {
  t.test(what, async (t) => {
    t.same(
      POD_DISRUPTION_BUDGET_V1BETA1.toStored?.(budget(beta))['spec'],
      { selector: stored },
      'to v1',
    );
    t.same(
      POD_DISRUPTION_BUDGET_V1BETA1.fromStored?.(budget(stored))['spec'],
      { selector: beta },
      'and back',
    );
  });
}

t.test('a budget without a selector has none in either version', async (t) => {
  const object: ApiObject = { metadata: {}, spec: {} };
  t.same(POD_DISRUPTION_BUDGET_V1BETA1.toStored?.(object)['spec'], {});
  t.same(POD_DISRUPTION_BUDGET_V1BETA1.fromStored?.(object)['spec'], {});
});

t.test('the expression means nothing beside other requirements', async (t) => {
  const selector = { ...APP, matchExpressions: [{ key: KEY, operator: 'Exists' }] };
  const expected = { selector: { ...APP, matchExpressions: [] } };
  t.same(POD_DISRUPTION_BUDGET_V1BETA1.toStored?.(budget(selector))['spec'], expected);
});
