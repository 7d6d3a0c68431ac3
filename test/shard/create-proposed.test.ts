/** A create that was proposed elsewhere: what its shard alone knows decides in the end. */
import t from 'tap';
import { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';
import { refusal } from '../support/thrown-status.ts';

t.test('the version is issued by the shard, and the text has it', async (t) => {
  const subject = new ShardUnderTest();
  const { code, object } = await subject.createProposed(configMap('x', { a: 'é' }));
  t.equal(code, 201);
  t.equal(object.metadata.resourceVersion, '101');
  t.same((await subject.get('x')).object, object);
  const next = await subject.createProposed(configMap('y', { resourceVersion: '"0"' }));
  t.equal(next.object.metadata.resourceVersion, '102');
  t.same(next.object['data'], { resourceVersion: '"0"' });
});

t.test('a name that is taken, committed or not', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  log.hold();
  const first = subject.create(configMap('x'));
  const second = refusal(subject.createProposed(configMap('x')));
  log.release();
  await first;
  t.match(await second, { code: 409, message: 'configmaps "x" already exists' });
  await subject.createProposed(configMap('y'));
  t.match(await refusal(subject.create(configMap('y'))), { code: 409 });
  const generated = configMap('y', {}, { generateName: 'y' });
  t.match(await refusal(subject.createProposed(generated)), {
    code: 409,
    message: /the server was not able to generate a unique name/,
  });
});

t.test('a namespace that has begun to end since', async (t) => {
  const subject = new ShardUnderTest();
  const proposed = await subject.propose(configMap('x', {}, { namespace: 'a' }));
  subject.setNamespace('a', 'Terminating');
  t.match(await refusal(subject.createFrom(proposed)), {
    code: 403,
    message: /because it is being terminated/,
  });
  t.same(subject.keys(), []);
});

t.test('a namespace of which the shard has not heard yet', async (t) => {
  const told: (() => void)[] = [];
  const followed = {
    isCurrent: false,
    whenCurrent: () => new Promise<void>((resolve) => told.push(resolve)),
  };
  const elsewhere = new ShardUnderTest();
  elsewhere.setNamespace('new', 'Active');
  const subject = new ShardUnderTest({ namespaces: new NamespaceReplica(() => followed) });
  const draft = await elsewhere.propose(configMap('x', {}, { namespace: 'new' }));
  const made = subject.createFrom(draft);
  await new Promise(setImmediate);
  t.equal(told.length, 1, 'it is waited for');
  subject.setNamespace('new', 'Active');
  followed.isCurrent = true;
  told[0]?.();
  t.equal((await made).code, 201);
  t.same(subject.keys(), ['new/x']);
});

t.test('a commit that fails takes it with it', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  log.hold();
  const made = refusal(subject.createFrom(await subject.propose(configMap('x'))));
  log.fail('the disk is gone');
  t.match(await made, { code: 500 });
  t.same(subject.keys(), []);
});
