import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { OPERATION } from '../../src/storage/record.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { startDouble, wireTo } from '../support/etcd/start-double.ts';
import { findEtcd, NO_ETCD } from '../support/etcd/find-etcd.ts';
import { startRealEtcd } from '../support/etcd/real-etcd.ts';
import { dropViewMark, viewRevision, writeViewMark } from '../../src/journal/view-mark.ts';
import { encodeGroup } from '../../src/journal/group.ts';
import { RANGE_OBJECTS } from '../../src/journal/limits.ts';
import { ViewProgress } from '../../src/journal/view-progress.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { HeldLog } from '../support/held-log.ts';
import { entry, ServerUnderTest } from '../support/journal-under-test.ts';

type StartEtcd = (t: Test) => Promise<readonly string[]>;

function testJournal(name: string, start: StartEtcd): void {
  void t.test(`${name}: others see what the owner writes, in its order`, async (t) => {
    const servers = await start(t);
    const owner = new ServerUnderTest(t, servers);
    const own = await owner.openOwned(t, 'configmaps');
    const follower = new ServerUnderTest(t, servers);
    const followed = await follower.open(t, 'configmaps');
    await own.append(entry(1, 'ns/a'), entry(2, 'ns/b'));
    await own.append(entry(3, 'ns/a', OPERATION.modified), entry(4, 'ns/b', OPERATION.deleted));
    await own.append(entry(5, 'ns/c'), entry(6, 'ns/c', OPERATION.modified));
    t.same(own.versions, [1, 2, 3, 4, 5, 6]);
    t.same(await followed.newestVersions(), [1, 2, 3, 4, 5, 6]);
    t.same(follower.broken, []);
  });

  void t.test(`${name}: a view that is made later has the same history`, async (t) => {
    const servers = await start(t);
    const owner = new ServerUnderTest(t, servers);
    const own = await owner.openOwned(t, 'configmaps');
    await own.append(entry(1, 'ns/a'), entry(2, 'ns/b'));
    await own.append(entry(3, 'ns/a', OPERATION.modified), entry(4, 'ns/b', OPERATION.deleted));
    const later = await new ServerUnderTest(t, servers).open(t, 'configmaps');
    t.same(later.versions, [1, 2, 3, 4]);
    t.equal(later.view.horizon(), 0);
    const { revision } = await owner.client.range({ key: owner.keys.version });
    await own.append(entry(7, 'ns/d'));
    await owner.client.compact(revision);
    const newest = await new ServerUnderTest(t, servers).open(t, 'configmaps');
    t.same(newest.versions, [3, 7], 'what was replaced before the compaction is gone');
    t.equal(newest.view.horizon(), 4, 'and history begins there');
  });

  void t.test(`${name}: a view of an earlier run gets what it lacks`, async (t) => {
    const servers = await start(t);
    const owner = new ServerUnderTest(t, servers);
    const own = await owner.openOwned(t, 'configmaps');
    await own.append(entry(1, 'ns/a'), entry(2, 'ns/b'));
    const before = await new ServerUnderTest(t, servers).open(t, 'configmaps');
    t.same(await before.newestVersions(), [1, 2]);
    await own.append(entry(3, 'ns/a', OPERATION.modified));
    const revision = own.journaled.viewRevision();
    t.equal(revision, owner.ownership.seen);
    // The view is ahead of what is known of it.
    t.same(await before.newestVersions(), [1, 2, 3]);
    before.journaled.close();
    await own.append(entry(4, 'ns/b', OPERATION.deleted));
    await owner.client.compact(revision);
    const later = new ServerUnderTest(t, servers, revision - 1);
    await t.rejects(later.open(t, 'configmaps', before.view), { name: 'RejoinError' });
    const again = new ServerUnderTest(t, servers, revision);
    const after = await again.open(t, 'configmaps', before.view);
    t.same(after.versions, [1, 2, 3, 4], 'with a history that etcd has forgotten');
    await own.append(entry(5, 'ns/c'));
    t.same(await after.newestVersions(), [1, 2, 3, 4, 5]);
    t.ok(after.journaled.viewRevision() >= owner.ownership.seen);
    const { view } = await new ServerUnderTest(t, servers).open(t, 'other');
    await view.append([entry(1, 'ns/a')]);
    await t.rejects(again.open(t, 'configmaps', view), { message: /version 3 is missing/ });
  });

  void t.test(`${name}: a mark counts for the etcd alone that it was made of`, async (t) => {
    const [servers, others] = [await start(t), await start(t)];
    const owner = new ServerUnderTest(t, servers);
    const own = await owner.openOwned(t, 'configmaps');
    await own.append(entry(1, 'ns/a'));
    const folder = temporaryFolder();
    const mark = { folder, cluster: 'one', client: owner.client, keys: owner.keys };
    t.equal(await viewRevision(mark), 0, 'there is none yet');
    const revision = own.journaled.viewRevision();
    await writeViewMark(mark, revision);
    await own.append(entry(2, 'ns/b'));
    t.equal(await viewRevision(mark), revision);
    t.equal(await viewRevision({ ...mark, cluster: 'another' }), 0);
    const { client } = new ServerUnderTest(t, others);
    t.equal(await viewRevision({ ...mark, client }), 0, 'it has not come so far');
    const put = { put: { key: owner.keys.version, value: Buffer.from('7') } };
    while ((await client.txn({ success: [put] })).revision <= revision);
    t.equal(await viewRevision({ ...mark, client }), 0, 'it had something else then');
    await owner.client.compact(revision + 1);
    t.equal(await viewRevision(mark), 0, 'what followed is forgotten');
    await writeViewMark(mark, own.journaled.viewRevision());
    dropViewMark(folder);
    t.equal(await viewRevision(mark), 0);
    writeFileSync(join(folder, 'mark.json'), '{');
    t.equal(await viewRevision(mark), 0, 'a damaged one is none');
  });

  void t.test(`${name}: who owned before writes nothing more`, async (t) => {
    const servers = await start(t);
    const before = new ServerUnderTest(t, servers);
    const old = await before.openOwned(t, 'configmaps');
    await old.append(entry(1, 'ns/a'));
    const after = new ServerUnderTest(t, servers);
    const taken = await after.openOwned(t, 'configmaps');
    await t.rejects(old.append(entry(2, 'ns/b')), { message: /does not own the types/ });
    t.equal(before.ownership.fence, 0, 'and it knows');
    await taken.append(entry(3, 'ns/c'));
    t.same(taken.versions, [1, 3]);
    t.same(old.versions, [1]);
  });
}

function testPassing(name: string, start: StartEtcd): void {
  void t.test(`${name}: what is created and deleted in one group holds nobody up`, async (t) => {
    const servers = await start(t);
    const owner = new ServerUnderTest(t, servers);
    const own = await owner.openOwned(t, 'configmaps');
    const followed = await new ServerUnderTest(t, servers).open(t, 'configmaps');
    await own.append(entry(1, 'ns/a'), entry(2, 'ns/a', OPERATION.deleted));
    await own.append(
      entry(3, 'ns/b'),
      entry(4, 'ns/c'),
      entry(5, 'ns/c', OPERATION.modified),
      entry(6, 'ns/c', OPERATION.deleted),
    );
    await own.append(
      entry(7, 'ns/b', OPERATION.deleted),
      entry(8, 'ns/b'),
      entry(9, 'ns/b', OPERATION.deleted),
    );
    t.same(await followed.newestVersions(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
}

void t.test('history begins after a deletion, though an empty group came after it', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const owner = new ServerUnderTest(t, [wire.url]);
  const own = await owner.openOwned(t, 'configmaps');
  await own.append(entry(1, 'ns/a'), entry(2, 'ns/b'));
  await own.append(entry(5, 'ns/b', OPERATION.deleted));
  const { key } = { key: owner.keys.group('configmaps') };
  const before = await owner.client.range({ key });
  wire.loseRequest();
  await own.append(entry(7, 'ns/c'));
  const [group] = (await owner.client.range({ key })).kvs;
  t.ok((group?.version ?? 0) > (before.kvs[0]?.version ?? 0) + 1, 'an empty group stands between');
  await owner.client.compact((group?.modRevision ?? 0) - 1);
  const later = await new ServerUnderTest(t, [url]).open(t, 'configmaps');
  t.same(later.versions, [1, 7]);
  t.equal(later.view.horizon(), 5);
});

const ofDouble: StartEtcd = async (t) => [(await startDouble(t)).url];
testJournal('the double', ofDouble);
testPassing('the double', ofDouble);

const program = findEtcd();
if (program === undefined) {
  void t.test('a real etcd', { skip: NO_ETCD }, async () => {});
} else {
  const ofReal: StartEtcd = async (t) => {
    const etcd = await startRealEtcd(program);
    t.teardown(() => etcd.close());
    return etcd.servers;
  };
  testJournal('a real etcd', ofReal);
  testPassing('a real etcd', ofReal);
}

t.test('a write whose answer is lost is made once, and answered', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const owner = new ServerUnderTest(t, [wire.url]);
  const own = await owner.openOwned(t, 'configmaps');
  await own.append(entry(1, 'ns/a'));
  wire.loseAnswer();
  await own.append(entry(2, 'ns/b'));
  wire.loseRequest();
  await own.append(entry(3, 'ns/c'));
  await own.append(entry(4, 'ns/d'));
  const other = await new ServerUnderTest(t, [url]).open(t, 'configmaps');
  t.same(own.versions, [1, 2, 3, 4]);
  t.same(other.versions, [1, 2, 3, 4]);
});

t.test('what is in doubt for long is refused, and taken when it is found', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const owner = new ServerUnderTest(t, [wire.url]);
  const own = await owner.openOwned(t, 'configmaps');
  wire.hold('to-client');
  const write = own.append(entry(1, 'ns/a'));
  await t.rejects(write, { name: 'InDoubtError' });
  t.same(own.versions, []);
  t.equal(own.journaled.isNewest, false, 'nobody knows what is the newest');
  t.ok(own.journaled.refusal() instanceof StatusError);
  wire.release();
  await own.journaled.whenNewest(0);
  t.same(own.versions, [1]);
  await own.append(entry(2, 'ns/b'));
  t.same((await new ServerUnderTest(t, [url]).open(t, 'configmaps')).versions, [1, 2]);
});

t.test('nobody is told of a version above what is in doubt', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const owner = new ServerUnderTest(t, [wire.url]);
  const own = await owner.openOwned(t, 'configmaps');
  owner.clock.start(9);
  owner.clock.extend(1_000);
  wire.hold('to-client');
  const write = own.append(entry(5, 'ns/a'), entry(7, 'ns/b'));
  await t.rejects(write, { name: 'InDoubtError' });
  t.equal(own.journaled.clock.current(), 4, 'by a list, or by a bookmark');
  t.equal(owner.versions.safeRv(), 4, 'by groups of other types');
  wire.release();
  await own.journaled.whenNewest(0);
  t.same(own.versions, [5, 7]);
  t.same([own.journaled.clock.current(), owner.versions.safeRv()], [9, 9]);
});

t.test('nor above what it may have written before another server owned', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  const before = new ServerUnderTest(t, [wire.url]);
  const old = await before.openOwned(t, 'configmaps');
  before.clock.start(9);
  before.clock.extend(1_000);
  wire.hold('to-client');
  const write = old.append(entry(5, 'ns/a'));
  const after = new ServerUnderTest(t, [url]);
  const followed = await after.open(t, 'configmaps');
  while (followed.versions.length === 0) await followed.newestVersions();
  await after.takeOwnership();
  wire.cut();
  wire.release();
  await t.rejects(write, { name: 'InDoubtError' });
  t.same(old.versions, []);
  t.equal(old.journaled.clock.current(), 4);
});

t.test('a thread says how far its views are as long as it has types', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  await own.append(entry(1, 'ns/a'));
  const told = async (count: number): Promise<number> => {
    while (owner.progress.length < count) await new Promise((next) => setTimeout(next, 50));
    return owner.progress[count - 1] ?? 0;
  };
  t.ok((await told(1)) >= owner.ownership.seen);
  own.journaled.close();
  const seen = owner.progress.length;
  await new Promise((next) => setTimeout(next, 1_200));
  t.same(
    owner.progress.slice(seen).filter((revision) => !Number.isFinite(revision)),
    [],
  );
});

t.test('an owner whose view lacks a group of etcd begins anew', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  await own.append(entry(1, 'ns/a'));
  const key = owner.keys.group('configmaps');
  const turn = owner.keys.turn('configmaps');
  const { value } = encodeGroup([entry(2, 'ns/a', OPERATION.deleted)], 2);
  await owner.client.txn({ success: [{ put: { key, value } }, { delete: { key: turn } }] });
  await t.rejects(own.append(entry(3, 'ns/b')), { message: /is not the one known/ });
  t.match(owner.broken, [{ message: /the last group of configmaps in etcd is not the one known/ }]);
});

t.test('a server that is not told all of a group begins anew', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  const follower = new ServerUnderTest(t, [url]);
  await follower.open(t, 'configmaps');
  const key = owner.keys.group('configmaps');
  const { value } = encodeGroup([entry(1, 'ns/a')], 1);
  await owner.client.txn({ success: [{ put: { key, value } }] });
  while (follower.broken.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.match(follower.broken, [{ message: /not tell all of the group of configmaps at revision \d/ }]);
  t.same(own.versions, []);
});

t.test('views tell how many of the objects they have read with which they begin', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  const other = await owner.open(t, 'secrets');
  await other.journaled.own(owner.ownership.fence);
  const count = RANGE_OBJECTS + 100;
  for (let rv = 0; rv < count; rv += 100) {
    await own.append(
      ...Array.from({ length: 100 }, (_, at) => entry(rv + at + 1, `ns/${rv + at}`)),
    );
  }
  await other.append(entry(count + 1, 'ns/a'));
  t.same(owner.objects, { read: 0, of: 0 }, 'there were none');
  const { revision } = await owner.client.range({ key: owner.keys.version });
  await owner.client.compact(revision);
  const follower = new ServerUnderTest(t, [url]);
  await follower.open(t, 'configmaps');
  t.same(follower.objects, { read: count, of: count }, 'of all parts');
  await follower.open(t, 'secrets');
  t.same(follower.objects, { read: count + 1, of: count + 1 }, 'of all types');
});

t.test('what is read once more counts once', (t) => {
  const progress = new ViewProgress(ViewProgress.shared(2));
  const [one, other] = [progress.join(), progress.join()].map((thread) => thread.begin());
  one?.answered(500, 700);
  other?.answered(10, 10);
  one?.answered(100, 700);
  t.same(progress.objects(), { read: 610, of: 710 });
  one?.forget();
  t.same(progress.objects(), { read: 10, of: 10 });
  one?.answered(500, 800);
  t.same(progress.objects(), { read: 510, of: 810 });
  t.end();
});

t.test('a server whose view takes nothing begins anew', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const view = new HeldLog();
  const own = await owner.openOwned(t, 'configmaps', view);
  view.hold();
  const write = own.append(entry(1, 'ns/a'));
  while (view.appends.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  view.fail('the disk is full');
  await t.rejects(write, { message: 'the disk is full' });
  t.match(owner.broken, [{ message: 'the disk is full' }]);
});

t.test('an object that etcd does not take is refused in its words', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  t.throws(() => own.journaled.log.checkRoom(1_536 * 1_024), {
    message: 'etcdserver: request is too large',
  });
  t.doesNotThrow(() => own.journaled.log.checkRoom(1_400 * 1_024));
});
