/** A comparison with the reference found these writes, in the names of `k8s.io`. */
import t, { type Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS } from '../support/kinds.ts';
import { startServer, type Answer } from '../support/server.ts';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const NAMESPACED = '/api/v1/namespaces/default';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const DRIVERS = '/apis/storage.k8s.io/v1/csidrivers';

const server = await startServer({
  test: t,
  args: ['--api-domain', 'k8s.io', '--controllers', '*,-garbage-collector'],
});

async function patch(type: string, path: string, body: unknown): Promise<Answer> {
  return server.request('PATCH', path, body, { 'content-type': type });
}

function expectRequired(t: Test, answer: Answer, field: string): void {
  expectFailure(t, answer, { code: 422, reason: 'Invalid' });
  const causes = answer.json.details.causes as { reason: string; field: string }[];
  t.ok(
    causes.some((cause) => cause.reason === 'FieldValueRequired' && cause.field === field),
    answer.text,
  );
}

t.test('a reference to an owner that comes twice is stored once, with a warning', async (t) => {
  const owner = (uid: string, controller?: boolean): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: 'x',
    uid,
    ...(controller !== undefined && { controller }),
  });
  const ownerReferences = [owner('a'), owner('b'), owner('a'), owner('a', true), owner('b')];
  const kept = [owner('a'), owner('b'), owner('a', true)];
  const metadata = { name: 'owned', ownerReferences };
  const path = `${CONFIG_MAPS}/owned`;
  const warning = (when: string): string =>
    `299 - ".metadata.ownerReferences contains duplicate entries${when}; API server dedups owner ` +
    'references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; ' +
    'duplicate UID(s) observed: a, b"';
  const expectOnce = ({ json, headers }: Answer, when = ''): void => {
    t.same(json.metadata.ownerReferences, kept);
    t.equal(headers['warning'], warning(when));
  };
  expectOnce(await server.post(CONFIG_MAPS, { metadata }));
  expectOnce(await server.put(path, { metadata }));
  const later = ' after mutating admission happens';
  expectOnce(await patch(MERGE, path, { metadata: { ownerReferences } }), later);
  const operation = { op: 'add', path: '/metadata/ownerReferences', value: ownerReferences };
  expectOnce(await patch(JSON_PATCH, path, [operation]), later);
  const once = await server.put(path, { metadata: { name: 'owned', ownerReferences: kept } });
  t.equal(once.headers['warning'], undefined, 'other references to one owner are none');
});

t.test('$retainKeys lists names of the dialect', async (t) => {
  const labels = { 'app.kubernetes.io/name': 'x', a: 'b' };
  await server.post(CONFIG_MAPS, { metadata: { name: 'labelled', labels } });
  const retained = { $retainKeys: ['app.kubernetes.io/name'], 'app.kubernetes.io/name': 'y' };
  const path = `${CONFIG_MAPS}/labelled`;
  const answer = await patch(STRATEGIC, path, { metadata: { labels: retained } });
  t.same(answer.json.metadata.labels, { 'app.kubernetes.io/name': 'y' }, answer.text);
  const other = { ...retained, a: 'c' };
  expectFailure(t, await patch(STRATEGIC, path, { metadata: { labels: other } }), {
    code: 400,
    message: 'invalid patch format of retainKeys',
  });
});

t.test('patches of a type, and paths, that do not count', async (t) => {
  await server.post(CONFIG_MAPS, { metadata: { name: 'patched' }, data: { a: 'b' } });
  const path = `${CONFIG_MAPS}/patched`;
  const typed = await patch(STRATEGIC, path, { kind: 'Pod', apiVersion: 'x/y', data: { c: 'd' } });
  t.match(typed.json, { kind: 'ConfigMap', apiVersion: 'v1', data: { a: 'b', c: 'd' } });
  t.equal((await patch(MERGE, path, { kind: 'Pod' })).status, 422);
  const added = await patch(JSON_PATCH, path, [{ op: 'add', path: 'x/data/e', value: 'f' }]);
  t.same(added.json.data, { a: 'b', c: 'd', e: 'f' });
  const first = await patch(JSON_PATCH, path, [{ op: 'add', path: 'data', value: {} }]);
  t.equal(first.status, 422, 'a path without any slash');
});

t.test('a strategic merge patch has only numbers that doubles hold', async (t) => {
  await server.post(CONFIG_MAPS, { metadata: { name: 'doubles' } });
  const send = (type: string, body: string): Promise<Answer> =>
    patch(type, `${CONFIG_MAPS}/doubles?dryRun=All`, body);
  for (const number of ['1e400', '-1e400', '9'.repeat(400)]) {
    const patchText = `{"more":{"10":[true,{"a":${number}}],"text":": 1e400,"}}`;
    const message = `json: cannot unmarshal number ${number} into Go value of type float64`;
    expectFailure(t, await send(STRATEGIC, patchText), {
      code: 400,
      reason: 'BadRequest',
      message,
    });
    t.equal((await send(MERGE, patchText)).status, 200, 'nobody reads it');
  }
  t.equal((await send(STRATEGIC, '{"more":[1e300,": 1e400,"]}')).status, 200);
});

t.test('bytes may be a list of numbers', async (t) => {
  const secrets = `${NAMESPACED}/secrets`;
  const made = await server.post(secrets, {
    metadata: { name: 'listed' },
    data: { a: [1, 2, 255], b: [], c: [null] },
  });
  t.same(made.json.data, { a: 'AQL/', b: '', c: 'AA==' }, made.text);
  const patched = await patch(MERGE, `${secrets}/listed`, { data: { a: [65] } });
  t.equal(patched.json.data.a, 'QQ==');
  for (const wrong of [[256], [-1], [1.5], ['x'], [[1]], [{}]]) {
    const refused = await server.post(secrets, { metadata: { name: 'x' }, data: { a: wrong } });
    t.equal(refused.status, 400, refused.text);
  }
});

t.test('quantities keep the spelling that the reference keeps', async (t) => {
  const container = (cpu: string): object => ({
    name: 'a',
    image: 'b',
    resources: { limits: { cpu } },
  });
  const pods = `${NAMESPACED}/pods?dryRun=All`;
  for (const [sent, kept] of [
    ['1E3', '1E3'],
    ['01', '01'],
    ['+5', '+5'],
    ['0.1', '100m'],
    ['100u', '1m'],
    ['1.0005', '1001m'],
  ] as const) {
    const pod = { metadata: { name: 'a' }, spec: { containers: [container(sent)] } };
    const { json } = await server.post(pods, pod);
    t.equal(json.spec.containers[0].resources.limits.cpu, kept, sent);
  }
  const quotas = `${NAMESPACED}/resourcequotas`;
  const quota = (cpu: string): object => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'spelled' },
    spec: { hard: { cpu } },
  });
  await server.post(quotas, quota('1'));
  const applied = await patch(APPLY, `${quotas}/spelled?fieldManager=m&force=true`, quota('01'));
  t.equal(applied.json.spec.hard.cpu, '01', 'also where it means the same as before');
  const capacity = { metadata: { name: 'a' }, storageClassName: 'x', capacity: '100u' };
  const capacities = '/apis/storage.k8s.io/v1beta1/namespaces/default/csistoragecapacities';
  t.equal((await server.post(capacities, capacity)).json.capacity, '100u', 'no list of resources');
  const overhead = { podFixed: { cpu: '100u' } };
  const runtime = { metadata: { name: 'a' }, handler: 'a', overhead };
  const runtimes = await server.post('/apis/node.k8s.io/v1/runtimeclasses?dryRun=All', runtime);
  t.same(runtimes.json.overhead, overhead, 'nor is the overhead of a runtime class');
});

t.test('what is required must be sent', async (t) => {
  const metadata = { name: 'sent.example.com' };
  expectRequired(t, await server.post(DRIVERS, { metadata }), 'spec');
  t.equal((await server.post(DRIVERS, { metadata, spec: {} })).status, 201);
  const updated = await patch(MERGE, `${DRIVERS}/${metadata.name}`, { spec: null });
  t.match(updated, { status: 200, json: { spec: { attachRequired: true } } }, 'once');
  expectRequired(t, await server.post(REVISIONS, { metadata, data: {} }), 'revision');
  const revision = await server.post(REVISIONS, { metadata, revision: 0 });
  t.equal(revision.status, 201, 'data is optional');
  t.equal(revision.json.revision, 0);
  const iscsi = { targetPortal: '127.0.0.1:3260', iqn: 'iqn.2001-04.com.example:a' };
  const pod = (source: object): object => ({
    metadata,
    spec: {
      containers: [{ name: 'a', image: 'b' }],
      volumes: [{ name: 'v', iscsi: source }],
    },
  });
  const pods = `${NAMESPACED}/pods?dryRun=All`;
  expectRequired(t, await server.post(pods, pod(iscsi)), 'spec.volumes[0].iscsi.lun');
  t.equal((await server.post(pods, pod({ ...iscsi, lun: 0 }))).status, 201);
});

t.test('members in another order are no change of a revision', async (t) => {
  const body = (data: string): string => `{"metadata":{"name":"r"},"revision":1,"data":${data}}`;
  await server.post(REVISIONS, body('{"a":1,"b":[{"c":1,"d":2}]}'));
  const path = `${REVISIONS}/r`;
  t.equal((await server.put(path, body('{"b":[{"d":2,"c":1}],"a":1}'))).status, 200);
  expectFailure(t, await server.put(path, body('{"b":[{"d":2,"c":1}],"a":2}')), { code: 422 });
});

t.test(
  'the template generation of a DaemonSet is owned, and no part of its metadata',
  async (t) => {
    const sets = '/apis/apps/v1/namespaces/default/daemonsets';
    const name = 'deprecated.daemonset.template.generation';
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'a', image: 'b' }] },
    };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const made = await server.post(sets, { metadata: { name: 'set' }, spec });
    t.same(made.json.metadata.annotations, { [name]: '1' });
    const [entry] = made.json.metadata.managedFields;
    t.same(entry.fieldsV1['f:metadata'], { 'f:annotations': { '.': {}, [`f:${name}`]: {} } });
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const alone = await server.get(`${sets}/set`, { accept });
    t.equal(alone.json.metadata.annotations, undefined, alone.text);
    await patch(MERGE, `${sets}/set`, { metadata: { annotations: { a: 'b' } } });
    const noted = await server.get(`${sets}/set`, { accept });
    t.same(noted.json.metadata.annotations, { a: 'b' });
  },
);

t.test('a configuration without its type, or of another one', async (t) => {
  const path = `${CONFIG_MAPS}/none?fieldManager=m`;
  expectFailure(t, await patch(APPLY, path, 'kind: ConfigMap'), {
    code: 400,
    message: 'Incorrect version specified in apply patch. Specified patch version: , expected: v1',
  });
  for (const kind of ['', 'Pod']) {
    const config = { kind, apiVersion: 'v1', metadata: { name: 'none' } };
    expectFailure(t, await patch(APPLY, path, config), {
      code: 500,
      message:
        `failed to create typed patch object (/none; /v1, Kind=${kind}): ` +
        `no corresponding type for /v1, Kind=${kind}`,
    });
  }
});

t.end();

t.test(
  'the values of extra are lists of strings, of anything else the request is bad',
  async (t) => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const refusal =
      'CertificateSigningRequest in version "v1" cannot be handled as a ' +
      'CertificateSigningRequest: json: cannot unmarshal';
    const field = 'Go struct field CertificateSigningRequestSpec.spec.extra of type';
    const rows: readonly [unknown, string][] = [
      [{ a: 'x' }, `string into ${field} v1.ExtraValue`],
      [{ a: {} }, `object into ${field} v1.ExtraValue`],
      [{ a: ['x', 1] }, `number into ${field} string`],
      [[], `array into ${field} map[string]v1.ExtraValue`],
    ];
    for (const [extra, what] of rows) {
      const answer = await server.post(path, { metadata: { name: 'extra' }, spec: { extra } });
      expectFailure(t, answer, { code: 400, reason: 'BadRequest', message: `${refusal} ${what}` });
    }
  },
);

t.test('a refusal carries what was warned of before', async (t) => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'a' };
  const twice = { ownerReferences: [owner, owner] };
  const env = { name: 'a', value: 'b' };
  const pod = {
    metadata: { name: 'warned' },
    spec: { containers: [{ name: 'a', image: 'a', env: [env, env] }] },
  };
  const owners = /ownerReferences contains duplicate entries;/;
  const path = `${CONFIG_MAPS}/warned`;
  const pods = `${NAMESPACED}/pods`;
  const data = { a: 'b' };
  await server.post(CONFIG_MAPS, { metadata: { name: 'warned' }, data, immutable: true });
  await server.post(pods, pod);
  const refusals: readonly [string, number, RegExp, () => Promise<Answer>][] = [
    ['invalid', 422, owners, () => server.post(CONFIG_MAPS, { metadata: { name: 'A', ...twice } })],
    [
      'there already',
      409,
      owners,
      () => server.post(CONFIG_MAPS, { metadata: { name: 'warned', ...twice } }),
    ],
    ['immutable', 422, owners, () => server.put(path, { metadata: { name: 'warned', ...twice } })],
    [
      'outdated',
      409,
      owners,
      () => server.put(path, { metadata: { name: 'warned', resourceVersion: '1', ...twice } }),
    ],
    [
      'missing',
      404,
      owners,
      () => server.put(`${CONFIG_MAPS}/b`, { metadata: { name: 'b', ...twice } }),
    ],
    ['a pod that is there already', 409, /duplicate name/, () => server.post(pods, pod)],
    [
      'a missing Job',
      404,
      /child pods are preserved/,
      () => server.delete('/apis/batch/v1/namespaces/default/jobs/missing'),
    ],
  ];
  for (const [what, code, warning, refusal] of refusals) {
    const answer = await refusal();
    t.equal(answer.status, code, `${what}: ${answer.text}`);
    t.match(answer.headers['warning'], warning, what);
  }
  const invalid = await server.post(pods, { ...pod, metadata: { name: 'A' } });
  t.equal(invalid.status, 422);
  t.equal(invalid.headers['warning'], undefined, 'an invalid object is not looked at for more');
});

t.test('the template generation of a DaemonSet is a number, or the request is bad', async (t) => {
  const path = '/apis/apps/v1/namespaces/default/daemonsets';
  const selector = { matchLabels: { a: 'b' } };
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'a', image: 'a' }] },
  };
  const named = (generation: string): object => ({
    metadata: {
      name: 'counted',
      annotations: { 'deprecated.daemonset.template.generation': generation },
    },
    spec: { selector, template },
  });
  const refusal = 'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: ';
  for (const [text, why] of [
    ['x', 'invalid syntax'],
    ['', 'invalid syntax'],
    ['9223372036854775808', 'value out of range'],
  ] as const) {
    const message = `${refusal}parsing "${text}": ${why}`;
    const answer = await server.post(path, named(text));
    expectFailure(t, answer, { code: 400, reason: 'BadRequest', message });
  }
  const made = await server.post(path, named('+3'));
  t.equal(made.status, 201, made.text);
  const { annotations } = made.json.metadata;
  t.equal(annotations['deprecated.daemonset.template.generation'], '3');
  expectFailure(t, await server.put(`${path}/counted`, named('x')), { code: 400 });
  const patched = await patch(MERGE, `${path}/counted`, named('x'));
  expectFailure(t, patched, { code: 422, reason: 'Invalid' });
});

t.test('hints that are dropped from a slice count as a change', async (t) => {
  const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  const endpoint = { addresses: ['1.2.3.4'] };
  const slice = (hints: object): object => ({
    metadata: { name: 'hinted' },
    addressType: 'IPv4',
    endpoints: [{ ...endpoint, ...hints }],
  });
  const hints = { hints: { forZones: [{ name: 'a' }] } };
  const made = await server.post(path, slice(hints));
  t.equal(made.json.metadata.generation, 1, made.text);
  const again = await server.put(`${path}/hinted`, slice(hints));
  t.equal(again.json.metadata.generation, 2);
  t.equal(again.json.endpoints[0].hints, undefined);
  const without = await server.put(`${path}/hinted`, slice({}));
  t.equal(without.json.metadata.generation, 2);
});

t.test('owners whom a client names are checked once all they have lost is gone', async (t) => {
  const manager = 'm'.repeat(129);
  const entry = (apiVersion: string, field: string): object => ({
    manager,
    operation: 'Update',
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:${field}`]: {} } },
  });
  const object = (owner: object, name: string): object => ({
    metadata: { name, managedFields: [owner] },
    data: { a: 'b' },
  });
  const ownerless = await server.post(CONFIG_MAPS, object(entry('apps/v1', 'z'), 'of-apps'));
  t.equal(ownerless.status, 201, ownerless.text);
  const taken = await server.post(CONFIG_MAPS, object(entry('v1', 'a'), 'taken'));
  t.equal(taken.status, 201, taken.text);
  const kept = await server.post(CONFIG_MAPS, object(entry('v1', 'z'), 'kept'));
  expectFailure(t, kept, {
    code: 422,
    message: /metadata\.managedFields\[0\]\.manager: Too long: must have at most 128 bytes$/,
  });
});

t.test('who writes one form of the addresses of a pod owns both', async (t) => {
  const pods = `${NAMESPACED}/pods`;
  const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] };
  await server.post(pods, { metadata: { name: 'addressed' }, spec });
  const path = `${pods}/addressed/status?fieldManager=agent`;
  const { json } = await patch(MERGE, path, { status: { podIP: '10.1.0.1' } });
  t.same(json.status.podIPs, [{ ip: '10.1.0.1' }]);
  const owned = { '.': {}, 'k:{"ip":"10.1.0.1"}': { '.': {}, 'f:ip': {} } };
  const { fieldsV1 } = json.metadata.managedFields.find(
    ({ manager }: { manager: string }) => manager === 'agent',
  );
  t.strictSame(fieldsV1, { 'f:status': { 'f:podIP': {}, 'f:podIPs': owned } });
});
