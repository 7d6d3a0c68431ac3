/** Whatever comes and goes: seats are never more than there are, and nobody is forgotten. */
import fc from 'fast-check';
import t from 'tap';
import { FlowBench, type Begun } from '../support/flow-bench.ts';

const SEATS = 12;
const QUEUING = { queues: 16, handSize: 3, lengthMax: 6 };

interface Step {
  readonly user: number;
  readonly seats: number;
  readonly finalSeats: number;
  readonly finalMs: number;
  readonly ms: number;
  /** Which of those under way ends then. */
  readonly ends: number;
}

const step = fc.record<Step>({
  user: fc.nat(5),
  seats: fc.integer({ min: 1, max: 20 }),
  finalSeats: fc.nat(20),
  finalMs: fc.nat(30),
  ms: fc.nat(40),
  ends: fc.nat(100),
});

function seatsInUse(bench: FlowBench): number {
  return bench.stateOf('shared')?.queues.seatsInUse ?? 0;
}

t.test('seats and requests are kept count of', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bench = new FlowBench(SEATS);
      bench.level({ queuing: QUEUING });
      let underWay: Begun[] = [];
      for (const { user, ms, ends, ...work } of steps) {
        const finalMs = work.finalSeats === 0 ? 0 : work.finalMs;
        const begun = bench.begin(`user-${user}`, { ...work, finalMs });
        if (begun.why === undefined) underWay.push(begun);
        const executing = underWay.filter(({ request }) => request.state === 'executing');
        const isAlone = executing.length <= 1 && (executing[0]?.request.width ?? Infinity) > SEATS;
        if (seatsInUse(bench) > SEATS && !isAlone) return false;
        if (ends % 3 > 0) underWay[ends % underWay.length]?.end();
        underWay = underWay.filter(({ request }) => request.state !== 'over');
        bench.timers.pass(ms);
      }
      // All that wait are served in the end, or have waited too long.
      for (let round = 0; underWay.length > 0 && round < 1_000; round++) {
        underWay.find(({ request }) => request.state === 'executing')?.end();
        bench.timers.pass(1_000);
        underWay = underWay.filter(({ request }) => request.state !== 'over');
      }
      bench.timers.pass(1_000);
      const { queues } = bench.stateOf('shared')!;
      const isEmpty = queues.isIdle && queues.seatsInUse === 0 && queues.seatsWaiting === 0;
      const areEmpty = queues.queues.every((queue) => queue.isIdle && queue.seatsInUse === 0);
      return underWay.length === 0 && isEmpty && areEmpty;
    }),
    { numRuns: 200 },
  );
});

t.test('flows that always want more get the same, whatever they ask for', async (t) => {
  const rows: readonly (readonly [seats: readonly number[], ms: readonly number[]])[] = [
    [
      [1, 1],
      [5, 20],
    ],
    [
      [1, 2],
      [3, 3],
    ],
    [
      [2, 1],
      [10, 4],
    ],
  ];
  for (const [seats, durations] of rows) {
    const [first = 0, second = 0] = seatTimeOf(seats, durations);
    const isEven = Math.abs(first - second) < 0.1 * (first + second);
    t.ok(isEven, `${seats.join()} seats for ${durations.join()} ms: ${first} and ${second}`);
  }
});

/** What each of two flows uses of the level, in seats times ms. */
function seatTimeOf(seats: readonly number[], durations: readonly number[]): readonly number[] {
  const bench = new FlowBench(SEATS);
  bench.level({ queuing: { queues: 128, handSize: 1, lengthMax: 50 } });
  const used = [0, 0];
  const wanting = ['a', 'b'].flatMap((user, flow) => {
    const wants = { user, flow, begun: undefined as Begun | undefined };
    return Array.from({ length: 40 }, () => ({ ...wants }));
  });
  for (let ms = 0; ms < 3_000; ms++) {
    for (const one of wanting) {
      const { flow, user } = one;
      const { request } = one.begun ?? {};
      const isOver = bench.timers.nowMs - (request?.startMs ?? 0) >= durations[flow]!;
      if (request?.state === 'executing' && isOver) {
        one.begun?.end();
        used[flow]! += seats[flow]! * durations[flow]!;
      }
      if (request === undefined || request.state === 'over') {
        one.begun = bench.begin(user, { seats: seats[flow]!, finalSeats: 0, finalMs: 0 });
      }
    }
    bench.timers.pass(1);
  }
  return used;
}
