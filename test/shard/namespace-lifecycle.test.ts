/** The shard of namespaces does more than serve them. */
import t from 'tap';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import {
  finalizeNamespace,
  leavesTerminating,
  makeSystemNamespaces,
  namespaceStates,
} from '../../src/shard/upkeep/namespace-lifecycle.ts';
import { HeldLog } from '../support/held-log.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';

/** A shard of namespaces; `seen` is what follows a write, in order. */
function newNamespaces(log = new HeldLog()) {
  const seen: string[] = [];
  const subject = new ShardUnderTest({
    definition: NAMESPACE,
    log,
    onApplied: () => seen.push('in force'),
    onPublished: (write) => {
      if (leavesTerminating(write)) seen.push(`${write.key} terminates`);
    },
  });
  return { subject, seen };
}

const SYSTEM = ['cluster-node-lease', 'cluster-public', 'cluster-system', 'default'];
function finalize({ shard }: ShardUnderTest) {
  const done = answered((answer) => finalizeNamespace(shard, 'x', answer));
  shard.pipeline.kick();
  return done;
}

const x = (more: object = {}) => ({ metadata: { name: 'x', ...more } });

t.test('the system namespaces are made once, and survive a restart', async (t) => {
  const log = new HeldLog();
  const { subject: first } = newNamespaces(log);
  await makeSystemNamespaces(first.shard);
  t.same(first.keys(), SYSTEM);
  t.same(
    namespaceStates(first.shard),
    SYSTEM.map((name) => ({ name, state: 'active' })),
  );
  const { object } = await first.get('default');
  t.same(object.spec, { finalizers: ['cluster'] });
  t.same(object.status, { phase: 'Active' });
  const versions = first.versions();
  const { subject: second } = newNamespaces(log);
  await makeSystemNamespaces(second.shard);
  t.same(second.versions(), versions, 'nothing is written again');
});

t.test('a deletion is in force before the controller is told of it', async (t) => {
  const { subject, seen } = newNamespaces();
  await subject.create(x());
  t.same(seen.splice(0), ['in force']);
  await subject.delete('x');
  t.same(seen.splice(0), ['in force', 'x terminates']);
  await finalize(subject);
  t.same(seen, ['in force']);
  t.same(subject.keys(), []);
});

t.test('a finalizer of its metadata holds a namespace when it is empty', async (t) => {
  const { subject } = newNamespaces();
  await finalize(subject);
  t.same(subject.keys(), [], 'of one that is gone there is nothing to do');
  await subject.create(x({ finalizers: ['example.com/hold'] }));
  await subject.delete('x');
  await finalize(subject);
  const { object } = await subject.get('x');
  t.notOk(object.spec.finalizers?.length);
  t.equal(object.status.phase, 'Terminating');
  await finalize(subject);
  t.equal((await subject.update(x())).code, 200);
  t.same(subject.keys(), [], 'it goes with its last finalizer');
});
