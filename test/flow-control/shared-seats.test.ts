/** Seats that threads share: here as if each were one. */
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { SharedSeats, sharedSeatsMemory } from '../../src/flow-control/shared-seats.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const memory = sharedSeatsMemory();

/** A level as a thread has it, where so many requests of one seat each wait for their turn. */
function thread(number: number, level: string) {
  const its = { waiting: 0, served: 0 };
  const look = (): void => {
    while (its.waiting > 0 && seats.take(1)) {
      its.waiting--;
      its.served++;
    }
    seats.wait(its.waiting > 0);
  };
  const seats = new SharedSeats(memory, number).of(level, look);
  return {
    seats,
    its,
    want(requests: number): void {
      its.waiting += requests;
      seats.wait(true);
      look();
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  const lateMs = performance.now() + PATIENCE_MS;
  while (!condition() && performance.now() < lateMs) await turn();
}

t.test('one limit for all, told by the first thread', async (t) => {
  const [first, second] = [thread(0, 'one'), thread(1, 'one')];
  second.seats.limit = 7;
  t.equal(first.seats.limit, 7, 'until the first thread says so');
  first.seats.limit = 3;
  second.seats.limit = 9;
  t.equal(second.seats.limit, 3);
  t.equal(first.seats.take(2), true);
  t.equal(second.seats.take(2), false);
  t.equal(second.seats.take(1), true);
  t.same([first.seats.isFull, second.seats.isFull], [true, true]);
  t.equal(thread(0, 'other').seats.isFull, true, 'another level has its own');
  t.same([first.seats.demandOfAll(4), second.seats.demandOfAll(5)], [4, 9]);
});

t.test('who waits is told, and all have their turns', async (t) => {
  const threads = [0, 1, 2].map((number) => thread(number, 'busy'));
  const [busy, , late] = threads;
  busy!.seats.limit = 2;
  busy!.want(100);
  t.equal(busy!.its.served, 2);
  threads[1]!.want(100);
  late!.want(10);
  for (let round = 0; round < 30; round++) {
    busy!.seats.give(1);
    const served = (): number => threads.reduce((sum, { its }) => sum + its.served, 0);
    if (busy!.its.waiting > 0) busy!.want(0);
    await until(() => served() === round + 3);
  }
  t.ok(late!.its.served >= 9, `${late!.its.served} of 10 in 30 turns of three`);
  t.ok(threads[1]!.its.served >= 9, `${threads[1]!.its.served}`);
  for (const { seats } of threads) seats.close();
});

t.test('nobody waits for a thread that waits no more', async (t) => {
  const [first, second] = [thread(0, 'left'), thread(1, 'left')];
  first.seats.limit = 1;
  first.want(1);
  second.want(1);
  first.want(1);
  second.its.waiting = 0;
  second.seats.wait(false);
  first.seats.give(1);
  first.want(0);
  await until(() => first.its.served === 2);
  t.equal(first.its.served, 2);
});

t.test('one that is wider than its level', async (t) => {
  const [first, second] = [thread(0, 'wide'), thread(1, 'wide')];
  first.seats.limit = 2;
  t.equal(first.seats.take(1), true);
  t.equal(second.seats.takeAlone(5), false);
  first.seats.give(1);
  t.equal(second.seats.takeAlone(5), true);
  t.equal(first.seats.take(1), false);
});

t.test('a level that is gone leaves its place to others', async (t) => {
  for (let made = 0; made < 300; made++) thread(0, `level-${made}`).seats.close();
  const again = thread(0, 'again');
  again.seats.limit = 1;
  t.equal(again.seats.take(1), true);
});
