import t from 'tap';
import { MailboxFullError } from '../../src/actors/link.ts';
import { LargeBodies } from '../../src/front/requests/large-bodies.ts';
import { LARGE_BODY_BYTES } from '../../src/limits.ts';
import { LARGE_BODIES_BYTES_MAX } from '../../src/front/limits.ts';
import { newGate, turns } from '../support/gate.ts';

const newBodies = (): LargeBodies => new LargeBodies({ atOnce: 1, fronts: 1 });

t.test('a body is large by its length, or by that of the JSON that it is', (t) => {
  const bodies = newBodies();
  t.notOk(bodies.isLarge(Buffer.alloc(LARGE_BODY_BYTES)));
  t.ok(bodies.isLarge(Buffer.alloc(LARGE_BODY_BYTES + 1)));
  t.notOk(bodies.isLarge(Buffer.alloc(10), ' '.repeat(LARGE_BODY_BYTES)));
  t.ok(bodies.isLarge(Buffer.alloc(10), ' '.repeat(LARGE_BODY_BYTES + 1)));
  t.end();
});

t.test('each has its turn when the one before is answered, and is as it came', async (t) => {
  const bodies = newBodies();
  const gates = [newGate<void>(), newGate<void>()];
  const passed: string[] = [];
  const chunk = Buffer.from('first');
  const taken = gates.map((gate) => {
    const done = bodies.take(chunk, (body) => {
      passed.push(Buffer.from(body).toString());
      return gate.promise;
    });
    // The library uses the bytes again after the turn.
    chunk.write('other');
    return done;
  });
  await turns();
  t.same(passed, ['first']);
  gates[0]?.fail(new Error('refused'));
  await t.rejects(taken[0] ?? Promise.resolve(), { message: 'refused' });
  await turns();
  t.same(passed, ['first', 'other']);
  gates[1]?.open();
  await taken[1];
});

t.test('what waits has a bound', async (t) => {
  const bodies = newBodies();
  const gate = newGate<void>();
  const half = Buffer.alloc(LARGE_BODIES_BYTES_MAX / 2 + 1);
  const first = bodies.take(half, () => gate.promise);
  const passOn = (): Promise<void> => Promise.resolve();
  await t.rejects(bodies.take(half, passOn), MailboxFullError);
  gate.open();
  await first;
  await bodies.take(half, passOn);
});
