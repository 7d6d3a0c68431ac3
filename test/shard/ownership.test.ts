/** A shard tells the garbage collector of owners after a commit, and keeps them over a restart. */
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
} from '../../src/semantics/metadata/object-meta.ts';
import t from 'tap';
import { awaitsOf, ownersOf } from '../../src/proposals/record-facts.ts';
import type { OwnershipChanges } from '../../src/protocol/upkeep-protocol.ts';
import { AWAITS } from '../../src/storage/record.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { ShardUnderTest, startedClock } from '../support/shard-under-test.ts';

function reference(uid: string, blockOwnerDeletion?: boolean): object {
  const named = { apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${uid}`, uid };
  return blockOwnerDeletion === undefined ? named : { ...named, blockOwnerDeletion };
}

const owned = (...ownerReferences: object[]): Members => ({ ownerReferences });

interface Told {
  readonly subject: ShardUnderTest;
  /** Gives the changes that were told since it was asked last. */
  readonly told: () => OwnershipChanges[];
}

function listening(log = new HeldLog(), clock = startedClock()): Told {
  const changes: OwnershipChanges[] = [];
  const onOwnership = (change: OwnershipChanges): void => void changes.push(change);
  const subject = new ShardUnderTest({ log, clock, onOwnership });
  return { subject, told: () => changes.splice(0) };
}

const NOTHING: OwnershipChanges = { gone: [], released: [], owned: [], awaiting: [] };

t.test('objects without owners are told of when they go', async (t) => {
  const { subject, told } = listening();
  const { object } = await subject.create(configMap('x'));
  await subject.update(configMap('x', { a: '1' }));
  t.same(told(), []);
  await subject.delete('x');
  t.same(told(), [{ ...NOTHING, gone: [object.metadata.uid] }]);
});

t.test('owners are told of when they are new or others', async (t) => {
  const { subject, told } = listening();
  const key = 'default/x';
  const { object } = await subject.create(configMap('x', {}, owned(reference('u1', true))));
  t.same(told(), [{ ...NOTHING, owned: [key] }]);
  await subject.update(configMap('x', { a: '1' }, owned(reference('u1', true))));
  t.same(told(), [], 'the same owners');
  await subject.update(configMap('x', {}, owned(reference('u1', true), reference('u2'))));
  t.same(told(), [{ ...NOTHING, owned: [key] }]);
  await subject.update(configMap('x', {}, owned(reference('u1'), reference('u2'))));
  t.same(told(), [{ ...NOTHING, released: ['u1'], owned: [key] }], 'it does not block any more');
  await subject.update(configMap('x', {}, owned(reference('u1'))));
  t.same(told(), [{ ...NOTHING, released: ['u2'], owned: [key] }]);
  await subject.update(configMap('x'));
  t.same(told(), [{ ...NOTHING, released: ['u1'] }]);
  await subject.update(configMap('x', {}, owned(reference('u3'))));
  told();
  await subject.delete('x');
  t.same(told(), [{ ...NOTHING, gone: [object.metadata.uid], released: ['u3'] }]);
});

t.test('what waits for the collector is told once', async (t) => {
  const { subject, told } = listening();
  const finalizers = [FOREGROUND_FINALIZER];
  await subject.create(configMap('x', {}, { finalizers }));
  t.same(told(), [], 'it does not wait before it is deleted');
  await subject.delete('x', { propagationPolicy: 'Foreground' });
  t.same(told(), [{ ...NOTHING, awaiting: ['default/x'] }]);
  await subject.delete('x', { propagationPolicy: 'Foreground' });
  await subject.update(configMap('x', { a: '1' }, { finalizers }));
  t.same(told(), []);
  await subject.delete('x', { propagationPolicy: 'Orphan' });
  t.same(told(), [{ ...NOTHING, awaiting: ['default/x'] }], 'for something else now');
});

t.test('a commit is told in one go', async (t) => {
  const { subject, told } = listening();
  await subject.create(configMap('x', {}, owned(reference('u1'))));
  await subject.create(configMap('y', {}, owned(reference('u1'))));
  told();
  const done = Promise.all([
    subject.delete('x'),
    subject.delete('y'),
    subject.create(configMap('z', {}, owned(reference('u2')))),
  ]);
  await done;
  const [first, ...rest] = told();
  t.equal(first?.gone.length, 1, 'the first went alone');
  t.match(rest, [{ gone: [/./], released: ['u1'], owned: ['default/z'] }]);
});

t.test('a failed commit is not told, and changes nothing', async (t) => {
  const log = new HeldLog();
  const { subject, told } = listening(log);
  await subject.create(configMap('x', {}, owned(reference('u1'))));
  told();
  log.hold();
  const deleted = subject.delete('x');
  log.fail('no space left');
  await t.rejects(deleted);
  t.same(told(), []);
  t.equal(subject.shard.table.owners?.keysOf('u1').size, 1);
});

t.test('the log keeps owners and what waits', async (t) => {
  const log = new HeldLog();
  const { subject } = listening(log);
  await subject.create(configMap('x', {}, owned(reference('u1', true), reference('u2'))));
  await subject.create(configMap('y'));
  await subject.delete('y', { propagationPolicy: 'Orphan' });
  const again = listening(log).subject.shard.table;
  t.same(again.get('default/x')?.owners, [
    { uid: 'u1', blocks: true },
    { uid: 'u2', blocks: false },
  ]);
  t.same([...(again.owners?.keysOf('u2') ?? [])], ['default/x']);
  t.equal(again.owners?.awaits('default/y'), AWAITS.orphaning);
});

t.test('switched off, the table holds nothing of it, and the log all', async (t) => {
  const log = new HeldLog();
  const off = new ShardUnderTest({ log });
  await off.create(configMap('x', {}, owned(reference('u1'))));
  t.equal(off.shard.table.owners, undefined);
  t.notOk(Object.hasOwn(off.shard.table.get('default/x') ?? {}, 'owners'));
  const on = listening(log, off.clock).subject;
  t.equal(on.shard.table.owners?.keysOf('u1').size, 1);
  await on.create(configMap('y'));
  t.same(Object.keys(on.shard.table.get('default/y') ?? {}), ['key', 'rv', 'labels', 'fields']);
});

t.test('owners by their uids, each once, and never the object itself', async (t) => {
  const named = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' };
  const rows: readonly [uids: string[], expected: string[] | undefined][] = [
    [[], undefined],
    [['u1'], ['u1']],
    [['own'], undefined],
    [
      ['own', 'u1!', 'u1', 'u2'],
      ['u1!', 'u2'],
    ],
    [['u1', 'u1!'], ['u1!']],
  ];
  for (const [uids, expected] of rows) {
    const ownerReferences = uids.map((text) => {
      const blockOwnerDeletion = text.endsWith('!');
      return { ...named, uid: text.replace('!', ''), blockOwnerDeletion };
    });
    const owners = ownersOf({ uid: 'own', ownerReferences });
    const shown = owners?.map(({ uid, blocks }) => uid + (blocks ? '!' : ''));
    t.same(shown, expected, uids.join());
  }
  t.equal(ownersOf({}), undefined);
});

t.test('only what is being deleted waits', async (t) => {
  const deletionTimestamp = '2024-01-01T00:00:00Z';
  const rows: readonly [finalizers: string[] | undefined, awaits: number][] = [
    [undefined, AWAITS.nothing],
    [['example.com/hold'], AWAITS.nothing],
    [[ORPHAN_FINALIZER], AWAITS.orphaning],
    [['example.com/hold', FOREGROUND_FINALIZER], AWAITS.dependents],
    [[ORPHAN_FINALIZER, FOREGROUND_FINALIZER], AWAITS.orphaning | AWAITS.dependents],
  ];
  for (const [finalizers, awaits] of rows) {
    t.equal(awaitsOf({ finalizers, deletionTimestamp }), awaits, String(finalizers));
    t.equal(awaitsOf({ finalizers }), AWAITS.nothing);
  }
});
