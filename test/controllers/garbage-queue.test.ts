import t from 'tap';
import { GarbageQueue } from '../../src/controllers/garbage/garbage-queue.ts';
import { GARBAGE_STEP_OBJECTS } from '../../src/limits.ts';

const NOTHING = { gone: [], counts: [], awaiting: [], looks: [], replays: [] };

t.test('each thing is there once, and taken once', async (t) => {
  const queue = new GarbageQueue();
  t.equal(queue.take(), undefined);
  queue.lookAt('configmaps', ['a/x', 'a/y', 'a/x']);
  queue.lookAt('configmaps', ['a/x']);
  queue.lookAt('secrets', []);
  queue.awaits('secrets', ['a/z']);
  for (const uid of ['1', '2', '1']) queue.gone.add(uid);
  queue.counts.add('3');
  t.same(queue.take(), {
    gone: ['1', '2'],
    counts: ['3'],
    awaiting: [['secrets', ['a/z']]],
    looks: [['configmaps', ['a/x', 'a/y']]],
    replays: [],
  });
  t.equal(queue.take(), undefined);
});

t.test('a round takes a bounded part, in order', async (t) => {
  const queue = new GarbageQueue();
  const keys = Array.from({ length: GARBAGE_STEP_OBJECTS + 1 }, (_, at) => `a/${at}`);
  queue.lookAt('configmaps', keys);
  t.same(queue.take()?.looks, [['configmaps', keys.slice(0, -1)]]);
  t.same(queue.take(), { ...NOTHING, looks: [['configmaps', keys.slice(-1)]] });
  t.equal(queue.take(), undefined);
});

t.test('what was there at the start comes after all else', async (t) => {
  const queue = new GarbageQueue();
  queue.replay('configmaps', '');
  queue.gone.add('1');
  t.same(queue.take(), { ...NOTHING, gone: ['1'] });
  t.same(queue.take(), { ...NOTHING, replays: [{ resource: 'configmaps', after: '' }] });
  t.equal(queue.take(), undefined);
});

t.test('what was not done is put back', async (t) => {
  const queue = new GarbageQueue();
  queue.lookAt('configmaps', ['a/x']);
  queue.awaits('configmaps', ['a/y']);
  queue.gone.add('1');
  queue.counts.add('2');
  const work = queue.take();
  if (work === undefined) throw new Error('nothing to do');
  queue.putBack({ ...work, replays: [{ resource: 'secrets', after: 'b' }] });
  queue.putBack(work);
  t.same(queue.take(), work);
  t.same(queue.take(), { ...NOTHING, replays: [{ resource: 'secrets', after: 'b' }] });
});
