/** Creates go by what was answered about their namespace, known in this thread or not yet. */
import t from 'tap';
import { emptyNamespace } from '../../src/shard/upkeep/empty-namespace.ts';
import { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import type { NamespaceUpkeepCalls } from '../../src/protocol/upkeep-protocol.ts';
import { turns } from '../support/gate.ts';
import { configMap } from '../support/kinds.ts';
import { HandFed } from '../support/rbac.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';
import { refusal } from '../support/thrown-status.ts';

type Emptied = NamespaceUpkeepCalls['emptyNamespace']['reply'];

/** A thread that is told of namespaces when the test wants it to. */
function newThread() {
  const fed = new HandFed();
  const subject = new ShardUnderTest({ namespaces: new NamespaceReplica(fed.follow) });
  const create = async (namespace: string): Promise<number> =>
    (await subject.create(configMap('x', {}, { namespace }))).code;
  return { fed, subject, create };
}

t.test('a create waits for a namespace that was answered, and for no other', async (t) => {
  const { fed, subject, create } = newThread();
  fed.fallBehind();
  const created = create('new');
  await turns(5);
  t.same(subject.keys(), []);
  subject.setNamespace('new', 'Active');
  fed.catchUp();
  t.equal(await created, 201);
});

t.test('a create after the answered deletion is refused', async (t) => {
  const { fed, subject, create } = newThread();
  fed.fallBehind();
  const refused = refusal(create('a'));
  subject.setNamespace('a', 'Terminating');
  fed.catchUp();
  t.match(await refused, { code: 403, details: { causes: [{ reason: 'NamespaceTerminating' }] } });
});

t.test('the order to empty a namespace waits, and finds what was staged before', async (t) => {
  const { fed, subject } = newThread();
  // It was admitted before the deletion was answered.
  const created = subject.create(configMap('late', {}, { namespace: 'a' }));
  fed.fallBehind();
  const emptied = answered<Emptied>((ask) => emptyNamespace(subject.shard, 'a', ask));
  await created;
  await turns(5);
  t.same(subject.keys('a'), ['a/late']);
  subject.setNamespace('a', 'Terminating');
  fed.catchUp();
  t.match((await emptied).reply, { terminating: true, remaining: 0 });
  t.same(subject.keys('a'), []);
});
