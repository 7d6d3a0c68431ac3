/** The seats of levels, and how they borrow from each other. */
import fc from 'fast-check';
import t from 'tap';
import { MANDATORY_LEVELS } from '../../src/flow-control/flow-objects.ts';
import { SeatDemand } from '../../src/flow-control/seat-demand.ts';
import { allocate, borrow, boundsOf } from '../../src/flow-control/seat-shares.ts';

function level(shares: number, lendablePercent = 0, borrowingPercent?: number) {
  return { ...MANDATORY_LEVELS[1]!, shares, lendablePercent, borrowingPercent };
}

t.test('bounds by shares, rounded up', async (t) => {
  const bounds = boundsOf([level(5), level(20, 50), level(30, 33, 200), level(0)], 600);
  t.same(bounds, [
    { nominal: 55, lowest: 55, highest: 655 },
    { nominal: 219, lowest: 109, highest: 819 },
    { nominal: 328, lowest: 220, highest: 984 },
    { nominal: 0, lowest: 0, highest: 600 },
  ]);
  t.same(boundsOf([level(0)], 600), [{ nominal: 0, lowest: 0, highest: 600 }]);
});

/** The figures are those of the reference. */
t.test('each gets the same fraction of its target, within its bounds', async (t) => {
  const need = ([target, lowest, highest]: readonly [number, number, number]) => {
    return { target, lowest, highest };
  };
  const rows = [
    [
      400,
      [
        [40, 33, 106],
        [20, 20, 80],
        [300, 10, 300],
      ],
      [66.6667, 33.3333, 300],
      1.66667,
    ],
    [
      100,
      [
        [10, 10, 1000],
        [90, 5, 1000],
        [0, 0, 1000],
      ],
      [10, 89.999, 0.001],
      0.99999,
    ],
    [
      100,
      [
        [10, 10, 20],
        [90, 5, 30],
        [0, 0, 1000],
      ],
      [20, 30, 50],
      50000,
    ],
    [
      50,
      [
        [20, 10, 100],
        [60, 30, 100],
        [5, 0, 10],
      ],
      [11.7647, 35.2941, 2.9412],
      0.58824,
    ],
  ] as const;
  for (const [sum, needs, expected, fraction] of rows) {
    const allocated = allocate(needs.map(need), sum);
    const isNear = allocated.seats.every((seats, at) => Math.abs(seats - expected[at]!) < 0.001);
    t.ok(isNear, `${sum}: ${allocated.seats.join(', ')}`);
    t.ok(Math.abs(allocated.fraction / fraction - 1) < 0.001, `${sum}: ${allocated.fraction}`);
  }
});

t.test('what is given stays within all bounds', async () => {
  const need = fc.tuple(fc.nat(100), fc.nat(100), fc.nat(300)).map(([lowest, more, further]) => ({
    lowest,
    highest: lowest + more,
    target: lowest + further,
  }));
  fc.assert(
    fc.property(fc.array(need, { minLength: 1, maxLength: 8 }), fc.nat(1_000), (needs, sum) => {
      const { seats } = allocate(needs, sum);
      const total = seats.reduce((a, b) => a + b, 0);
      const lowest = needs.reduce((a, b) => a + b.lowest, 0);
      const highest = needs.reduce((a, b) => a + b.highest, 0);
      const wanted = Math.min(highest, Math.max(lowest, sum));
      const isWithin = seats.every(
        (one, at) => one >= needs[at]!.lowest - 1e-6 && one <= needs[at]!.highest + 1e-6,
      );
      return isWithin && Math.abs(total - wanted) < 1e-3;
    }),
  );
});

t.test('a busy level borrows what an idle one lends', async (t) => {
  const bounds = boundsOf([level(50, 80), level(50, 50)], 100);
  const busy = { isExempt: false, bounds: bounds[0]!, demand: { highest: 200, smoothed: 150 } };
  const idle = { isExempt: false, bounds: bounds[1]!, demand: { highest: 0, smoothed: 0 } };
  t.same(borrow([busy, idle], true).seats, [75, 25]);
  t.same(borrow([busy, busy], true).seats, [50, 50]);
  const exempt = {
    isExempt: true,
    bounds: { nominal: 0, lowest: 0, highest: 100 },
    demand: { highest: 60, smoothed: 60 },
  };
  t.same(borrow([exempt, busy, idle], true).seats, [60, 15, 25], 'what is exempt comes first');
  t.same(borrow([exempt, busy, idle], false).seats, [60, 75, 25]);
});

t.test('demand is weighed by time, and forgotten slowly', async (t) => {
  const demand = new SeatDemand(0);
  demand.set(10, 5_000);
  demand.set(0, 7_500);
  demand.endPeriod(10_000);
  t.same([demand.highest, demand.average], [10, 2.5]);
  t.ok(Math.abs(demand.deviation - 4.3301) < 0.001, `${demand.deviation}`);
  const peak = demand.smoothed;
  demand.endPeriod(20_000);
  t.equal(demand.highest, 0);
  t.ok(demand.smoothed < peak && demand.smoothed > 0.97 * peak, `${demand.smoothed}`);
});
