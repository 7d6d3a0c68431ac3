/** deletecollection inside the shard: failures and races that a client cannot bring about. */
import t from 'tap';
import { deleteCollection } from '../../src/shard/verbs/delete-collection.ts';
import type { DeleteCollectionRequest, ObjectReply } from '../../src/protocol/shard-protocol.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { answered, listRequest, ShardUnderTest } from '../support/shard-under-test.ts';

function deleteAll(
  { shard }: ShardUnderTest,
  options: Partial<DeleteCollectionRequest> = {},
  body?: unknown,
): Promise<TestObject> {
  const request: DeleteCollectionRequest = {
    ...listRequest({ namespace: 'a' }),
    name: '',
    format: 'json',
    dryRun: false,
    ...options,
  };
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const answer = answered<ObjectReply>((ask) => deleteCollection(shard, request, bytes, ask));
  return answer.then((outcome) => JSON.parse(outcome.body.toString()));
}

async function filled(count: number, log = new HeldLog()): Promise<ShardUnderTest> {
  const subject = new ShardUnderTest({ log });
  const created = Array.from({ length: count }, (_, n) =>
    subject.create(configMap(`n${n}`, {}, { namespace: 'a' })),
  );
  await Promise.all(created);
  return subject;
}

t.test('more than a step of objects, each gone once', async (t) => {
  const subject = await filled(1_201);
  const before = subject.clock.current();
  t.same(await deleteAll(subject), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { kind: 'ConfigMap' },
    code: 200,
  });
  t.same(subject.keys(), []);
  t.equal(subject.clock.current() - before, 1_201, 'one version for each');
});

t.test('what others write meanwhile goes on, and what they delete is no error', async (t) => {
  const subject = await filled(1_100);
  const deleted = deleteAll(subject);
  await subject.delete('n999', { namespace: 'a' });
  await subject.create(configMap('late', {}, { namespace: 'a' }));
  t.equal((await deleted).code, 200);
  t.same(subject.keys(), ['a/late']);
});

t.test('a commit that fails is told, and the rest stays', async (t) => {
  const log = new HeldLog();
  const subject = await filled(700, log);
  log.hold();
  const deleted = refusal(deleteAll(subject));
  await turns(2);
  log.fail('disk full');
  t.match(await deleted, { code: 500, message: /could not commit the write: disk full/ });
  t.equal(subject.keys().length, 700);
});

t.test(
  'two at once, when the commit of the first fails: neither says that it was done',
  async (t) => {
    const log = new HeldLog();
    const subject = await filled(5, log);
    log.hold();
    const outcomes = [refusal(deleteAll(subject)), refusal(deleteAll(subject))];
    await turns(2);
    log.fail('disk full');
    for (const outcome of outcomes) t.match(await outcome, { code: 500, message: /disk full/ });
    t.equal(subject.keys().length, 5);
  },
);

t.test('a refusal for the sake of a write that fails is told as that failure', async (t) => {
  const log = new HeldLog();
  const subject = await filled(1, log);
  log.hold();
  const updated = refusal(subject.update(configMap('n0', { step: '2' }, { namespace: 'a' })));
  const body = { preconditions: { resourceVersion: '101' } };
  const deleted = refusal(deleteAll(subject, {}, body));
  await turns(2);
  log.fail('disk full');
  t.match(await updated, { code: 500 });
  t.match(await deleted, { code: 500, message: /disk full/ });
});

t.test('a dry run of many objects lets others in and writes nothing', async (t) => {
  const subject = await filled(1_100);
  let done = false;
  const deleted = deleteAll(subject, { dryRun: true }).finally(() => (done = true));
  await new Promise(setImmediate);
  t.notOk(done, 'after its first step it let others in');
  t.equal((await deleted).code, 200);
  t.equal(subject.keys().length, 1_100);
});
