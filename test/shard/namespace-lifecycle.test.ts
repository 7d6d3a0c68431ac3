/** What the shard of namespaces does besides serving them. */
import t from 'tap';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import {
  finalizeNamespace,
  NamespaceLifecycle,
  namespaceStates,
} from '../../src/shard/namespace-lifecycle.ts';
import type { NamespaceState } from '../../src/shard/upkeep-protocol.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

interface Namespaces {
  readonly subject: ShardUnderTest;
  readonly lifecycle: NamespaceLifecycle;
  /** What the replicas were told, and have not confirmed. */
  readonly told: { readonly changes: NamespaceState[]; readonly confirm: () => void }[];
  readonly terminating: string[];
}

function newNamespaces(replicaCount: number, log = new HeldLog()): Namespaces {
  const told: Namespaces['told'] = [];
  const terminating: string[] = [];
  const replicas = Array.from(
    { length: replicaCount },
    () => (changes: NamespaceState[], then: () => void) =>
      void told.push({ changes, confirm: () => then() }),
  );
  const lifecycle = new NamespaceLifecycle((name) => terminating.push(name));
  const beforeAnswer = lifecycle.beforeAnswer.bind(lifecycle);
  const subject = new ShardUnderTest({ definition: NAMESPACE, log, beforeAnswer });
  for (const replica of replicas) lifecycle.add(subject.shard, replica);
  // What there was when they came.
  told.length = 0;
  return { subject, lifecycle, told, terminating };
}

const SYSTEM = ['cluster-node-lease', 'cluster-public', 'cluster-system', 'default'];
const x = (more: object = {}) => ({ metadata: { name: 'x', ...more } });

t.test('the system namespaces are made once, and survive a restart', async (t) => {
  const log = new HeldLog();
  const first = newNamespaces(0, log);
  await first.lifecycle.start(first.subject.shard);
  t.same(first.subject.keys(), SYSTEM);
  t.same(
    namespaceStates(first.subject.shard),
    SYSTEM.map((name) => ({ name, state: 'active' })),
  );
  const { object } = await first.subject.get('default');
  t.same(object.spec, { finalizers: ['cluster'] });
  t.same(object.status, { phase: 'Active' });
  const versions = first.subject.versions();
  const second = newNamespaces(0, log);
  await second.lifecycle.start(second.subject.shard);
  t.same(second.subject.versions(), versions, 'nothing is written again');
});

t.test('a create is answered once every replica knows of it', async (t) => {
  const { subject, told } = newNamespaces(2);
  let isAnswered = false;
  const created = subject.create(x()).finally(() => (isAnswered = true));
  await turns(5);
  const change = [{ name: 'x', state: 'active' }];
  t.same(
    told.map(({ changes }) => changes),
    [change, change],
  );
  told[0]?.confirm();
  await turns();
  t.equal(isAnswered, false);
  told[1]?.confirm();
  t.equal((await created).code, 201);
});

t.test('a deletion is told to the replicas, then to the controllers, then answered', async (t) => {
  const { subject, told, terminating } = newNamespaces(1);
  const created = subject.create(x());
  await turns(5);
  told.shift()?.confirm();
  await created;
  const deleted = subject.delete('x');
  await turns(5);
  t.same(told[0]?.changes, [{ name: 'x', state: 'terminating' }]);
  t.same(terminating, [], 'not before every create of the old state is in its shard’s mailbox');
  told.shift()?.confirm();
  t.same(terminating, ['x']);
  await deleted;
  const finalized = answered((answer) => finalizeNamespace(subject.shard, 'x', answer));
  subject.shard.pipeline.kick();
  await turns(5);
  t.same(told[0]?.changes, [{ name: 'x', state: 'gone' }]);
  told.shift()?.confirm();
  await finalized;
  t.same(subject.keys(), []);
});

t.test('a finalizer of its metadata holds a namespace when it is empty', async (t) => {
  const { subject } = newNamespaces(0);
  const finalize = () => {
    const done = answered((answer) => finalizeNamespace(subject.shard, 'x', answer));
    subject.shard.pipeline.kick();
    return done;
  };
  await finalize();
  t.same(subject.keys(), [], 'of one that is gone there is nothing to do');
  await subject.create(x({ finalizers: ['example.com/hold'] }));
  await subject.delete('x');
  await finalize();
  const { object } = await subject.get('x');
  t.notOk(object.spec.finalizers?.length);
  t.equal(object.status.phase, 'Terminating');
  await finalize();
  t.equal((await subject.update(x())).code, 200);
  t.same(subject.keys(), [], 'it goes with its last finalizer');
});
