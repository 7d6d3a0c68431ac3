/** An update keeps, refuses and changes members. */
import t from 'tap';
import { CRON_JOB } from '../../src/resources/batch/cron-job.ts';
import { LEASE } from '../../src/resources/coordination/lease.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { CSI_STORAGE_CAPACITY } from '../../src/resources/storage/csi-storage-capacity.ts';
import { VOLUME_ATTACHMENT } from '../../src/resources/storage/volume-attachment.ts';
import { EncodingCache } from '../../src/shard/representation/encoding-cache.ts';
import { CacheBudget } from '../../src/shard/representation/cache-budget.ts';
import { HeldLog } from '../support/held-log.ts';
import { turns } from '../support/gate.ts';
import { configMap, kindNamed, minimalObject } from '../support/kinds.ts';
import type { Members, TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';
import { WatchFront } from './watch-model.ts';

/** A shard with a ConfigMap of this metadata, at version 101, and the object as it was stored. */
async function withObject(metadata: Members = {}): Promise<[ShardUnderTest, TestObject]> {
  const subject = new ShardUnderTest();
  const { object } = await subject.create(configMap('x', { a: '1' }, metadata));
  return [subject, object];
}

t.test('an update replaces what the client owns', async (t) => {
  const labels = { app: 'web' };
  const [subject, stored] = await withObject({ labels, annotations: { note: 'old' } });
  subject.nowMs += 60_000;
  const { code, object } = await subject.update(configMap('x', { b: '2' }));
  t.equal(code, 200);
  t.same(object.data, { b: '2' });
  t.equal(object.metadata.labels, undefined);
  t.equal(object.metadata.annotations, undefined);
  t.equal(object.metadata.resourceVersion, '102');
  t.same((await subject.get('x')).object, object, 'the answer is what is stored');
  const { uid, creationTimestamp } = stored.metadata;
  t.match(object.metadata, { uid, creationTimestamp, namespace: 'default', name: 'x' });
});

t.test('what was kept of the replaced version in other forms is given back', async (t) => {
  const room = new CacheBudget();
  const subject = new ShardUnderTest({ encodings: new EncodingCache(room) });
  const { shard } = subject;
  const inBinary = shard.representations.of({ form: { encoding: 'protobuf' } });
  const ask = (rv: number) => inBinary.document(shard.wireAt(rv), rv);
  await subject.create(configMap('x', { a: '1' }));
  ask(101);
  const { taken } = room;
  t.ok(taken > 0);
  await subject.update(configMap('x', { a: '2' }));
  t.equal(room.taken, 0);
  ask(102);
  t.equal(room.taken, taken);
  await subject.delete('x');
  t.equal(room.taken, 0);
});

t.test('members of metadata that the server keeps', async (t) => {
  const kept: [string, Members, Members][] = [
    ['creationTimestamp', { creationTimestamp: '1999-01-01T00:00:00Z' }, {}],
    ['generation', { generation: 7 }, { generation: undefined }],
    ['selfLink', { selfLink: '/x' }, { selfLink: undefined }],
    ['clusterName', { clusterName: 'x' }, { clusterName: undefined }],
    ['an empty uid', { uid: '' }, {}],
    ['an empty namespace', { namespace: '' }, { namespace: 'default' }],
    ['resourceVersion 0', { resourceVersion: '0' }, {}],
  ];
  for (const [what, sent, expected] of kept) {
    const [subject, { metadata }] = await withObject();
    const changed = configMap('x', { b: '2' }, sent);
    const { object } = await subject.update(changed, { namespace: 'default' });
    const { uid, creationTimestamp } = metadata;
    t.match(object.metadata, { uid, creationTimestamp, ...expected }, what);
    for (const [member, value] of Object.entries(expected)) t.equal(object.metadata[member], value);
  }
});

t.test('what an update may not say', async (t) => {
  const immutable = /field is immutable/;
  const rows: [Members, number, string | RegExp][] = [
    [{ name: 'y' }, 400, 'the name of the object (y) does not match the name on the URL (x)'],
    [
      { namespace: 'other' },
      400,
      'the namespace of the object (other) does not match the namespace on the request (default)',
    ],
    [
      { uid: 'wrong' },
      409,
      /StorageError: invalid object, .*precondition: wrong, UID in object meta: [-0-9a-f]{36}$/,
    ],
    [
      { resourceVersion: '100' },
      409,
      'Operation cannot be fulfilled on configmaps "x": the object has been modified; ' +
        'please apply your changes to the latest version and try again',
    ],
    [{ resourceVersion: '999' }, 409, /has been modified/],
    [{ resourceVersion: 'abc' }, 400, /abc/],
    [{ deletionTimestamp: '2024-01-01T00:00:00Z' }, 422, immutable],
    [{ deletionGracePeriodSeconds: 5 }, 422, immutable],
    [{ labels: { 'bad key!': 'x' } }, 422, /metadata\.labels/],
    [{ finalizers: ['unknown'] }, 422, /metadata\.finalizers\[0\]/],
  ];
  const [subject, stored] = await withObject();
  for (const [metadata, code, message] of rows) {
    const sent = configMap('x', { b: '2' }, metadata);
    const options = { name: 'x', namespace: 'default' };
    const status = await refusal(subject.update(sent, options));
    t.match(status, { code, message }, JSON.stringify(metadata));
  }
  t.same((await subject.get('x')).object, stored, 'and nothing has changed');
  t.same(subject.versions(), [101]);
});

t.test('a version in the update must be the stored one', async (t) => {
  const [subject, stored] = await withObject();
  const first = { ...stored, data: { a: '2' } };
  t.equal((await subject.update(first)).code, 200);
  const status = await refusal(subject.update({ ...stored, data: { a: '3' } }));
  t.match(status, { code: 409, reason: 'Conflict', details: { name: 'x', kind: 'configmaps' } });
  t.equal((await subject.get('x')).object.data.a, '2');
});

t.test('of two that race with the same version one wins', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  const { object } = await subject.create(configMap('x'));
  log.hold();
  const first = subject.update({ ...object, data: { by: 'first' } });
  const second = refusal(subject.update({ ...object, data: { by: 'second' } }));
  log.release();
  t.match(await second, { code: 409 });
  t.equal((await first).object.data.by, 'first');
});

t.test('an update that changes nothing writes nothing', async (t) => {
  const [subject, stored] = await withObject({ labels: { a: '1', b: '2' } });
  const front = new WatchFront(subject);
  const [, reader] = front.open({ namespace: '', app: '', resourceVersion: '101' });
  for (const same of [stored, configMap('x', { a: '1' }, { labels: { b: '2', a: '1' } })]) {
    const { code, object } = await subject.update(same);
    t.equal(code, 200);
    t.same(object, stored);
  }
  t.same(subject.versions(), [101]);
  t.same(reader.events, []);
});

t.test('what equals a write in flight is answered with its outcome', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  await subject.create(configMap('x'));
  log.hold();
  const first = subject.update(configMap('x', { a: '2' }));
  let answered = false;
  const same = subject.update(configMap('x', { a: '2' })).finally(() => (answered = true));
  await turns();
  t.equal(answered, false, 'not before it is on the disk');
  log.release();
  t.equal((await first).object.metadata.resourceVersion, '102');
  t.equal((await same).object.metadata.resourceVersion, '102');
  t.same(subject.versions(), [101, 102]);
});

t.test('what equals a write that fails is not acknowledged', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  await subject.create(configMap('x'));
  log.hold();
  const first = subject.update(configMap('x', { a: '2' }));
  const same = subject.update(configMap('x', { a: '2' }));
  log.fail('no space left');
  t.equal((await refusal(first)).code, 500);
  t.equal((await refusal(same)).code, 500);
  t.same((await subject.get('x')).object.data, { key: 'value' });
});

t.test('after a failed commit writes go on from what is stored', async (t) => {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  const { object } = await subject.create(configMap('x'));
  log.hold();
  const lost = [
    subject.update(configMap('x', { a: '2' })),
    subject.update(configMap('x', { a: '3' })),
    subject.create(configMap('y')),
  ];
  log.fail('no space left');
  for (const write of lost) {
    t.match(await refusal(write), { code: 500, message: /no space left/ });
  }
  t.same(subject.keys(), ['default/x']);
  t.equal((await subject.update({ ...object, data: { a: '4' } })).code, 200, 'at its old version');
  t.equal((await subject.create(configMap('y'))).code, 201);
});

t.test('which kinds need a version, and which create by PUT', async (t) => {
  const rows = [
    [LEASE, 'Lease', false, true],
    [CSI_STORAGE_CAPACITY, 'CSIStorageCapacity', false, false],
    [VOLUME_ATTACHMENT, 'VolumeAttachment', false, false],
    [CRON_JOB, 'CronJob', true, false],
  ] as const;
  for (const [definition, kind, unconditional, putCreates] of rows) {
    const subject = new ShardUnderTest({ definition });
    const object = (metadata: Members = {}) => minimalObject(kindNamed(kind), 'x', {}, metadata);
    const { plural, group } = definition;
    const put = subject.update(object({ resourceVersion: '55' }));
    if (putCreates) t.equal((await put).code, 201, `PUT creates ${plural}`);
    else t.match(await refusal(put), { code: 404, reason: 'NotFound' }, `PUT of no ${plural}`);
    if (!putCreates) await subject.create(object());
    const changed = object({ labels: { a: 'b' } });
    const update = subject.update(changed);
    if (unconditional) {
      t.equal((await update).code, 200);
    } else {
      t.match(await refusal(update), {
        code: 422,
        reason: 'Invalid',
        message: /metadata\.resourceVersion: Invalid value: 0x0: must be specified for an update/,
        details: { group, kind: plural },
      });
    }
    const withVersion = object({
      labels: { c: 'd' },
      resourceVersion: unconditional ? '102' : '101',
    });
    t.equal((await subject.update(withVersion)).code, 200, `${plural} with its version`);
  }
});

t.test('a PUT that creates', async (t) => {
  const subject = new ShardUnderTest({ definition: LEASE });
  const lease = (metadata: Members = {}) => minimalObject(kindNamed('Lease'), 'x', {}, metadata);
  t.match(await refusal(subject.update(lease({ uid: 'some' }))), { code: 409, reason: 'Conflict' });
  const elsewhere = subject.update(lease(), { namespace: 'none' });
  t.match(await refusal(elsewhere), { code: 404, message: 'namespaces "none" not found' });
  const tried = await subject.update(lease(), { dryRun: true });
  t.equal(tried.code, 201);
  t.same(subject.keys(), []);
  const { code, object } = await subject.update(lease());
  t.equal(code, 201);
  t.match(object.metadata, { resourceVersion: '101', uid: /^[-0-9a-f]{36}$/ });
});

t.test('generation counts changes of the spec', async (t) => {
  const subject = new ShardUnderTest({ definition: CRON_JOB });
  const job = minimalObject(kindNamed('CronJob'), 'x');
  const generationOf = async (object: TestObject): Promise<number> =>
    (await subject.update(object)).object.metadata.generation;
  await subject.create(job);
  t.equal(await generationOf({ ...job, metadata: { name: 'x', labels: { a: 'b' } } }), 1);
  t.equal(await generationOf({ ...job, spec: { ...job.spec, suspend: true } }), 2);
  t.equal(await generationOf({ ...job, spec: { ...job.spec, suspend: true } }), 2);
});

t.test('status is written through its own path, and only there', async (t) => {
  const subject = new ShardUnderTest({ definition: CRON_JOB });
  const job = minimalObject(kindNamed('CronJob'), 'x');
  const status = { lastScheduleTime: '2024-01-01T00:00:00Z' };
  const created = await subject.create({ ...job, status });
  t.same(created.object.status, {}, 'create drops it');
  const main = await subject.update({ ...job, status });
  t.same(main.object.status, {}, 'so does an update');
  const changed = { ...job, status, spec: { ...job.spec, suspend: true } };
  const { object } = await subject.update(changed, { subresource: 'status' });
  t.same(object.status, status);
  t.equal(object.spec.suspend, false, 'and the status path leaves the spec');
  t.equal(object.metadata.generation, 1);
  t.same((await subject.update(job)).object.status, status, 'an update keeps the status');
  const missing = subject.update({ ...job, metadata: { name: 'none' } }, { subresource: 'status' });
  t.equal((await refusal(missing)).code, 404);
});

t.test('the status of a VolumeAttachment comes without its metadata', async (t) => {
  const subject = new ShardUnderTest({ definition: VOLUME_ATTACHMENT });
  const attachment = minimalObject(kindNamed('VolumeAttachment'), 'x', {}, { labels: { a: '1' } });
  await subject.create(attachment);
  const sent = {
    ...attachment,
    metadata: { name: 'x', resourceVersion: '101', labels: { b: '2' }, finalizers: ['a.b/c'] },
    status: { attached: true },
  };
  const { object } = await subject.update(sent, { subresource: 'status' });
  t.equal(object.status.attached, true);
  t.same(object.metadata.labels, { a: '1' });
  t.equal(object.metadata.finalizers, undefined);
});

t.test('a dry run answers as the real one and writes nothing', async (t) => {
  const [subject, stored] = await withObject();
  const { code, object } = await subject.update(configMap('x', { b: '2' }), { dryRun: true });
  t.equal(code, 200);
  t.same(object.data, { b: '2' });
  t.same((await subject.get('x')).object, stored);
  t.same(subject.versions(), [101]);
});

t.test('the phase of a namespace follows its deletion', async (t) => {
  const subject = new ShardUnderTest({ definition: NAMESPACE });
  const namespace = (phase: string) => ({ metadata: { name: 'x' }, status: { phase } });
  await subject.create(namespace('Active'));
  const put = (phase: string) => subject.update(namespace(phase), { subresource: 'status' });
  t.equal((await put('Active')).code, 200);
  t.match(await refusal(put('Terminating')), { code: 422, message: /status\.Phase/ });
  await subject.delete('x');
  t.match(await refusal(put('Active')), { code: 422, message: /status\.Phase/ });
});
