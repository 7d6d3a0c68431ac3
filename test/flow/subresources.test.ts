/** Subresources of every kind: what they serve, and what of an object each of them changes. */
import t, { type Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import type { TestObject } from '../support/kinds.ts';
import { RESOURCES } from '../support/resources.ts';
import { servedPath, servedResource } from '../support/served-resource.ts';
import { statusChange } from '../support/status-changes.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { eachServedKind, type ServedKind } from '../support/served-kind.ts';

const NOT_SERVED = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
} as const;
const NOT_ALLOWED = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
} as const;

// All kinds, one after the other.
const server = await sharedServer();
const kinds = await eachServedKind(server);

function kindNamed(name: string): ServedKind {
  const found = kinds.get(name);
  if (found === undefined) throw new Error(`no file of ${name}`);
  return found;
}

async function made(t: Test, kind: ServedKind, name: string): Promise<Answer> {
  const answer = await kind.create(kind.minimal(name));
  t.equal(answer.status, 201, answer.text.slice(0, 300));
  return answer;
}

const METHODS = {
  get: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  create: 'POST',
  delete: 'DELETE',
} as const;
/** Proxies and the like are served by method. */
const CONNECT_METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  put: 'PUT',
  patch: 'PATCH',
  post: 'POST',
  delete: 'DELETE',
};
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

/** HTTP methods of a row. */
function methodsOf(verbs: string): ReadonlySet<string> {
  const names: Readonly<Record<string, string>> = verbs.startsWith('connect:')
    ? CONNECT_METHODS
    : METHODS;
  const given = verbs.replace('connect:', '').split(',');
  return new Set(given.flatMap((verb) => names[verb] ?? []));
}

for (const [groupVersion, resource, , , verbs] of RESOURCES) {
  const [plural = '', subresource] = resource.split('/');
  if (subresource === undefined) continue;
  t.test(`${groupVersion} ${resource}: the verbs that are served, and no others`, async (t) => {
    const row = RESOURCES.find(([version, name]) => version === groupVersion && name === plural);
    const kindName = row?.[2] ?? '';
    const served = servedResource(groupVersion, kindName);
    // A version without a file of its own shows the objects of another.
    const kind =
      kinds.get(`${groupVersion} ${kindName}`) ??
      [...kinds.values()].find(({ cases }) => cases.kind === kindName);
    if (kind === undefined) {
      t.fail(`no file of ${kindName}`);
      return;
    }
    const object = await made(t, kind, `verbs-${subresource}`);
    const item = `${servedPath(served)}/${encodeURIComponent(object.json.metadata.name)}`;
    const methods = methodsOf(verbs);
    for (const method of Object.values(METHODS)) {
      if (methods.has(method)) continue;
      expectFailure(t, await server.request(method, `${item}/${subresource}`), NOT_ALLOWED);
    }
    const isObject = !verbs.startsWith('connect:') && subresource !== 'log';
    if (isObject && methods.has('GET')) {
      const shown = await server.get(`${item}/${subresource}`);
      t.equal(shown.status, 200, shown.text.slice(0, 300));
      const same = await server.put(`${item}/${subresource}`, shown.text);
      t.equal(same.text, shown.text, 'written as it was read');
      const patched = await server.request('PATCH', `${item}/${subresource}`, '{}', MERGE_PATCH);
      t.equal(patched.text, shown.text, 'patched with nothing');
      const missing = await server.get(`${servedPath(served)}/none/${subresource}`);
      expectFailure(t, missing, { code: 404, reason: 'NotFound', message: /"none" not found$/ });
    }
    if (methods.has('POST') && isObject) {
      const { status, text } = await server.post(`${item}/${subresource}`, '[]');
      t.equal(status, 400, `takes bodies, but not any: ${text.slice(0, 300)}`);
    }
    for (const more of [`${subresource}/more`, `${subresource}x`]) {
      if (more === 'proxy/more') continue;
      expectFailure(t, await server.get(`${item}/${more}`), NOT_SERVED);
    }
    await kind.remove(object.json);
  });
}

t.test('a Scale that is not there is told of in the words of the kind', async (t) => {
  for (const [path, group, kind] of [
    ['/apis/apps/v1/namespaces/default/deployments', 'apps', 'deployments/scale'],
    ['/apis/apps/v1/namespaces/default/statefulsets', 'apps', 'statefulsets'],
    [
      '/api/v1/namespaces/default/replicationcontrollers',
      'autoscaling',
      'replicationcontrollers/scale',
    ],
  ] as const) {
    const { json } = await server.get(`${path}/none/scale`);
    t.match(json, { code: 404, details: { name: 'none', group, kind } });
  }
});

t.test('a kind has no subresources that are not in the table', async (t) => {
  const all = [
    ['status', 'scale', 'finalize', 'approval', 'ephemeralcontainers', 'binding', 'log'],
    ['none', '__proto__', 'constructor'],
  ].flat();
  for (const kind of kinds.values()) {
    const object = await made(t, kind, 'without');
    for (const subresource of all) {
      if (kind.served.subresources.has(subresource)) continue;
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const path = `${kind.pathOf(object.json)}/${subresource}`;
        const { json } = await server.request(method, path);
        t.match(json, { code: 404, message: NOT_SERVED.message }, `${method} ${path}`);
      }
    }
    await kind.remove(object.json);
  }
});

for (const [name, kind] of kinds) {
  if (!kind.serves('status', 'update')) continue;
  t.test(`${name}: the status and the rest of an object do not touch each other`, async (t) => {
    const object = await made(t, kind, 'apart');
    const path = kind.pathOf(object.json);
    const change = statusChange(kind);
    const rename = { metadata: { name: object.json.metadata.name } };
    const withStatus = kind.document('apart', object.json, change, rename);
    const ignored = await server.put(path, withStatus);
    t.equal(ignored.text, object.text, 'a write of the object ignores its status');

    const { full } = kind.cases;
    const spec = full['spec'] ?? (full['webhooks'] as unknown);
    const other = kind.document('apart', withStatus, { spec }, rename);
    const written = await server.put(`${path}/status`, other);
    t.equal(written.status, 200, `the status is written: ${written.text.slice(0, 300)}`);
    t.match(written.json.status, change['status'] as object, 'as it was sent');
    t.strictSame(written.json.spec, object.json.spec, 'and nothing else is');
    t.equal(written.json.metadata.generation, object.json.metadata.generation, 'no new generation');
    t.not(written.json.metadata.resourceVersion, object.json.metadata.resourceVersion);
    t.equal((await server.get(`${path}/status`)).text, written.text);
    t.equal((await kind.read(object.json)).text, written.text);
    const stale = await server.put(`${path}/status`, other);
    expectFailure(t, stale, { code: 409, reason: 'Conflict' });

    const bare = { ...written.json };
    delete bare.status;
    const kept = await server.put(path, bare);
    t.equal(kept.text, written.text, 'a write of the object without its status keeps it');
    await kind.remove(object.json);
  });
}

/** Job, CronJob and CSIDriver are left out: it is not known of them. */
const WITH_GENERATION: ReadonlySet<string> = new Set(
  [
    ['Deployment', 'ReplicaSet', 'ReplicationController', 'DaemonSet', 'StatefulSet', 'Ingress'],
    ['IngressClass', 'NetworkPolicy', 'PodDisruptionBudget', 'FlowSchema', 'EndpointSlice'],
    ['PriorityLevelConfiguration', 'CustomResourceDefinition', 'PriorityClass'],
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  ].flat(),
);
const WITHOUT_GENERATION: ReadonlySet<string> = new Set(
  [
    ['ConfigMap', 'Secret', 'Namespace', 'Node', 'Pod', 'Service', 'Endpoints', 'Event'],
    ['PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'VolumeAttachment', 'CSINode'],
    ['CSIStorageCapacity', 'Lease', 'ControllerRevision', 'ServiceAccount', 'Role', 'RoleBinding'],
    ['ClusterRole', 'ClusterRoleBinding'],
  ].flat(),
);

t.test('generations count the writes of what is asked for', async (t) => {
  for (const [name, kind] of kinds) {
    const object = await made(t, kind, 'generations');
    const { generation, name: objectName } = object.json.metadata;
    const { kind: kindName, updates = [] } = kind.cases;
    if (WITH_GENERATION.has(kindName)) t.equal(generation, 1, `${name} begins with 1`);
    if (WITHOUT_GENERATION.has(kindName)) t.equal(generation, undefined, `${name} has none`);
    const row = updates.find(
      ([, first, change, causes]) =>
        Object.keys(first).length === 0 && causes.length === 0 && change['spec'] !== undefined,
    );
    if (row !== undefined) {
      const rename = { metadata: { name: objectName } };
      const changed = kind.document('generations', object.json, row[2], rename);
      const answer = await server.put(kind.pathOf(object.json), changed);
      t.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 300)}`);
      const changedTo = answer.json.metadata?.generation;
      if (WITH_GENERATION.has(kindName)) t.equal(changedTo, 2, `${name}: one more for its spec`);
      if (WITHOUT_GENERATION.has(kindName)) t.equal(changedTo, undefined, `${name}: still none`);
    }
    await kind.remove(object.json);
  }
});

const SELECTOR = {
  matchLabels: { app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['b', 'a'] },
    { key: 'old', operator: 'DoesNotExist' },
    { key: 'env', operator: 'NotIn', values: ['dev', 'a'] },
    { key: 'zone', operator: 'Exists' },
  ],
};
const SELECTOR_TEXT = 'app=web,env notin (a,dev),!old,tier in (a,b),zone';
const LABELS = { app: 'web', tier: 'a', zone: 'z' };

const SCALED = [
  ['apps/v1 Deployment', { selector: SELECTOR }, SELECTOR_TEXT],
  ['apps/v1 ReplicaSet', { selector: SELECTOR }, SELECTOR_TEXT],
  ['apps/v1 StatefulSet', { selector: SELECTOR }, SELECTOR_TEXT],
  ['v1 ReplicationController', { selector: { tier: 'a', app: 'web' } }, 'app=web,tier=a'],
] as const;

for (const [name, spec, selector] of SCALED) {
  t.test(`${name}: scale`, async (t) => {
    const kind = kindNamed(name);
    const labels = { template: { metadata: { labels: LABELS } } };
    const document = kind.minimal('scaled', { spec: { replicas: 3, ...labels, ...spec } });
    const object = await kind.create(document);
    t.equal(object.status, 201, object.text.slice(0, 500));
    const path = `${kind.pathOf(object.json)}/scale`;
    const { uid, resourceVersion, creationTimestamp } = object.json.metadata;
    const metadata = {
      name: 'scaled',
      namespace: 'default',
      uid,
      resourceVersion,
      creationTimestamp,
    };
    const scale = {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata,
      spec: { replicas: 3 },
      status: { replicas: 0, selector },
    };
    const read = await server.get(path);
    t.equal(read.text, `${JSON.stringify(scale)}\n`, 'the Scale of an object');
    await checkScaling(t, kind, object.json, scale);
    await checkBadScales(t, path, scale);
    await kind.remove(object.json);
  });
}

async function checkScaling(
  t: Test,
  kind: ServedKind,
  object: TestObject,
  scale: TestObject,
): Promise<void> {
  const path = `${kind.pathOf(object)}/scale`;
  const sent = { ...scale, spec: { replicas: 5 }, status: { replicas: 9, selector: 'a=b' } };
  const scaled = await server.put(path, sent);
  t.equal(scaled.status, 200, scaled.text);
  t.same(scaled.json.spec, { replicas: 5 });
  t.same(scaled.json.status, scale.status, 'the status is not written');
  t.equal((await server.get(path)).text, scaled.text);
  const { metadata, spec } = (await kind.read(object)).json;
  t.equal(metadata.resourceVersion, scaled.json.metadata.resourceVersion, 'a new version');
  t.equal(metadata.generation, object.metadata.generation + 1, 'and a new generation');
  t.strictSame(spec, { ...object.spec, replicas: 5 }, 'of the object, else unchanged');
  const again = await server.put(path, scaled.text);
  t.equal(again.text, scaled.text, 'the same number changes nothing');

  expectFailure(t, await server.put(path, sent), { code: 409, reason: 'Conflict' });
  const { resourceVersion: _version, ...unversioned } = scale.metadata;
  const zero = await server.put(path, { metadata: unversioned, spec: {} });
  t.equal(zero.status, 200, `without a version: ${zero.text}`);
  t.match(zero.text, '"spec":{},"status":{"replicas":0,', 'zero is not written');
  t.equal((await kind.read(object)).json.spec.replicas, 0, 'but in the object');
}

async function checkBadScales(t: Test, path: string, scale: TestObject): Promise<void> {
  const { name, namespace } = scale.metadata;
  const metadata = { name, namespace };
  expectFailure(t, await server.put(path, { ...scale, metadata, spec: { replicas: -1 } }), {
    code: 422,
    reason: 'Invalid',
    message:
      `Scale.autoscaling "${name}" is invalid: ` +
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  });
  const BAD = [
    ['another name', { metadata: { name: 'other' } }, 400],
    ['another namespace', { metadata: { name, namespace: 'other' } }, 400],
    ['another uid', { metadata: { ...metadata, uid: 'other' } }, 409],
    ['another kind', { kind: 'Deployment', apiVersion: 'apps/v1', metadata }, 400],
    ['another version', { kind: 'Scale', apiVersion: 'autoscaling/v2', metadata }, 400],
    ['no number', { metadata, spec: { replicas: 'many' } }, 400],
    ['no name', {}, 400],
  ] as const;
  for (const [what, body, code] of BAD) {
    const answer = await server.put(path, body);
    t.equal(answer.status, code, `${what}: ${answer.text.slice(0, 300)}`);
  }
  const patched = await server.request('PATCH', path, { metadata: { uid: 'other' } }, MERGE_PATCH);
  t.equal(patched.status, 409, `another uid in a patch: ${patched.text.slice(0, 300)}`);
  const missing = await server.put(path.replace(name, 'none'), { metadata: { name: 'none' } });
  expectFailure(t, missing, { code: 404, reason: 'NotFound' });
}
