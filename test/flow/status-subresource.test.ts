/** `/status` of the kinds that have one: who may change what through which path. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { KINDS, kindNamed, minimalObject, objectPath, typePath } from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { sendPatch } from '../support/send-patch.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const [attachment, cronJob] = [kindNamed('VolumeAttachment'), kindNamed('CronJob')];

/** One status and one spec that differ from the minimal object's. */
const CHANGES: Readonly<Record<string, { status: Members; spec: Members }>> = {
  CronJob: {
    status: { lastScheduleTime: '2024-05-01T08:15:00Z' },
    spec: { suspend: true },
  },
  PersistentVolume: {
    status: { phase: 'Released', message: 'claim is gone', reason: 'ClaimDeleted' },
    spec: { persistentVolumeReclaimPolicy: 'Delete' },
  },
  VolumeAttachment: {
    status: { attached: true, attachmentMetadata: { device: '/dev/sdb' } },
    spec: { nodeName: 'node-2' },
  },
};

for (const [kindName, { status, spec }] of Object.entries(CHANGES)) {
  const kind = kindNamed(kindName);
  const path = objectPath(kind, 'with-status');

  t.test(`${kindName}: status is written through /status only`, async (t) => {
    const withStatus = minimalObject(kind, 'with-status', { status });
    const created = await server.post(typePath(kind), withStatus);
    t.equal(created.status, 201, created.text.slice(0, 300));
    t.notMatch(created.json.status, status, 'create drops it');
    t.equal((await server.get(`${path}/status`)).text, created.text, 'get status is the object');

    const ignored = await server.put(path, { ...created.json, status });
    t.same(ignored.json.status, created.json.status, 'an update of the object keeps it');

    const put = await server.put(`${path}/status`, {
      ...ignored.json,
      status,
      spec: { ...ignored.json.spec, ...spec },
    });
    t.equal(put.status, 200, put.text.slice(0, 300));
    t.match(put.json.status, status, 'an update of /status writes it');
    t.same(put.json.spec, created.json.spec, 'and nothing of spec');
    t.equal((await server.get(path)).text, put.text);

    const stale = await server.put(`${path}/status`, ignored.json);
    expectFailure(t, stale, { code: 409, reason: 'Conflict' });

    const relabelled = structuredClone(put.json);
    relabelled.metadata.annotations = { a: 'b' };
    delete relabelled.status;
    const kept = await server.put(path, relabelled);
    t.equal(kept.status, 200, kept.text.slice(0, 300));
    t.match(kept.json.status, status, 'a later update of the object keeps it too');
    for (const method of ['POST', 'DELETE']) {
      const answer = await server.request(method, `${path}/status`, '{}');
      expectFailure(t, answer, { code: 405, reason: 'MethodNotAllowed' });
    }
    expectFailure(t, await server.get(`${objectPath(kind, 'none')}/status`), {
      code: 404,
      reason: 'NotFound',
      message: `${kind.resource} "none" not found`,
    });
  });
}

t.test('kinds without a status have no such path', async (t) => {
  const without = KINDS.filter((kind) => !kind.hasStatus && kind.kind !== 'Namespace');
  for (const kind of without) {
    await server.post(typePath(kind), minimalObject(kind, 'no-status'));
    expectFailure(t, await server.get(`${objectPath(kind, 'no-status')}/status`), {
      code: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
      details: {},
    });
  }
});

t.test('a PersistentVolume goes through its phases', async (t) => {
  const kind = kindNamed('PersistentVolume');
  const created = await server.post(typePath(kind), minimalObject(kind, 'phases'));
  t.equal(created.json.status.phase, 'Pending', 'the first phase');
  for (const phase of ['Available', 'Bound', 'Released', 'Failed']) {
    const path = `${objectPath(kind, 'phases')}/status`;
    const object = (await server.get(path)).json;
    const answer = await server.put(path, { ...object, status: { phase } });
    t.equal(answer.json.status.phase, phase);
  }
});

t.test('a status that says when its object ends', async (t) => {
  const deletionTimestamp = '2030-01-01T00:00:00Z';
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const pods = '/api/v1/namespaces/default/pods';
  const pod = await server.post(pods, { metadata: { name: 'lives' }, spec });
  const merge = (path: string, metadata: object) =>
    sendPatch(server, `${path}/status`, 'merge', { metadata });
  const kept = await merge(`${pods}/lives`, { deletionTimestamp });
  t.equal(kept.text, pod.text, 'through that of a pod nobody says so');
  const driver = await server.post(typePath(attachment), minimalObject(attachment, 'lives'));
  const same = await merge(objectPath(attachment, 'lives'), { deletionTimestamp });
  t.equal(same.text, driver.text, 'nor where no metadata is written');
  const more = { deletionTimestamp, deletionGracePeriodSeconds: 10 };
  expectFailure(t, await merge(`${pods}/lives`, more), {
    code: 422,
    message: /is invalid: metadata\.deletionGracePeriodSeconds: Invalid value: 10: field is immut/,
  });
  await server.post(typePath(cronJob), minimalObject(cronJob, 'lives'));
  expectFailure(t, await merge(objectPath(cronJob, 'lives'), { deletionTimestamp }), {
    code: 422,
    message: /metadata\.deletionTimestamp: Invalid value: .*: field is immutable$/,
  });
});
