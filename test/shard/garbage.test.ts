/**
 * The shard's side of garbage collection: what it says of owners, and how it carries out orders.
 */
import t from 'tap';
import { AdmissionChain } from '../../src/admission/chain.ts';
import type { Proposal } from '../../src/admission/proposal.ts';
import { LEASE } from '../../src/resources/coordination/lease.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { GARBAGE_STEP_MS, OWNERSHIP_PAGE_ENTRIES } from '../../src/limits.ts';
import { Garbage } from '../../src/shard/upkeep/garbage.ts';
import { RestoreCells } from '../../src/replicas/restore-cells.ts';
import { RestoreState } from '../../src/shard/state/restore-state.ts';
import type {
  GarbageOrder,
  OwnedObject,
  ReleasedOwner,
} from '../../src/protocol/upkeep-protocol.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap, kindNamed, minimalObject } from '../support/kinds.ts';
import type { Members, TestObject } from '../support/kinds.ts';
import { admissionContext } from '../support/proposals.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';
import type { ShardSetup } from '../support/shard-under-test.ts';
import { WatchFront } from './watch-model.ts';

class Subject extends ShardUnderTest {
  readonly garbage: Garbage;
  /** The objects that the collector was told to look at again. */
  readonly again: string[] = [];

  constructor(setup: ShardSetup = {}) {
    super({ onOwnership: () => undefined, ...setup });
    this.garbage = new Garbage(this.shard, (keys) => void this.again.push(...keys));
  }

  look(key: string): OwnedObject {
    const [object] = this.garbage.ownedObjects([key]);
    if (!object) throw new Error(`${key} has no owners`);
    return object;
  }

  /** The order to do this to an object as it is now. */
  async collect(key: string, action: Action): Promise<boolean> {
    const { uid, references, restores } = this.look(key);
    return this.collectAs({ key, uid, references, restores, ...action });
  }

  async collectAs(order: Order): Promise<boolean> {
    const orders = [{ restores: 0, ...order }];
    const done = answered<boolean[]>((answer) => this.garbage.collect(orders, answer));
    return (await done).reply[0] === true;
  }
}

/** By default of before any restore. */
type Order = { key: string; uid: string; references: string; restores?: number } & Action;

type Action =
  | { action: 'removeReferences'; owners: string[] }
  | { action: 'delete'; policy: 'Background' | 'Foreground' | 'Orphan'; unblock: boolean };

const REMOVE: Action = { action: 'delete', policy: 'Background', unblock: false };

function ownedBy(...uids: string[]): Members {
  return {
    ownerReferences: uids.map((text) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `owner-${text}`,
      uid: text.replace('!', ''),
      ...(text.endsWith('!') && { blockOwnerDeletion: true }),
    })),
  };
}

const KEY = 'default/x';
const held = (...uids: string[]): Members => ({
  ...ownedBy(...uids),
  finalizers: ['example.com/hold'],
});

t.test('admission sees that it is the collector who writes', async (t) => {
  const seen: string[] = [];
  const validate = ({ operation, user, oldObject }: Proposal): void => {
    if (oldObject !== undefined) seen.push(`${operation} ${user.name}`);
  };
  const plugin = { isOnByDefault: true, concerns: () => true, load: () => ({ validate }) };
  const config = { plugins: ['Seen'], settings: {} };
  const admission = new AdmissionChain(config, { Seen: plugin }, admissionContext());
  const subject = new Subject({ admission });
  await subject.create(configMap('x', {}, ownedBy('u1', 'u2')));
  t.ok(await subject.collect(KEY, { action: 'removeReferences', owners: ['u1'] }));
  t.ok(await subject.collect(KEY, REMOVE));
  const collector = 'system:serviceaccount:cluster-system:generic-garbage-collector';
  t.same(seen, [`UPDATE ${collector}`, `DELETE ${collector}`]);
});

t.test('objects with owners are shown as they are committed', async (t) => {
  const log = new HeldLog();
  const subject = new Subject({ log });
  const { object } = await subject.create(configMap('x', { a: '"uid":"b"' }, ownedBy('u1!', 'u2')));
  await subject.create(configMap('y'));
  const looked = subject.look(KEY);
  t.match(looked, { uid: object.metadata.uid, terminating: false, hasOrphan: false });
  t.match(JSON.parse(looked.references), [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner-u1!', uid: 'u1' },
    { uid: 'u2' },
  ]);
  t.same(subject.garbage.ownedObjects(['default/y', 'default/none']), [null, null]);
  log.hold();
  const updated = subject.update(configMap('x', {}, ownedBy('u3')));
  t.same(subject.look(KEY), looked);
  log.release();
  await updated;
  t.match(JSON.parse(subject.look(KEY).references), [{ uid: 'u3' }]);
  await subject.delete('y', { propagationPolicy: 'Foreground' });
  const [waiting] = subject.garbage.ownedObjects(['default/y']);
  t.match(waiting, { references: '', terminating: true, hasForeground: true, hasOrphan: false });
});

t.test('owners are shown as they are committed', async (t) => {
  const log = new HeldLog();
  const subject = new Subject({ log });
  const { object } = await subject.create(configMap('x', { a: '"uid":"b"' }, ownedBy('u1')));
  const { uid } = object.metadata;
  const state = () => subject.garbage.ownerStates([KEY, 'default/none']);
  t.same(state(), [
    { uid, waiting: false },
    { uid: '', waiting: false },
  ]);
  log.hold();
  const deleted = subject.delete('x');
  t.match(state(), [{ uid }], 'its end is not certain yet');
  log.fail('no space left');
  await t.rejects(deleted);
  t.match(state(), [{ uid }]);
  await subject.delete('x', { propagationPolicy: 'Foreground' });
  t.match(state(), [{ uid, waiting: true }]);
  await subject.delete('x', { propagationPolicy: 'Orphan' });
  t.match(state(), [{ uid, waiting: false }]);
});

t.test('dependents are counted and found', async (t) => {
  const subject = new Subject();
  await subject.create(configMap('x', {}, ownedBy('u1!', 'u2')));
  await subject.create(configMap('y', {}, ownedBy('u1')));
  t.same(subject.garbage.dependentKeys(['u1', 'u2']), [KEY, 'default/y'], 'each once');
  t.match(subject.garbage.dependentCounts(['u2', 'u1', 'u3']), [
    { count: 1, blocking: 0 },
    { count: 2, blocking: 1 },
    { count: 0, blocking: 0 },
  ]);
});

t.test('an order is carried out on what was looked at', async (t) => {
  const subject = new Subject();
  await subject.create(configMap('x', {}, ownedBy('u1', 'u2', 'u3')));
  t.equal(await subject.collect(KEY, { action: 'removeReferences', owners: ['u1', 'u3'] }), true);
  t.match(JSON.parse(subject.look(KEY).references), [{ uid: 'u2' }]);
  t.equal(await subject.collect(KEY, REMOVE), true);
  t.same(subject.keys(), []);
  t.equal(await subject.collectAs({ key: KEY, uid: 'u', references: '', ...REMOVE }), true, 'gone');
});

t.test('what is not as it was looked at stays', async (t) => {
  const subject = new Subject();
  const { object } = await subject.create(configMap('x', {}, held('u1')));
  const { references } = subject.look(KEY);
  const order = { key: KEY, uid: object.metadata.uid as string, references };
  t.equal(
    await subject.collectAs({ ...order, uid: 'another', ...REMOVE }),
    true,
    'not its business',
  );
  for (const owners of [['u1', 'u2'], ['u2'], ['u1!'], []]) {
    await subject.update(configMap('x', {}, held(...owners)));
    t.equal(await subject.collectAs({ ...order, ...REMOVE }), false, owners.join());
  }
  await subject.update(configMap('x', { changed: 'otherwise' }, held('u1')));
  t.equal((await subject.get('x')).object.metadata.deletionTimestamp, undefined);
  t.equal(await subject.collectAs({ ...order, ...REMOVE }), true, 'the same owners');
  t.ok((await subject.get('x')).object.metadata.deletionTimestamp);
  t.equal(await subject.collectAs({ ...order, ...REMOVE }), false, 'it goes already');
});

t.test('what was looked at before a restore has ended is looked at again', async (t) => {
  const cells = new RestoreCells();
  const subject = new Subject({ restores: new RestoreState(cells, undefined) });
  const { garbage } = subject;
  await subject.create(configMap('x', {}, ownedBy('u1', 'u2')));
  const { uid, references, restores } = subject.look(KEY);
  const order = { key: KEY, uid, references, restores, ...REMOVE };
  const orphan = (after: number) =>
    answered<boolean>((answer) => garbage.orphanDependents(['u1'], after, answer));
  const release = (after: number) => {
    const owner = { key: KEY, uid, restores: after };
    return answered<readonly string[]>((answer) => garbage.release([owner], 'orphaning', answer));
  };
  cells.begin();
  t.equal(await subject.collectAs(order), false, 'meanwhile');
  t.equal((await orphan(0)).reply, false);
  t.same((await release(0)).reply, [KEY]);
  const meanwhile = subject.look(KEY);
  cells.end();
  t.equal(await subject.collectAs(order), false, 'what was found before');
  t.equal(await subject.collectAs({ ...order, restores: meanwhile.restores }), false);
  t.equal((await orphan(0)).reply, false);
  t.same((await release(0)).reply, [KEY]);
  t.equal((await orphan(subject.look(KEY).restores)).reply, true);
  t.match(JSON.parse(subject.look(KEY).references), [{ uid: 'u2' }]);
  t.same((await release(1)).reply, []);
  t.equal(await subject.collect(KEY, REMOVE), true);
  t.same(subject.keys(), []);
});

t.test('a change that is on its way is seen, and waited for', async (t) => {
  const log = new HeldLog();
  const subject = new Subject({ log });
  await subject.create(configMap('x', {}, ownedBy('u1')));
  log.hold();
  const updated = subject.update(configMap('x', {}, ownedBy('u2')));
  let isAnswered = false;
  const collected = subject.collect(KEY, REMOVE).finally(() => (isAnswered = true));
  await turns();
  t.equal(isAnswered, false);
  log.release();
  t.equal(await collected, false);
  await updated;
  t.match(JSON.parse(subject.look(KEY).references), [{ uid: 'u2' }], 'and then it is there');
});

t.test('a foreground deletion, and one that unblocks the owners first', async (t) => {
  const subject = new Subject();
  const front = new WatchFront(subject);
  await subject.create(configMap('x', {}, ownedBy('u1!')));
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '101' });
  await subject.collect(KEY, { action: 'delete', policy: 'Foreground', unblock: true });
  const seen = reader.events.map(({ type, object }): unknown[] => {
    const { ownerReferences, deletionTimestamp, finalizers } = (object as TestObject).metadata;
    return [type, ownerReferences[0].blockOwnerDeletion, Boolean(deletionTimestamp), finalizers];
  });
  t.same(seen, [
    ['MODIFIED', false, false, undefined],
    ['MODIFIED', false, true, ['foregroundDeletion']],
  ]);
});

t.test('a failed commit is told', async (t) => {
  const log = new HeldLog();
  const subject = new Subject({ log });
  await subject.create(configMap('x', {}, ownedBy('u1')));
  log.hold();
  const collected = subject.collect(KEY, REMOVE);
  await turns();
  log.fail('no space left');
  await t.rejects(collected, { message: /no space left/ });
  t.same(subject.keys(), [KEY]);
});

t.test('a namespace that may not be deleted is left alone', async (t) => {
  const subject = new Subject({ definition: NAMESPACE });
  const namespace = minimalObject(kindNamed('Namespace'), 'default', {}, ownedBy('u1'));
  await subject.create(namespace);
  t.equal(await subject.collect('default', REMOVE), true);
  t.same(subject.keys(), ['default']);
});

t.test('dependents are orphaned, those on their way too', async (t) => {
  const log = new HeldLog();
  const subject = new Subject({ log });
  await subject.create(configMap('x', {}, ownedBy('u1!', 'u2')));
  await subject.create(configMap('y', {}, ownedBy('u3')));
  log.hold();
  const late = subject.create(configMap('late', {}, ownedBy('u1')));
  const done = answered<boolean>((answer) => subject.garbage.orphanDependents(['u1'], 0, answer));
  await turns();
  log.release();
  await Promise.all([late, done]);
  t.match(JSON.parse(subject.look(KEY).references), [{ uid: 'u2' }]);
  t.equal((await subject.get('late')).object.metadata.ownerReferences, undefined);
  t.match(JSON.parse(subject.look('default/y').references), [{ uid: 'u3' }]);
});

t.test('what waited is let go, with all that nothing else holds', async (t) => {
  const subject = new Subject({ definition: LEASE });
  const lease = (name: string, metadata: Members): TestObject =>
    minimalObject(kindNamed('Lease'), name, {}, metadata);
  const objects: ReleasedOwner[] = [];
  for (const [name, metadata] of [
    ['x', {}],
    ['held', { finalizers: ['example.com/hold'] }],
    ['again', {}],
  ] as const) {
    const { object } = await subject.create(lease(name, metadata));
    await subject.delete(name, { propagationPolicy: 'Foreground' });
    const uid = name === 'again' ? 'of one before' : (object.metadata.uid as string);
    objects.push({ key: `default/${name}`, uid, restores: 0 });
  }
  const release = () =>
    answered<readonly string[]>((answer) => subject.garbage.release(objects, 'dependents', answer));
  await release();
  t.same(subject.keys(), ['default/again', 'default/held']);
  t.same((await subject.get('held')).object.metadata.finalizers, ['example.com/hold']);
  const { length } = subject.versions();
  await release();
  t.equal(subject.versions().length, length, 'once');
});

t.test('all that has owners or waits, page by page', async (t) => {
  const subject = new Subject();
  const count = OWNERSHIP_PAGE_ENTRIES + 5;
  const names = Array.from({ length: count }, (_, at) => `x-${String(at).padStart(6, '0')}`);
  await Promise.all(
    names.map((name, at) =>
      subject.create(configMap(name, {}, at % 100 === 0 ? ownedBy('u') : {})),
    ),
  );
  const last = names.at(-1) ?? '';
  await subject.delete(last, { propagationPolicy: 'Orphan' });
  const first = subject.garbage.ownership('');
  t.same(first.awaiting, []);
  t.equal(first.after, `default/${names[OWNERSHIP_PAGE_ENTRIES]}`);
  const second = subject.garbage.ownership(first.after ?? '');
  t.equal(second.after, undefined);
  t.same(second.awaiting, [`default/${last}`]);
  const owned = names.filter((_name, at) => at % 100 === 0).map((name) => `default/${name}`);
  t.same([...first.owned, ...second.owned], owned);
});

t.test('a step ends after some time, and does one object at least', async (t) => {
  const subject = new Subject();
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await subject.create(configMap(name, {}, ownedBy('u1')));
  const keys = names.map((name) => `default/${name}`);
  const looked = keys.map((key) => subject.look(key));
  let ms = subject.nowMs;
  let msOfEach = GARBAGE_STEP_MS / 2;
  Object.defineProperty(subject, 'nowMs', { get: () => (ms += msOfEach) });
  t.equal(subject.garbage.ownedObjects(keys).length, 2);
  msOfEach = GARBAGE_STEP_MS;
  t.equal(subject.garbage.ownedObjects(keys).length, 1);
  const orders = looked.map(({ uid, references }, index): GarbageOrder => {
    return { key: keys[index] ?? '', uid, references, restores: 0, ...REMOVE };
  });
  const done = answered<boolean[]>((answer) => subject.garbage.collect(orders, answer));
  t.same((await done).reply, [true, false, false, false]);
  t.same(subject.keys(), keys.slice(1));
});
