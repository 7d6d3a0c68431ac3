/**
 * A shard on a log that a server of the other dialect has written shows what it would show if it
 * had written all of it itself: before the log is translated, and after.
 */
import t from 'tap';
import type { Test } from 'tap';
import { SECRET } from '../../../src/resources/core/secret.ts';
import { ContinueTokens } from '../../../src/shard/state/continue-token.ts';
import { translateRecord } from '../../../src/shard/log/translate-record.ts';
import { MemoryStore } from '../../../src/storage/memory-store.ts';
import type { TypeLog } from '../../../src/storage/store.ts';
import type { TestObject } from '../../support/kinds.ts';
import { kindRuntime, ShardUnderTest } from '../../support/shard-under-test.ts';
import { refusal } from '../../support/thrown-status.ts';
import { WatchFront } from '../watch-model.ts';

const NAMESPACES = ['cluster-system', 'default', 'kube-system', 'zone'];
const SECRETS = kindRuntime(SECRET);

function newShard(setup: ConstructorParameters<typeof ShardUnderTest>[0]): ShardUnderTest {
  const subject = new ShardUnderTest({ definition: SECRET, ...setup });
  for (const name of NAMESPACES) subject.setNamespace(name, 'Active');
  return subject;
}

function secret(namespace: string, name: string, type: string, labels: object): TestObject {
  const annotations = { 'kubernetes.io/a': 'cluster.io', 'cluster.io/a': 'kubernetes.io' };
  return { metadata: { name, namespace, labels, annotations }, type, data: { a: 'YQ==' } };
}

/** Writes, changes and deletes in both spellings of the same namespace and of others. */
async function written(): Promise<ShardUnderTest> {
  const subject = newShard({});
  for (const namespace of NAMESPACES) {
    const create = (name: string, type: string, labels: object) =>
      subject.create(secret(namespace, name, type, labels), { manager: 'client', namespace });
    await create('a', 'cluster.io/custom', { 'topology.cluster.io/zone': 'a' });
    await create('b', 'kubernetes.io/custom', { between: 'b', 'kubernetes.io/os': 'c' });
    await create('c', 'Opaque', {});
  }
  for (const namespace of NAMESPACES) {
    const changed = secret(namespace, 'b', 'kubernetes.io/custom', { 'cluster.io/os': 'c' });
    await subject.update(changed, { manager: 'kubectl', namespace });
    await subject.delete('c', { namespace });
  }
  return subject;
}

/** The log as the other server would have written it. */
async function translated({ log }: ShardUnderTest): Promise<TypeLog> {
  const other = new MemoryStore().openLog('other');
  const entries: { rv: number; value: Uint8Array }[] = [];
  log.scan(0, (rv, value) => {
    entries.push({ rv, value: Buffer.from(translateRecord(SECRETS, value)) });
    return true;
  });
  await other.append(entries);
  return other;
}

function bytesOf(log: TypeLog): string[] {
  const records: string[] = [];
  log.scan(0, (rv, value) => {
    records.push(`${rv} ${Buffer.from(value).toString('base64')}`);
    return true;
  });
  return records;
}

/** All that clients can see of a shard. */
async function shown(subject: ShardUnderTest): Promise<object> {
  const { shard } = subject;
  const lastRv = shard.pipeline.appliedRv;
  const exact: TestObject[] = [];
  const watches: TestObject[] = [];
  const front = new WatchFront(subject);
  for (let rv = shard.history.horizon() || 101; rv <= lastRv; rv++) {
    const resourceVersion = String(rv);
    exact.push(await subject.list({ resourceVersion, resourceVersionMatch: 'Exact' }));
    const [id, reader] = front.open({ namespace: '', app: '', resourceVersion });
    while (reader.channel === undefined) front.more(id);
    watches.push(reader.events);
  }
  const lists: TestObject[] = [];
  for (const namespace of NAMESPACES) lists.push(await subject.list({ namespace }));
  for (const fieldSelector of ['type=cluster.io/custom', 'type=kubernetes.io/custom']) {
    lists.push(await subject.list({ fieldSelector }));
  }
  lists.push(await subject.list({ labelSelector: 'topology.cluster.io/zone=a' }));
  const got = await Promise.all(NAMESPACES.map((namespace) => subject.get('b', namespace)));
  return { keys: subject.keys(), lists, exact, watches, got: got.map(({ text }) => text) };
}

async function sameShown(t: Test, subject: ShardUnderTest, expected: object, when: string) {
  t.strictSame(JSON.stringify(await shown(subject)), JSON.stringify(expected), when);
}

t.test('a log of the other dialect shows what its own would show, and becomes it', async (t) => {
  const original = await written();
  const expected = await shown(original);
  const log = await translated(original);
  t.ok(
    bytesOf(log).every((record, at) => record !== bytesOf(original.log)[at]),
    'all are changed',
  );

  const { clock } = original;
  const subject = newShard({ log, clock, isUntranslated: true });
  await sameShown(t, subject, expected, 'before');
  const count = await subject.shard.translation?.run();
  t.equal(count, subject.versions().length);
  await sameShown(t, subject, expected, 'after');
  t.strictSame(bytesOf(log), bytesOf(original.log), 'byte for byte');
  await sameShown(
    t,
    newShard({ log, clock }),
    expected,
    'after a restart that knows of no other dialect',
  );
});

t.test('namespaces that have each other’s name in the other dialect change places', async (t) => {
  const original = await written();
  const log = await translated(original);
  const keys = newShard({ log }).keys();
  t.equal(keys.length, original.keys().length, 'none takes the place of another');
  const subject = newShard({ log, isUntranslated: true });
  const uidOf = async (one: ShardUnderTest, namespace: string): Promise<string> =>
    (await one.get('a', namespace)).object.metadata.uid;
  for (const namespace of NAMESPACES) {
    t.equal(await uidOf(subject, namespace), await uidOf(original, namespace), namespace);
  }
  t.not(await uidOf(original, 'cluster-system'), await uidOf(original, 'kube-system'));
});

t.test('it is written to meanwhile, and compacted', async (t) => {
  const original = await written();
  const log = await translated(original);
  const { clock } = original;
  const subject = newShard({ log, clock, isUntranslated: true, historyMs: 0 });
  const { shard } = subject;
  shard.history.start();
  t.teardown(() => shard.history.stop());
  const run = shard.translation?.run();
  const changed = secret('cluster-system', 'a', 'cluster.io/custom', { 'cluster.io/os': 'd' });
  const update = await subject.update(changed, { namespace: 'cluster-system' });
  t.equal(update.code, 200);
  const same = await subject.update(update.object, { namespace: 'cluster-system' });
  t.equal(same.text, update.text);
  const other = await subject.get('b', 'kube-system');
  const unchanged = await subject.update(other.object, { namespace: 'kube-system' });
  t.equal(unchanged.text, other.text, 'what changes nothing of a translated one writes nothing');
  await run;
  subject.nowMs += 1;
  while (subject.versions().length > subject.keys().length) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await shard.history.stop();
  const before = JSON.stringify(await subject.list());
  t.equal(
    JSON.stringify(await newShard({ log, clock }).list()),
    before,
    'as the next start finds it',
  );
});

t.test('a token of the other dialect is refused: its pages have another order', async (t) => {
  const subject = await written();
  const log = await translated(subject);
  const { clock } = subject;
  const now = newShard({ log, clock, isUntranslated: true });
  const { metadata } = await subject.list({ limit: 2 });
  t.equal((await now.list({ limit: 2, continue: metadata.continue })).items.length, 2, 'its own');
  const tokens = new ContinueTokens('key', 'secrets', 'k8s.io');
  const token = { rv: now.shard.pipeline.appliedRv, start: 'kube-system/b', timeMs: now.nowMs };
  for (const [issued, namespace] of [
    ['', ''],
    ['kube-system/', 'cluster-system'],
    ['default/', 'default'],
  ] as const) {
    const text = tokens.issue({ ...token, start: `${issued}b` }, issued);
    const status = await refusal(now.list({ namespace, continue: text }));
    t.match(status, { code: 410, reason: 'Expired' }, namespace);
    t.match(status.message, /must start a new list/);
    t.equal(status.metadata.continue, undefined);
  }
  const wrong = tokens.issue(token, 'kube-system/');
  const status = await refusal(now.list({ namespace: 'kube-system', continue: wrong }));
  t.equal(status.code, 400, 'one of another collection');
});

t.test('a damaged record is told of at the start, as in any log', async (t) => {
  const log = await translated(await written());
  await log.append([{ rv: 1_000, value: Buffer.from([1, 16, 0, 0, 9, 9]) }]);
  t.throws(() => newShard({ log, isUntranslated: true }), { name: 'StoreError' });
});
