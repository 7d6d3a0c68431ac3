/** The conditions of a terminating namespace in its status. */
import t from 'tap';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { mergeConditions, setConditions } from '../../src/shard/upkeep/namespace-conditions.ts';
import type { NamespaceCondition } from '../../src/protocol/upkeep-protocol.ts';
import { HeldLog } from '../support/held-log.ts';
import { kindNamed, minimalObject } from '../support/kinds.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

function condition(type: string, status: 'True' | 'False', message = ''): NamespaceCondition {
  return { type, status, reason: `${type}${status}`, message };
}

function set(subject: ShardUnderTest, ...conditions: NamespaceCondition[]): Promise<unknown> {
  const done = answered<undefined>((answer) =>
    setConditions(subject.shard, 'x', conditions, answer),
  );
  subject.shard.pipeline.kick();
  return done;
}

async function namespace(): Promise<ShardUnderTest> {
  const subject = new ShardUnderTest({ definition: NAMESPACE, log: new HeldLog() });
  await subject.create(minimalObject(kindNamed('Namespace'), 'x'));
  return subject;
}

t.test('they are written into the status of a terminating one', async (t) => {
  const subject = await namespace();
  await set(subject, condition('A', 'True'));
  t.equal((await subject.get('x')).object.status.conditions, undefined, 'it does not terminate');
  await subject.delete('x');
  await set(subject, condition('A', 'True', 'wrong'));
  t.same((await subject.get('x')).object.status, {
    phase: 'Terminating',
    conditions: [
      {
        type: 'A',
        status: 'True',
        lastTransitionTime: '2024-01-01T00:00:00Z',
        reason: 'ATrue',
        message: 'wrong',
      },
    ],
  });
});

t.test('what they say already is not written again', async (t) => {
  const subject = await namespace();
  await subject.delete('x');
  await set(subject, condition('A', 'True'));
  const { length } = subject.versions();
  subject.nowMs += 5_000;
  await set(subject, condition('A', 'True'));
  t.equal(subject.versions().length, length);
  await set(subject, condition('A', 'True', 'worse'));
  t.equal(subject.versions().length, length + 1);
});

t.test('a namespace that is gone is no matter', async (t) => {
  const subject = new ShardUnderTest({ definition: NAMESPACE });
  await set(subject, condition('A', 'True'));
  t.same(subject.keys(), []);
});

t.test('a failed commit is told', async (t) => {
  const subject = await namespace();
  await subject.delete('x');
  const { log } = subject;
  if (!(log instanceof HeldLog)) throw new Error('not the log that was given');
  log.hold();
  const failing = set(subject, condition('A', 'True'));
  log.fail('no space left');
  await t.rejects(failing, { message: /no space left/ });
});

t.test('the time is that of the last change of status; others stay', async (t) => {
  const before = [
    { type: 'Other', status: 'True', lastTransitionTime: 'then', reason: 'O', message: 'o' },
    { type: 'A', status: 'True', lastTransitionTime: 'then', reason: 'R', message: 'm' },
    { type: 'B', status: 'True', lastTransitionTime: 'then', reason: 'R', message: 'm' },
  ];
  const wanted = [
    condition('A', 'True', 'worse'),
    condition('B', 'False', 'well'),
    condition('C', 'True'),
  ];
  const merged = mergeConditions(before, wanted, 'now');
  t.same(
    merged.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime]),
    [
      ['Other', 'True', 'then'],
      ['A', 'True', 'then'],
      ['B', 'False', 'now'],
      ['C', 'True', 'now'],
    ],
  );
  t.match(merged[1], { reason: 'ATrue', message: 'worse' });
  t.match(before[1], { reason: 'R', message: 'm' }, 'what was there is left as it was');
});
