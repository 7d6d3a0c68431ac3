import t from 'tap';
import { assert } from '../../src/base/assert.ts';
import { BoundedTurns } from '../../src/base/turns/bounded-turns.ts';

const PAGE_TURN_BYTES = 1_000;

async function nextTurn(): Promise<void> {
  await new Promise(setImmediate);
}

t.test('small pages are made at once, as many as come', async (t) => {
  const turns = new BoundedTurns(PAGE_TURN_BYTES);
  let made = 0;
  const page = (): number => {
    made++;
    return 10;
  };
  for (let n = 1; n <= 100; n++) {
    turns.add(page);
    t.equal(made, n);
  }
});

t.test('large pages wait for their turn, in order, and let others in between', async (t) => {
  const turns = new BoundedTurns(PAGE_TURN_BYTES);
  const made: string[] = [];
  const page = (name: string, bytes: number) => () => {
    made.push(name);
    return bytes;
  };
  turns.add(page('a', PAGE_TURN_BYTES - 1));
  turns.add(page('b', PAGE_TURN_BYTES));
  turns.add(page('c', 2 * PAGE_TURN_BYTES));
  turns.add(page('d', 1));
  turns.add(page('e', 1));
  t.same(made, ['a', 'b'], 'the last one may go over what a turn has');
  await nextTurn();
  t.same(made, ['a', 'b', 'c']);
  turns.add(page('f', 0));
  t.same(made, ['a', 'b', 'c'], 'who comes later does not go first');
  await nextTurn();
  t.same(made, ['a', 'b', 'c', 'd', 'e', 'f']);
  turns.add(page('g', 1));
  t.equal(made.at(-1), 'g');
});

t.test('a page that another one asks for waits like all others', async (t) => {
  const turns = new BoundedTurns(PAGE_TURN_BYTES);
  const made: number[] = [];
  const page = (number: number) => (): number => {
    made.push(number);
    if (number < 4) turns.add(page(number + 1));
    return PAGE_TURN_BYTES / 2;
  };
  turns.add(page(1));
  t.same(made, [1, 2], 'as many as a turn has bytes for');
  await nextTurn();
  t.same(made, [1, 2, 3, 4]);
});

t.test('what waits when it stops is not made', async (t) => {
  const turns = new BoundedTurns(PAGE_TURN_BYTES);
  let late = false;
  turns.add(() => PAGE_TURN_BYTES);
  turns.add(() => {
    late = true;
    return 0;
  });
  turns.stop();
  await nextTurn();
  turns.add(() => {
    late = true;
    return 0;
  });
  t.notOk(late);
});

t.test('a page that cannot be made fails its own request, in whatever turn', async (t) => {
  const turns = new BoundedTurns(PAGE_TURN_BYTES);
  const failed: string[] = [];
  const fail = ({ message }: Error): void => void failed.push(message);
  const broken = (text: string) => (): never => {
    throw new Error(text);
  };
  turns.add(broken('at once'), fail);
  turns.add(() => PAGE_TURN_BYTES, fail);
  turns.add(broken('later'), fail);
  t.same(failed, ['at once']);
  await nextTurn();
  t.same(failed, ['at once', 'later']);
  const invariant = (): number => {
    assert(false, 'an invariant');
    return 0;
  };
  t.throws(() => turns.add(invariant, fail), { message: /an invariant/ });
});
