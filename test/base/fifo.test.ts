import t from 'tap';
import { Fifo } from '../../src/base/fifo.ts';
import { Random } from '../support/random.ts';

t.test(
  'what waits comes in the order in which it was added, however it comes and goes',
  async (t) => {
    const random = new Random(7);
    const fifo = new Fifo<number>();
    const model: number[] = [];
    for (let step = 0; step < 20_000; step += 1) {
      // It grows in the first half, and empties in the second.
      if (random.below(10) < (step < 10_000 ? 6 : 4)) {
        fifo.push(step);
        model.push(step);
      } else if (fifo.shift() !== model.shift()) {
        t.fail(`another one came at step ${step}`);
      }
      if (fifo.length !== model.length) t.fail(`${fifo.length} wait at step ${step}`);
    }
    t.equal(fifo.length, model.length);
  },
);

t.test('nothing waits after it was cleared', async (t) => {
  const fifo = new Fifo<string>();
  fifo.push('a');
  fifo.push('b');
  fifo.shift();
  fifo.clear();
  t.equal(fifo.length, 0);
  t.equal(fifo.shift(), undefined);
  fifo.push('c');
  t.equal(fifo.shift(), 'c');
});
