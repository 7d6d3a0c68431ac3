/** Subresources that write a part of an object, each with rules of its own. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { sendPatch } from '../support/send-patch.ts';
import { sharedServer } from '../support/shared-server.ts';
import { servedKinds } from '../support/served-kind.ts';

const NAMESPACES = '/api/v1/namespaces';
const PODS = `${NAMESPACES}/default/pods`;

const server = await sharedServer();

t.test('namespaces/finalize writes the finalizers of the spec, and nothing else', async (t) => {
  const spec = { finalizers: ['example.com/last'] };
  const made = await server.post(NAMESPACES, { metadata: { name: 'finalized' }, spec });
  t.same(made.json.spec.finalizers, ['example.com/last', 'cluster'], made.text);
  const path = `${NAMESPACES}/finalized`;
  const finalizers = ['example.com/first', 'example.com/last'];
  const status = { phase: 'Terminating' };
  const put = await server.put(`${path}/finalize`, { ...made.json, spec: { finalizers }, status });
  t.equal(put.status, 200, put.text);
  t.same(put.json.spec, { finalizers });
  t.same(put.json.status, { phase: 'Active' }, 'not the status');
  t.equal((await server.get(path)).text, put.text);
  expectFailure(t, await server.put(`${path}/finalize`, made.json), {
    code: 409,
    reason: 'Conflict',
  });
  const wrong = { ...put.json, spec: { finalizers: ['odd'] } };
  expectFailure(t, await server.put(`${path}/finalize`, wrong), { code: 422, reason: 'Invalid' });
  const none = await server.put(`${path}/finalize?dryRun=All`, { ...put.json, spec: {} });
  t.same(none.json.spec, {}, 'a dry run too');
  t.equal((await server.get(path)).text, put.text);

  const deleted = await server.delete(path);
  t.equal(deleted.json.status.phase, 'Terminating');
  t.equal((await server.get(path)).status, 200, 'held by its finalizers');
  const { json } = await server.get(path);
  const { resourceVersion: _any, ...metadata } = json.metadata;
  const ended = await server.put(`${path}/finalize`, { ...json, metadata, spec: {} });
  t.equal(ended.status, 200, ended.text);
  t.equal((await server.get(path)).status, 404, 'without them it is gone');
});

const container = (name: string, image = 'app:1'): object => ({ name, image });

t.test('pods/ephemeralcontainers adds containers to a pod, and nothing else', async (t) => {
  const spec = { containers: [container('app')] };
  const made = await server.post(PODS, { metadata: { name: 'debugged' }, spec });
  t.equal(made.status, 201, made.text);
  const path = `${PODS}/debugged`;
  t.equal((await server.get(`${path}/ephemeralcontainers`)).text, made.text, 'shows the pod');
  const ephemeralContainers = [container('debug')];
  const changed = {
    ...made.json,
    metadata: { ...made.json.metadata, labels: { a: 'b' } },
    spec: { ...made.json.spec, containers: [container('app', 'app:2')], ephemeralContainers },
    status: { phase: 'Failed' },
  };
  const put = await server.put(`${path}/ephemeralcontainers`, changed);
  t.equal(put.status, 200, put.text);
  t.match(put.json.spec.ephemeralContainers, [{ name: 'debug', image: 'app:1' }]);
  const { ephemeralContainers: added, ...rest } = put.json.spec;
  t.strictSame(rest, made.json.spec, 'the rest of the spec stays');
  t.strictSame(put.json.status, made.json.status, 'the status too');
  t.equal(put.json.metadata.labels, undefined, 'and the labels');
  t.strictSame(put.json.metadata.managedFields, made.json.metadata.managedFields, 'nor the owners');
  t.equal((await server.get(path)).text, put.text);
  expectFailure(t, await server.put(`${path}/ephemeralcontainers`, changed), {
    code: 409,
    reason: 'Conflict',
  });
  for (const [what, containers] of [
    ['none goes', []],
    ['none changes', [{ ...added[0], image: 'app:3' }]],
    ['names are not taken twice', [...added, container('app')]],
  ] as const) {
    const body = { ...put.json, spec: { ...put.json.spec, ephemeralContainers: containers } };
    const answer = await server.put(`${path}/ephemeralcontainers`, body);
    t.equal(answer.status, 422, `${what}: ${answer.text.slice(0, 300)}`);
  }
  const more = [...added, container('more')];
  const two = { ...put.json, spec: { ...put.json.spec, ephemeralContainers: more } };
  t.equal((await server.put(path, two)).status, 422, 'not through the pod itself');
  t.equal((await server.put(`${path}/ephemeralcontainers`, two)).status, 200, 'but here');
  const other = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other' }, spec };
  const type = { 'content-type': 'application/apply-patch+yaml' };
  const at = `${path}/ephemeralcontainers?fieldManager=m&force=true`;
  const applied = await server.request('PATCH', at, other, type);
  t.equal(applied.status, 400, `not of another pod, though nothing changes: ${applied.text}`);
  const { json: latest } = await server.get(path);
  const third = { spec: { ephemeralContainers: [container('third')] } };
  const config = { ...other, metadata: { name: 'debugged' }, ...third };
  const by = `${path}/ephemeralcontainers?fieldManager=m`;
  const applied3 = await server.request('PATCH', by, config, type);
  t.equal(applied3.json.spec?.ephemeralContainers.length, 3, applied3.text);
  t.strictSame(applied3.json.metadata.managedFields, latest.metadata.managedFields);
  const portless = {
    ...config,
    spec: { ephemeralContainers: [{ ...container('third'), ports: [] }] },
  };
  const refused = await server.request('PATCH', at, portless, type);
  t.match(
    refused.json.message,
    /ephemeralContainers\[2\]\.ports: Forbidden/,
    'an empty list counts',
  );
  const moved = { ...config, spec: { containers: [container('app', 'app:9')] } };
  expectFailure(t, await server.request('PATCH', by, moved, type), {
    code: 409,
    reason: 'Conflict',
  });
  const early = { metadata: { name: 'early' }, spec: { ...spec, ephemeralContainers } };
  t.equal((await server.post(PODS, early)).status, 422, 'nor from the beginning');
});

t.test('certificatesigningrequests/approval writes conditions, and nothing else', async (t) => {
  const [[, kind] = []] = await servedKinds(server, ['certificates/certificate-signing-request']);
  if (kind === undefined) throw new Error('no file of the kind');
  const made = await kind.create(kind.minimal('approved'));
  t.equal(made.status, 201, made.text);
  const path = kind.pathOf(made.json);
  t.equal((await server.get(`${path}/approval`)).text, made.text, 'shows the request');
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Known', message: 'm' }];
  const status = { conditions, certificate: 'YQ==' };
  const spec = { ...made.json.spec, usages: ['any'] };
  const put = await server.put(`${path}/approval`, { ...made.json, spec, status });
  t.equal(put.status, 200, put.text);
  t.match(put.json.status.conditions, conditions);
  const [{ lastUpdateTime, lastTransitionTime }] = put.json.status.conditions;
  t.type(lastUpdateTime, 'string', 'with the time');
  t.type(lastTransitionTime, 'string');
  t.equal(put.json.status.certificate, undefined, 'no certificate');
  t.strictSame(put.json.spec, made.json.spec, 'the spec stays');
  t.equal((await server.get(path)).text, put.text);
  expectFailure(t, await server.put(`${path}/approval`, made.json), {
    code: 409,
    reason: 'Conflict',
  });
  const ownedBy = async (part: string, members: object): Promise<string> => {
    const { apiVersion, metadata } = made.json;
    const config = { apiVersion, kind: made.json.kind, metadata: { name: metadata.name } };
    const to = `${path}/${part}?dryRun=All&force=true&fieldManager=m`;
    const { json } = await sendPatch(server, to, 'apply', { ...config, status: members });
    return JSON.stringify(json.metadata.managedFields?.[0]);
  };
  const known = { ...conditions[0], lastUpdateTime, lastTransitionTime };
  t.match(await ownedBy('approval', {}), '"f:status":{}', 'also who says nothing of it');
  t.match(await ownedBy('approval', { certificate: 'YQ==', conditions: [known] }), 'f:conditions');
  t.notMatch(await ownedBy('approval', { certificate: 'YQ==' }), 'f:certificate');
  t.notMatch(await ownedBy('status', { conditions: [known] }), '"manager":"m"', 'approvals alone');
  const denied = { type: 'Denied', status: 'True', reason: 'R' };
  for (const [what, where, list] of [
    ['an approval stays', '/approval', []],
    ['what is approved is not denied', '/approval', [...put.json.status.conditions, denied]],
    ['a status does not take an approval back', '/status', []],
    ['nor does it deny', '/status', [...put.json.status.conditions, denied]],
  ] as const) {
    const answer = await server.put(`${path}${where}`, {
      ...put.json,
      status: { conditions: list },
    });
    t.equal(answer.status, 422, `${what}: ${answer.text.slice(0, 300)}`);
  }
  const failed = [...put.json.status.conditions, { type: 'Failed', status: 'True', reason: 'R' }];
  const ended = await server.put(`${path}/status`, { ...put.json, status: { conditions: failed } });
  t.equal(ended.status, 200, `other conditions are for the status: ${ended.text.slice(0, 300)}`);
});
