/** Deletions answer and act in every kind, and pods take their time for it. */
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap, type Members, type TestObject } from '../support/kinds.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { eachServedKind, type ServedKind } from '../support/served-kind.ts';
import { eventOf } from '../support/watch-events.ts';
import type { WatchStream } from '../support/watch-stream.ts';

/** An immediate delete answers with the object; all others with a Status. */
const ANSWERS_WITH_OBJECT: ReadonlySet<string> = new Set(
  [
    ['Pod', 'Service', 'Namespace', 'PersistentVolume', 'PersistentVolumeClaim', 'ServiceAccount'],
    ['ResourceQuota', 'PodTemplate', 'StorageClass', 'CSIDriver', 'CSINode', 'VolumeAttachment'],
    ['PodSecurityPolicy'],
  ].flat(),
);
/** Dependents are orphaned unless the request says otherwise. */
const ORPHANS: ReadonlySet<string> = new Set([
  'batch/v1 Job',
  'batch/v1beta1 CronJob',
  'v1 ReplicationController',
]);
/** They wait for what is in them. */
const CONTAINERS: ReadonlySet<string> = new Set(['Namespace', 'CustomResourceDefinition']);
const PODS = '/api/v1/namespaces/default/pods';
const HOLD = 'example.com/hold';

// All kinds, one after the other.
const server = await sharedServer();
const kinds = await eachServedKind(server);

/** A watch that begins after all that is there. */
async function watchFrom(path: string): Promise<WatchStream> {
  const { resourceVersion } = (await server.get(path)).json.metadata;
  return server.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
}

function checkAnswer(t: Test, kind: ServedKind, made: Answer, deleted: Answer): void {
  const { cases, served } = kind;
  const { name, uid } = made.json.metadata;
  t.equal(deleted.status, 200, deleted.text.slice(0, 300));
  const isHeld = ORPHANS.has(kind.name) || CONTAINERS.has(cases.kind);
  if (isHeld || cases.kind === 'Pod') {
    t.equal(deleted.json.kind, cases.kind, 'the answer is the object');
    t.equal(deleted.json.metadata.uid, uid);
    t.type(deleted.json.metadata.deletionTimestamp, 'string', 'which is terminating');
    if (!CONTAINERS.has(cases.kind)) t.equal(deleted.json.metadata.deletionGracePeriodSeconds, 0);
  } else if (ANSWERS_WITH_OBJECT.has(cases.kind)) {
    t.equal(deleted.text, made.text, 'the answer is the object as it was');
  } else {
    const [group = ''] = served.groupVersion.split('/');
    const details = {
      name,
      ...(served.groupVersion.includes('/') && { group }),
      kind: served.plural,
      uid,
    };
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
    t.equal(deleted.text, `${JSON.stringify(status)}\n`, 'the answer is a Status');
  }
}

/** Until the object is gone, its watches see what a deletion does to it. */
async function checkEvents(
  t: Test,
  kind: ServedKind,
  watch: WatchStream,
  made: Answer,
): Promise<void> {
  const { name, uid, resourceVersion } = made.json.metadata;
  const orphans = ORPHANS.has(kind.name);
  let event = await eventOf(watch, name);
  t.equal(event.type, 'ADDED');
  while (event.object.metadata.resourceVersion !== resourceVersion) {
    event = await eventOf(watch, name);
  }
  event = await eventOf(watch, name);
  if (orphans) {
    t.equal(event.type, 'MODIFIED', 'it waits for its dependents');
    t.same(event.object.metadata.finalizers, ['orphan']);
  }
  const isGraceful = orphans || CONTAINERS.has(kind.cases.kind) || kind.cases.kind === 'Pod';
  if (isGraceful) t.equal(event.type, 'MODIFIED');
  while (event.type === 'MODIFIED' && isGraceful) {
    t.type(event.object.metadata.deletionTimestamp, 'string', 'it is terminating');
    event = await eventOf(watch, name);
  }
  t.equal(event.type, 'DELETED');
  t.equal(event.object.metadata.uid, uid);
  t.ok(
    Number(event.object.metadata.resourceVersion) > Number(made.json.metadata.resourceVersion),
    'with the version of the deletion',
  );
  t.equal((await kind.read(made.json)).status, 404, 'and it is gone');
}

/** Checks the dependents when nobody says what is to become of them. */
async function checkDependent(t: Test, kind: ServedKind): Promise<void> {
  const { apiVersion, kind: kindName } = kind.cases;
  const watch = await watchFrom(CONFIG_MAPS);
  const owner = await kind.create(kind.minimal('owner'));
  t.equal(owner.status, 201, owner.text.slice(0, 300));
  const { name, uid } = owner.json.metadata;
  const ownerReferences = [{ apiVersion, kind: kindName, name, uid }];
  const made = await server.post(CONFIG_MAPS, configMap('dependent', {}, { ownerReferences }));
  t.equal(made.status, 201, made.text);
  t.equal((await eventOf(watch, 'dependent')).type, 'ADDED');
  await server.delete(kind.pathOf(owner.json));
  const event = await eventOf(watch, 'dependent');
  if (ORPHANS.has(kind.name)) {
    t.equal(event.type, 'MODIFIED', 'it loses its owner');
    t.equal(event.object.metadata.ownerReferences, undefined);
    await server.delete(`${CONFIG_MAPS}/dependent`);
    await eventOf(watch, 'dependent');
  } else {
    t.equal(event.type, 'DELETED', 'it follows its owner');
  }
  watch.close();
}

for (const [name, kind] of kinds) {
  t.test(`${name}: delete`, async (t) => {
    const watch = await watchFrom(kind.path);
    const made = await kind.create(kind.minimal('deleted'));
    t.equal(made.status, 201, made.text.slice(0, 300));
    checkAnswer(t, kind, made, await server.delete(kind.pathOf(made.json)));
    await checkEvents(t, kind, watch, made);
    watch.close();
    // An Event owns nothing.
    if (kind.cases.kind !== 'Event') await checkDependent(t, kind);
  });
}

function pod(name: string, spec: Members = {}, metadata: Members = {}): TestObject {
  const containers = [{ name: 'app', image: 'app:1' }];
  return { metadata: { name, ...metadata }, spec: { containers, ...spec } };
}

const SCHEDULED = { nodeName: 'node-1' };
const path = (name: string): string => `${PODS}/${name}`;

async function createPod(t: Test, ...given: Parameters<typeof pod>): Promise<Answer> {
  const made = await server.post(PODS, pod(...given));
  t.equal(made.status, 201, made.text.slice(0, 300));
  return made;
}

/** When the pod is to be gone, in seconds after the deletion began. */
function graceOf(began: number, { json }: Answer): number {
  return Math.round((Date.parse(json.metadata.deletionTimestamp) - began) / 1_000);
}

t.test('a pod that runs nowhere goes at once, but not without a sign', async (t) => {
  const watch = await watchFrom(PODS);
  const made = await createPod(t, 'unscheduled');
  const deleted = await server.delete(path('unscheduled'));
  t.equal(deleted.json.metadata.deletionGracePeriodSeconds, 0);
  t.equal((await server.get(path('unscheduled'))).status, 404);
  const [added, modified, removed] = await watch.take(3);
  t.same([added?.type, modified?.type, removed?.type], ['ADDED', 'MODIFIED', 'DELETED']);
  const sign = modified?.object.metadata;
  t.equal(sign?.deletionTimestamp, deleted.json.metadata.deletionTimestamp);
  t.equal(sign?.deletionGracePeriodSeconds, 0);
  t.equal(
    deleted.json.metadata.resourceVersion,
    sign?.resourceVersion,
    'the answer shows the sign',
  );
  const versions = [made.json.metadata, sign, removed?.object.metadata].map((metadata) =>
    Number(metadata.resourceVersion),
  );
  t.same(
    [...versions].sort((a, b) => a - b),
    versions,
    'versions go up',
  );
  t.equal(new Set(versions).size, 3);
  await createPod(t, 'unscheduled');
  t.equal((await watch.next())?.type, 'ADDED', 'and no other event');
  watch.close();
});

t.test('pods that have ended, or ask for no time, go at once', async (t) => {
  for (const phase of ['Succeeded', 'Failed']) {
    const name = `ended-${phase.toLowerCase()}`;
    const made = await createPod(t, name, SCHEDULED);
    const status = await server.put(`${path(name)}/status`, { ...made.json, status: { phase } });
    t.equal(status.json?.status?.phase, phase, status.text.slice(0, 300));
    t.equal((await server.delete(path(name))).status, 200);
    t.equal((await server.get(path(name))).status, 404, phase);
  }
  await createPod(t, 'hasty', { ...SCHEDULED, terminationGracePeriodSeconds: 0 });
  t.equal((await server.delete(path('hasty'))).status, 200);
  t.equal((await server.get(path('hasty'))).status, 404);
});

t.test('a pod on a node waits; later deletions can only shorten it', async (t) => {
  const watch = await watchFrom(PODS);
  await createPod(t, 'waits', { ...SCHEDULED, terminationGracePeriodSeconds: 600 });
  const deleted = await server.delete(path('waits'));
  t.equal(deleted.status, 200);
  t.equal(deleted.json.kind, 'Pod');
  t.equal(deleted.json.metadata.deletionGracePeriodSeconds, 600, 'what its spec says');
  const began = Date.parse(deleted.json.metadata.deletionTimestamp) - 600_000;
  t.ok(Math.abs(began - Date.now()) < 60_000, 'from now on');
  t.equal((await server.get(path('waits'))).text, deleted.text, 'it is still there');

  for (const query of ['', '?gracePeriodSeconds=600', '?gracePeriodSeconds=601']) {
    const again = await server.delete(`${path('waits')}${query}`);
    t.equal(again.status, 200);
    t.equal(again.text, deleted.text, `unchanged by ${query}`);
  }
  const shorter = await server.delete(`${path('waits')}?gracePeriodSeconds=60`);
  t.equal(shorter.json.metadata.deletionGracePeriodSeconds, 60);
  t.equal(graceOf(began, shorter), 60, 'counted from the first deletion');
  const longer = await server.delete(path('waits'), { gracePeriodSeconds: 61 });
  t.equal(longer.text, shorter.text, 'not longer again');
  const negative = await server.delete(path('waits'), { gracePeriodSeconds: -5 });
  t.equal(negative.json.metadata.deletionGracePeriodSeconds, 1, 'a negative time is a second');
  t.equal(graceOf(began, negative), 1);
  const relabelled = {
    ...negative.json,
    metadata: { ...negative.json.metadata, labels: { a: 'b' } },
  };
  const put = await server.put(path('waits'), relabelled);
  t.equal(put.json?.metadata?.deletionGracePeriodSeconds, 1, 'an update does not end it');

  const killed = await server.delete(path('waits'), { gracePeriodSeconds: 0 });
  t.equal(killed.json.kind, 'Pod');
  t.equal((await server.get(path('waits'))).status, 404, 'no time left');
  const types: string[] = [];
  while (types.at(-1) !== 'DELETED') types.push((await eventOf(watch, 'waits')).type);
  t.same(types, ['ADDED', ...Array(5).fill('MODIFIED'), 'DELETED'], 'nothing else is seen');
  watch.close();
});

t.test('the time of the request comes first, and that of its body before the query', async (t) => {
  for (const [name, query, body, expected] of [
    ['default', '', undefined, 30],
    ['query', '?gracePeriodSeconds=7', undefined, 7],
    ['body', '', { gracePeriodSeconds: 8 }, 8],
    ['both', '?gracePeriodSeconds=7', { gracePeriodSeconds: 9 }, 9],
    ['unsaid', '?gracePeriodSeconds=7', { kind: 'DeleteOptions', apiVersion: 'v1' }, 7],
    ['longer', '?gracePeriodSeconds=100', undefined, 100],
  ] as const) {
    await createPod(t, `grace-${name}`, SCHEDULED);
    const deleted = await server.delete(`${path(`grace-${name}`)}${query}`, body);
    t.equal(deleted.json.metadata.deletionGracePeriodSeconds, expected, name);
    await server.delete(path(`grace-${name}`), { gracePeriodSeconds: 0 });
    t.equal((await server.get(path(`grace-${name}`))).status, 404);
  }
});

t.test('a time that no calendar holds is cut, and harms nothing', async (t) => {
  const seconds = [1e10, 1e12, Number.MAX_SAFE_INTEGER] as const;
  for (const [index, gracePeriodSeconds] of seconds.entries()) {
    for (const [name, spec, body] of [
      [`asked-${index}`, {}, { gracePeriodSeconds }],
      [`own-${index}`, { terminationGracePeriodSeconds: gracePeriodSeconds }, undefined],
    ] as const) {
      await createPod(t, name, { ...SCHEDULED, ...spec });
      const deleted = await server.delete(path(name), body);
      t.equal(deleted.status, 200, `${name}: ${deleted.text.slice(0, 300)}`);
      const { deletionTimestamp } = deleted.json.metadata ?? {};
      t.match(deletionTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'a time as all others');
      const read = await server.get(path(name));
      const put = await server.put(path(name), read.text);
      t.equal(put.text, read.text, `it can be written: ${put.text.slice(0, 300)}`);
      const gone = await server.delete(path(name), { gracePeriodSeconds: 0 });
      t.equal(gone.status, 200, `and be removed: ${gone.text.slice(0, 300)}`);
      t.equal((await server.get(path(name))).status, 404);
    }
  }
});

/** Takes the finalizers from a pod, whatever else is true of it. */
async function release(name: string): Promise<Answer> {
  const { json } = await server.get(path(name));
  const { finalizers: _held, ...metadata } = json.metadata;
  return server.put(path(name), { ...json, metadata });
}

t.test('finalizers hold a pod back, and so does its grace', async (t) => {
  const held = { finalizers: [HOLD] };
  await createPod(t, 'held', SCHEDULED, held);
  await server.delete(path('held'));
  const over = await server.delete(path('held'), { gracePeriodSeconds: 0 });
  t.equal(over.json.metadata.deletionGracePeriodSeconds, 0);
  t.equal((await server.get(path('held'))).text, over.text, 'held when its time is over');
  t.equal((await server.delete(path('held'))).text, over.text, 'and when it is deleted again');
  t.equal((await release('held')).status, 200);
  t.equal((await server.get(path('held'))).status, 404, 'until the finalizer goes');

  await createPod(t, 'released', SCHEDULED, held);
  await server.delete(path('released'));
  const released = await release('released');
  t.equal((await server.get(path('released'))).text, released.text, 'its grace goes on');
  await server.delete(path('released'), { gracePeriodSeconds: 0 });
  t.equal((await server.get(path('released'))).status, 404);

  await createPod(t, 'nowhere', {}, held);
  const deleted = await server.delete(path('nowhere'));
  t.equal(deleted.json.metadata.deletionGracePeriodSeconds, 0, 'nothing else to wait for');
  t.equal((await release('nowhere')).status, 200);
  t.equal((await server.get(path('nowhere'))).status, 404);
});

t.test('a collection of pods: those on nodes wait', async (t) => {
  const labels = { labels: { group: 'all' } };
  const selected = `${PODS}?labelSelector=group%3Dall`;
  const names = async (): Promise<string[]> =>
    (await server.get(selected)).json.items.map(({ metadata }: TestObject) => metadata.name);
  await createPod(t, 'all-1', SCHEDULED, labels);
  await createPod(t, 'all-2', {}, labels);
  await createPod(t, 'all-3', SCHEDULED, labels);
  t.equal((await server.delete(selected)).status, 200);
  t.same(await names(), ['all-1', 'all-3']);
  for (const { metadata } of (await server.get(selected)).json.items) {
    t.equal(metadata.deletionGracePeriodSeconds, 30);
  }
  t.equal((await server.delete(selected, { gracePeriodSeconds: 5 })).status, 200);
  for (const { metadata } of (await server.get(selected)).json.items) {
    t.equal(metadata.deletionGracePeriodSeconds, 5);
  }
  t.equal((await server.delete(`${selected}&gracePeriodSeconds=0`)).status, 200);
  t.same(await names(), []);
});
