import t from 'tap';
import { deleteMany } from '../../src/shard/write/delete-many.ts';
import { DELETE_STEP_MS, DELETE_STEP_OBJECTS } from '../../src/limits.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

/** How many are deleted in each turn when each takes so long. */
async function stepsOf(count: number, msOfEach: number): Promise<number[]> {
  const subject = new ShardUnderTest();
  const keys = Array.from({ length: count }, (_, index) => `a/${index}`);
  const steps: number[] = [];
  let isNewTurn = true;
  await deleteMany(subject.shard, keys, () => {
    if (isNewTurn) {
      steps.push(0);
      setImmediate(() => (isNewTurn = true));
    }
    isNewTurn = false;
    steps.push((steps.pop() ?? 0) + 1);
    subject.nowMs += msOfEach;
    return true;
  });
  return steps;
}

t.test('so many small ones share a turn', async (t) => {
  const steps = await stepsOf(DELETE_STEP_OBJECTS + 1, 0);
  t.same(steps, [DELETE_STEP_OBJECTS, 1]);
});

t.test('others have their turn after a few that take long', async (t) => {
  t.same(await stepsOf(4, DELETE_STEP_MS), [1, 1, 1, 1]);
  t.same(await stepsOf(4, DELETE_STEP_MS / 2), [2, 2]);
});
