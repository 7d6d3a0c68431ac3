/** A user's manifests go in, every change is seen, and all of it survives a crash. */
import t from 'tap';
import { KINDS, collectionPath, manifestText, objectPath, typePath } from '../support/kinds.ts';
import type { KindUnderTest } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const NAMESPACE = 'shop';
/** The owner in one of them is not there: the garbage collector would remove its dependent. */
const args = [
  '--controllers',
  '*,-garbage-collector,-serviceaccount,-root-ca-cert-publisher,-pvc-protection,-pv-protection',
];
const YAML = { 'content-type': 'application/yaml' };

function nameIn(text: string): string {
  return /^ {2}name: (\S+)$/m.exec(text)?.[1] ?? '';
}

function pathOf(kind: KindUnderTest): string {
  return objectPath(kind, nameIn(manifestText(kind)), NAMESPACE);
}

async function bodies(server: Server): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const kind of KINDS) entries.push([kind.kind, (await server.get(pathOf(kind))).text]);
  return Object.fromEntries(entries);
}

t.test('manifests go in as YAML, watches see them, and they survive a crash', async (t) => {
  const server = await startServer({ test: t, args });
  const watches = new Map(
    await Promise.all(
      KINDS.map(async (kind) => {
        const { json } = await server.get(collectionPath(kind));
        const from = json.metadata.resourceVersion;
        const path = `${collectionPath(kind)}?watch=true&resourceVersion=${from}`;
        return [kind.kind, await server.watch(path)] as const;
      }),
    ),
  );

  for (const kind of KINDS) {
    const answer = await server.post(typePath(kind, NAMESPACE), manifestText(kind), YAML);
    t.equal(answer.status, 201, `${kind.kind} is created: ${answer.text.slice(0, 400)}`);
    t.match(answer.json, { kind: kind.kind, apiVersion: kind.apiVersion });
    t.equal((await server.get(pathOf(kind))).text, answer.text, 'get gives what create answered');
    const event = await watches.get(kind.kind)?.next();
    t.equal(event?.type, 'ADDED');
    t.equal(`{"type":"ADDED","object":${answer.text.trimEnd()}}`, event?.raw, 'event bytes');
  }

  t.comment('a label on each: seen as MODIFIED');
  for (const kind of KINDS) {
    const object = (await server.get(pathOf(kind))).json;
    object.metadata.labels = { ...object.metadata.labels, stage: 'two' };
    const answer = await server.put(pathOf(kind), object);
    t.equal(answer.status, 200, `${kind.kind} is updated: ${answer.text.slice(0, 400)}`);
    const event = await watches.get(kind.kind)?.next();
    t.equal(event?.type, 'MODIFIED');
    t.equal(`{"type":"MODIFIED","object":${answer.text.trimEnd()}}`, event?.raw, 'event bytes');
  }

  const before = await bodies(server);
  await server.kill();
  await server.restart();
  t.same(await bodies(server), before, 'every body is the same, byte for byte');

  t.comment('versions go on from where they were');
  const seen = Math.max(
    ...Object.values(before).map((text) => Number(JSON.parse(text).metadata.resourceVersion)),
  );
  const created = await server.post('/api/v1/namespaces/shop/configmaps', {
    metadata: { name: 'after' },
  });
  t.ok(Number(created.json.metadata.resourceVersion) > seen, 'a new version is above all seen');
});

t.test('what users wrote is what they read', async (t) => {
  const server = await startServer({ test: t, args });
  for (const kind of KINDS) {
    const { status, text } = await server.post(typePath(kind, NAMESPACE), manifestText(kind), YAML);
    t.equal(status, 201, text.slice(0, 400));
  }
  const read = Object.fromEntries(
    Object.entries(await bodies(server)).map(([kind, text]) => [kind, JSON.parse(text)]),
  );
  t.equal(read['ConfigMap'].data['nginx.conf'].split('\n').length, 9, 'block text keeps lines');
  t.equal(read['ConfigMap'].data.folded, 'one long line that is folded here');
  t.equal(read['ConfigMap'].data.empty, '');
  t.match(read['ConfigMap'].metadata.annotations, {
    'example.com/reviewed-by': 'René & Åsa <ops@example.com>',
  });
  t.same(read['Secret'].data, {
    username: 'Y2hlY2tvdXQ=',
    password: Buffer.from('correct horse battery staple').toString('base64'),
    'endpoint.yaml': Buffer.from('url: https://payments.example.com/v2\ntimeout: 30s\n').toString(
      'base64',
    ),
  });
  t.notOk('stringData' in read['Secret'], 'stringData is never returned');
  t.equal(read['PersistentVolume'].spec.capacity.storage, '10Gi', 'quantities are canonical');
  t.equal(read['PersistentVolume'].status.phase, 'Pending');
  t.match(read['CronJob'].spec, {
    suspend: false,
    concurrencyPolicy: 'Forbid',
    successfulJobsHistoryLimit: 5,
    failedJobsHistoryLimit: 1,
  });
  const pod = read['CronJob'].spec.jobTemplate.spec.template.spec;
  t.equal(pod.containers[0].args[0].split('\n').length, 3);
  t.equal(pod.containers[0].resources.requests.cpu, '250m');
  t.equal(read['CSIStorageCapacity'].capacity, '1500G');
  t.same(read['ControllerRevision'].data.spec.template.spec, {
    terminationGracePeriodSeconds: 10,
    weights: [1, 2.5, -3, 1000],
    note: 'tabs\tand "quotes" and ünïcödé \u{1F680}',
    nothing: null,
  });
  t.equal(read['Lease'].spec.renewTime, '2024-05-01T08:16:00.123456Z');
  t.equal(read['Namespace'].status.phase, 'Active');
  t.equal(read['Namespace'].metadata.labels['cost-centre'], '4711', 'a quoted number is text');
  for (const [kind, object] of Object.entries(read)) {
    t.match(object.metadata.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/, kind);
    t.match(object.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, kind);
  }
});
