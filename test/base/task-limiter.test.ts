import t from 'tap';
import { TaskLimiter } from '../../src/base/turns/task-limiter.ts';
import { newGate, turns } from '../support/gate.ts';

t.test('tasks that are over at once, however many wait', (t) => {
  const limiter = new TaskLimiter(1);
  let end: () => void = () => undefined;
  limiter.begin((over) => (end = over));
  let begun = 0;
  for (let task = 0; task < 20_000; task++) {
    limiter.begin((over) => {
      begun++;
      over();
    });
  }
  t.equal(begun, 0);
  end();
  t.equal(begun, 20_000);
  t.equal(limiter.waitingCount, 0);
  t.end();
});

t.test('so many at a time, in order, whether they fail or not', async (t) => {
  const atMost = new TaskLimiter(2);
  const gates = Array.from({ length: 5 }, () => newGate<number>());
  const begun: number[] = [];
  const runs = gates.map((gate, index) =>
    atMost.run(() => {
      begun.push(index);
      return gate.promise;
    }),
  );
  await turns();
  t.same(begun, [0, 1]);
  t.equal(atMost.waitingCount, 3);
  gates[1]?.open(1);
  t.equal(await runs[1], 1);
  await turns();
  t.same(begun, [0, 1, 2]);
  gates[0]?.fail(new Error('it failed'));
  await t.rejects(async () => runs[0], { message: 'it failed' });
  await turns();
  t.same(begun, [0, 1, 2, 3]);
  for (const gate of gates.slice(2)) gate.open(0);
  await Promise.all(runs.slice(2));
  t.same(begun, [0, 1, 2, 3, 4]);
  t.equal(await atMost.run(() => Promise.resolve('later')), 'later');
});
