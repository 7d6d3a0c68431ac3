/** The state machine of deletion. */
import t from 'tap';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { CRON_JOB } from '../../src/resources/batch/cron-job.ts';
import { STORAGE_CLASS } from '../../src/resources/storage/storage-class.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap, kindNamed, minimalObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';
import { brief, WatchFront } from './watch-model.ts';

const HELD = { finalizers: ['example.com/hold'] };
const NOW = '2024-01-01T00:00:00Z';

function watched(definition = CONFIG_MAP): { subject: ShardUnderTest; types: () => string[] } {
  const subject = new ShardUnderTest({ definition });
  const front = new WatchFront(subject);
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '' });
  return { subject, types: () => reader.events.splice(0).map(({ type }) => type) };
}

t.test('without finalizers the object goes at once, and a Status says so', async (t) => {
  const { subject, types } = watched();
  const { object } = await subject.create(configMap('x'));
  const { code, text } = await subject.delete('x');
  t.equal(code, 200);
  t.equal(
    text,
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",' +
      `"details":{"name":"x","kind":"configmaps","uid":"${object.metadata.uid}"}}\n`,
  );
  t.same(types(), ['ADDED', 'DELETED']);
  t.same(subject.keys(), []);
  t.match(await refusal(subject.get('x')), { code: 404, reason: 'NotFound' });
  const missing = { code: 404, message: 'configmaps "x" not found' };
  t.match(await refusal(subject.delete('x')), missing);
});

t.test('some kinds answer with the object in its last state', async (t) => {
  const { subject } = watched(STORAGE_CLASS);
  const created = await subject.create(minimalObject(kindNamed('StorageClass'), 'x'));
  const { code, object } = await subject.delete('x');
  t.equal(code, 200);
  t.same(object, created.object, 'at its last version');
});

t.test('with finalizers it is marked, and goes with the last of them', async (t) => {
  const { subject, types } = watched();
  await subject.create(configMap('x', {}, HELD));
  const marked = await subject.delete('x');
  t.equal(marked.code, 200);
  t.match(marked.object.metadata, {
    deletionTimestamp: NOW,
    deletionGracePeriodSeconds: 0,
    resourceVersion: '102',
    finalizers: HELD.finalizers,
  });
  t.same(types(), ['ADDED', 'MODIFIED']);

  subject.nowMs += 60_000;
  const again = await subject.delete('x');
  t.equal(again.code, 200);
  t.same(again.object, marked.object, 'a second delete changes nothing');
  t.same(types(), []);
  const name = 'configmaps "x" already exists';
  t.match(await refusal(subject.create(configMap('x'))), {
    code: 409,
    reason: 'AlreadyExists',
    message: `object is being deleted: ${name}`,
  });

  const kept = await subject.update(configMap('x', { a: '1' }, HELD));
  t.equal(kept.object.metadata.deletionTimestamp, NOW, 'an update keeps the mark');
  t.same(types(), ['MODIFIED']);
  const last = await subject.update(configMap('x', { a: '2' }));
  t.equal(last.code, 200);
  t.equal(last.object.metadata.resourceVersion, '103', 'the version before');
  t.same(last.object.data, { a: '2' });
  t.same(types(), ['DELETED'], 'and no MODIFIED');
  t.same(subject.keys(), []);
});

t.test('the watch of a removal shows the last state, at the version of the deletion', async (t) => {
  const subject = new ShardUnderTest();
  await subject.create(configMap('x', { mark: 'm' }, HELD));
  await subject.delete('x');
  await subject.update(configMap('x', { mark: 'n' }));
  const front = new WatchFront(subject);
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '102' });
  t.same(brief(reader.events), ['DELETED default/x 103  m']);
});

t.test('a terminating object gets no new finalizers, and loses some', async (t) => {
  const { subject } = watched();
  const finalizers = ['example.com/a', 'example.com/b'];
  await subject.create(configMap('x', {}, { finalizers }));
  await subject.delete('x');
  const more = configMap('x', {}, { finalizers: [...finalizers, 'example.com/c'] });
  const status = await refusal(subject.update(more));
  t.match(status, { code: 422, reason: 'Invalid' });
  t.match(
    status.message,
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being ' +
      'deleted, found new finalizers []string{"example.com/c"}',
  );
  await subject.update(configMap('x', {}, { finalizers: ['example.com/b'] }));
  t.same(subject.keys(), ['default/x']);
  await subject.update(configMap('x'));
  t.same(subject.keys(), []);
});

t.test('the mark counts as a new generation', async (t) => {
  const { subject } = watched(CRON_JOB);
  const job = minimalObject(kindNamed('CronJob'), 'x', {}, HELD);
  t.equal((await subject.create(job)).object.metadata.generation, 1);
  t.equal((await subject.delete('x')).object.metadata.generation, 2);
  t.equal((await subject.delete('x')).object.metadata.generation, 2);
});

t.test('a deletion is built on what is being written', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  log.hold();
  const writes = [
    subject.create(configMap('x')),
    subject.update(configMap('x', { a: '1' })),
    subject.delete('x'),
  ];
  const refused = [refusal(subject.update(configMap('x'))), refusal(subject.delete('x'))];
  writes.push(subject.create(configMap('x', { b: '2' })));
  t.same(subject.keys(), [], 'nobody sees any of it yet');
  log.release();
  for (const one of refused) t.match(await one, { code: 404 }, 'it was as good as gone');
  t.same(
    (await Promise.all(writes)).map(({ code }) => code),
    [201, 200, 200, 201],
  );
  t.same((await subject.get('x')).object.data, { b: '2' });
  t.same(subject.versions(), [101, 102, 103, 104]);
});

t.test('preconditions', async (t) => {
  const { subject } = watched();
  const { metadata } = (await subject.create(configMap('x'))).object;
  const remove = (preconditions: object) => subject.delete('x', {}, { preconditions });
  const prefix = 'Operation cannot be fulfilled on ConfigMap "x": ';
  const byUid = await refusal(remove({ uid: 'wrong' }));
  t.match(byUid, { code: 409, reason: 'Conflict', details: { name: 'x', kind: 'ConfigMap' } });
  t.equal(
    byUid.message,
    `${prefix}the UID in the precondition (wrong) does not match the UID in record ` +
      `(${metadata.uid}). The object might have been deleted and then recreated`,
  );
  t.equal(
    (await refusal(remove({ uid: metadata.uid, resourceVersion: '7' }))).message,
    `${prefix}the ResourceVersion in the precondition (7) does not match the ResourceVersion ` +
      'in record (101). The object might have been modified',
  );
  t.same(subject.keys(), ['default/x']);
  for (const empty of [{ uid: '' }, { resourceVersion: '' }]) {
    t.match(await refusal(remove(empty)), { code: 409 }, 'an empty one is one too');
  }
  const { resourceVersion, uid } = metadata;
  t.equal((await remove({ uid, resourceVersion })).code, 200);
});

t.test('a dry run answers as the real one and changes nothing', async (t) => {
  const { subject, types } = watched();
  await subject.create(configMap('x'));
  await subject.create(configMap('held', {}, HELD));
  types();
  t.equal((await subject.delete('x', { dryRun: true })).object.status, 'Success');
  t.equal((await subject.delete('x', {}, { dryRun: ['All'] })).object.status, 'Success');
  const marked = await subject.delete('held', { dryRun: true });
  t.equal(marked.object.metadata.deletionTimestamp, NOW);
  t.same(types(), []);
  t.same(subject.keys(), ['default/held', 'default/x']);
  t.equal((await subject.get('held')).object.metadata.deletionTimestamp, undefined);
});

t.test('options that are refused', async (t) => {
  const { subject } = watched();
  await subject.create(configMap('x'));
  const rows: [unknown, number, string][] = [
    [{ propagationPolicy: 'Later' }, 422, 'propagationPolicy: Unsupported value: "Later"'],
    [
      { propagationPolicy: 'Orphan', orphanDependents: false },
      422,
      'orphanDependents and deletionPropagation cannot be both set',
    ],
    [{ dryRun: ['Some'] }, 422, 'dryRun: Unsupported value: []string{"Some"}'],
    [
      { dryRun: ['Some'], propagationPolicy: 'Later' },
      422,
      '"nil", dryRun: Unsupported value: []string{"Some"}',
    ],
    [{ kind: 'Pod', apiVersion: 'v1' }, 500, 'no kind "Pod" is registered'],
    [{ apiVersion: 'a/b/c' }, 500, 'unexpected GroupVersion string: a/b/c'],
    ['text', 500, "couldn't get version/kind"],
  ];
  for (const [body, code, message] of rows) {
    const status = await refusal(subject.delete('x', {}, body));
    t.match(status, { code, message }, JSON.stringify(body));
  }
  const query = await refusal(subject.delete('x', { propagationPolicy: 'Later' }));
  t.equal(query.code, 422);
  t.same(subject.keys(), ['default/x'], 'and nothing was deleted');
  const both = subject.delete('x', { propagationPolicy: 'Later' }, { kind: 'DeleteOptions' });
  t.equal((await refusal(both)).code, 422, 'a body that says nothing of it');
});

t.test('a namespace is held by the finalizers of its spec', async (t) => {
  const { subject, types } = watched(NAMESPACE);
  const namespace = (name: string) => ({ metadata: { name } });
  await subject.create(namespace('x'));
  const { object } = await subject.delete('x');
  t.same(object.status, { phase: 'Terminating' });
  t.equal(object.metadata.deletionTimestamp, NOW);
  t.same(object.spec.finalizers, ['cluster']);
  t.same(types(), ['ADDED', 'MODIFIED']);
  const kept = await subject.update({ ...namespace('x'), spec: { finalizers: [] } });
  t.same(kept.object.spec.finalizers, ['cluster'], 'which an update does not remove');
  for (const name of ['default', 'cluster-system', 'cluster-public']) {
    await subject.create(namespace(name));
    t.match(await refusal(subject.delete(name)), {
      code: 403,
      reason: 'Forbidden',
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  }
});

t.test('on a disk that is nearly full deletions go on, and all else fails', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  await subject.create(configMap('x'));
  const { object } = await subject.create(configMap('held', {}, HELD));
  log.isNearlyFull = true;
  const full = { code: 500, message: /could not commit the write: the disk is nearly full/ };
  t.match(await refusal(subject.create(configMap('y'))), full);
  t.match(await refusal(subject.update({ ...object, data: { a: 'b' } })), full);
  t.match(subject.shard.failures.newest, { message: 'the disk is nearly full' });
  await subject.delete('x');
  const marked = await subject.delete('held');
  await subject.update({
    ...marked.object,
    metadata: { ...marked.object.metadata, finalizers: [] },
  });
  t.same(subject.keys(), []);
  log.isNearlyFull = false;
  t.equal((await subject.create(configMap('y'))).code, 201);
});
