/** The status of a budget decides about an eviction. */
import t from 'tap';
import { disrupted } from '../../src/front/operations/disruption-budgets.ts';
import type { BudgetStatus } from '../../src/front/operations/disruption-budgets.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const NOW = '2024-01-01T00:00:00Z';

function after(status: BudgetStatus, generation = 1): BudgetStatus {
  return disrupted({ metadata: { name: 'x', generation }, status }, 'web', NOW_MS);
}

t.test('a disruption is taken', async (t) => {
  const disruptedPods = { other: '2020-01-01T00:00:00Z' };
  const status = { observedGeneration: 1, disruptionsAllowed: 2, currentHealthy: 5, disruptedPods };
  t.same(after(status), {
    ...status,
    disruptionsAllowed: 1,
    disruptedPods: { ...disruptedPods, web: NOW },
  });
});

t.test('the last one turns the condition', async (t) => {
  const other = { type: 'Other', status: 'True' };
  const last = { observedGeneration: 1, disruptionsAllowed: 1 };
  const condition = {
    lastTransitionTime: NOW,
    message: '',
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'InsufficientPods',
    observedGeneration: 1,
  };
  t.same(after(last).conditions, [condition]);
  const was = { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' };
  t.same(after({ ...last, conditions: [was, other] }).conditions, [condition, other]);
  const since = { ...condition, lastTransitionTime: '2020-01-01T00:00:00Z' };
  t.same(after({ ...last, conditions: [since] }).conditions, [since], 'it keeps its time');
});

t.test('none is taken', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`p${index}`, NOW]));
  const budget = 'poddisruptionbudget.policy "x" is forbidden: ';
  const rows: [string, BudgetStatus, number, string][] = [
    [
      'never counted',
      { disruptionsAllowed: 1 },
      429,
      "Cannot evict pod as it would violate the pod's disruption budget.",
    ],
    [
      'counted nothing',
      { observedGeneration: 1 },
      429,
      "Cannot evict pod as it would violate the pod's disruption budget.",
    ],
    [
      'negative',
      { observedGeneration: 1, disruptionsAllowed: -1 },
      403,
      `${budget}pdb disruptions allowed is negative`,
    ],
    [
      'too many unconfirmed',
      { observedGeneration: 1, disruptionsAllowed: 1, disruptedPods: many },
      403,
      `${budget}DisruptedPods map too big - too many evictions not confirmed by PDB controller`,
    ],
  ];
  for (const [what, status, code, message] of rows) {
    t.match(
      thrownStatus(() => after(status)),
      { code, message },
      what,
    );
  }
  const { details } = thrownStatus(() => after({ observedGeneration: 1 }, 2));
  t.equal(details?.retryAfterSeconds, 10);
});
