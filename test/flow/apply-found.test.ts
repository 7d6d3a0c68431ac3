/** A review of server-side apply over HTTP found these. */
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const PODS = '/api/v1/namespaces/default/pods';
const server = await sharedServer();

function apply(path: string, manager: string, config: unknown): Promise<Answer> {
  return server.request('PATCH', `${path}?fieldManager=${manager}`, config, APPLY);
}

function managers({ json }: Answer): string[] {
  const entries = (json.metadata.managedFields ?? []) as { manager: string; apiVersion: string }[];
  return entries.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`);
}

function sentEntry(manager: string, apiVersion: string, fieldsV1: unknown): object {
  const time = '2030-01-01T00:00:00Z';
  return { manager, operation: 'Update', apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 };
}

async function putOwners(name: string, managedFields: object[]): Promise<Answer> {
  const { json } = await server.post(CONFIG_MAPS, configMap(name));
  return server.put(`${CONFIG_MAPS}/${name}`, {
    ...json,
    metadata: { ...json.metadata, managedFields },
  });
}

t.test('entries that a client sends are judged though nothing else changes', async (t) => {
  const own = { 'f:data': {} };
  const unserved = await putOwners('unserved', [
    sentEntry('old', 'v9', own),
    sentEntry('new', 'v1', own),
  ]);
  t.strictSame(managers(unserved), ['new v1'], 'versions that are not served go');
  const many = Array.from({ length: 14 }, (_, at) => sentEntry(`m${at}`, 'v1', own));
  const capped = await putOwners('capped', many);
  t.equal(managers(capped).length, 10, 'no more entries for updates than ten');
  const written = await putOwners('null', [sentEntry('nil', 'v1', { 'f:data': null })]);
  t.strictSame(managers(written), ['nil v1'], 'null below a field is nothing below it');
});

async function refused(t: Test, answer: Promise<Answer>, message: string): Promise<void> {
  const { status, json } = await answer;
  t.match({ status, message: json.message }, { status: 500, message });
}

t.test('a live object that cannot be tracked is told from a bad configuration', async (t) => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'twice' } };
  const made = await server.post(ACCOUNTS, { ...account, secrets: [{ name: 'a' }, { name: 'a' }] });
  t.equal(made.status, 201, made.text.slice(0, 300));
  await refused(
    t,
    apply(`${ACCOUNTS}/twice`, 'ann', account),
    'failed to create manager for existing fields: failed to convert new object ' +
      '(default/twice; /v1, Kind=ServiceAccount) to smd typed: ' +
      '.secrets: duplicate entries for key [name="a"]',
  );
});

t.test('a value that is none of its kind is said to be in the configuration', async (t) => {
  await server.post(CONFIG_MAPS, configMap('binary'));
  const config = { apiVersion: 'v1', kind: 'ConfigMap', binaryData: { a: '?' } };
  await refused(
    t,
    apply(`${CONFIG_MAPS}/binary`, 'ann', config),
    'failed to convert new object (/; /v1, Kind=ConfigMap) to proper version: ' +
      'unable to convert unstructured object to /v1, Kind=ConfigMap: ' +
      'illegal base64 data at input byte 0',
  );
});

t.test('a namespace that is applied says that it is in none', async (t) => {
  const metadata = { name: 'default', namespace: null };
  const config = { apiVersion: 'v1', kind: 'Namespace', metadata };
  const { status, text } = await apply('/api/v1/namespaces/default', 'ann', config);
  t.equal(status, 200, text);
});

t.test('what all owners own together is bounded', async (t) => {
  const filler = 'x'.repeat(180);
  const keys = Array.from({ length: 7_000 }, (_, at) => `k${at}${filler}`);
  const path = `${CONFIG_MAPS}/wide`;
  const config = configMap('wide', Object.fromEntries(keys.map((key) => [key, ''])));
  const first = await apply(path, 'first', config);
  t.equal(first.status, 201, first.text.slice(0, 300));
  const second = await apply(path, 'second', config);
  t.equal(second.status, 200, 'of a second applier it is kept');
  await refused(t, apply(path, 'third', config), 'request is too large');
  const { json } = await server.get(path);
  t.same(json.metadata, second.json.metadata, 'a refused apply leaves all as it was');
});

t.test('an item without its key has the zero of a key that is always written', async (t) => {
  const container = { name: 'c', image: 'i', env: [{ value: 'nameless' }] };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'keyless' } };
  const { status, json } = await apply(`${PODS}/keyless`, 'ann', {
    ...pod,
    spec: { containers: [container] },
  });
  t.equal(status, 422, 'the kind refuses it, not the schema');
  t.match(json.message, /spec\.containers\[0\]\.env\[0\]\.name: Required value/);
});

t.test('others keep what a configuration does not say of a member that is gone', async (t) => {
  const NODES = '/api/v1/nodes';
  const configMap = { namespace: 'a', name: 'b', kubeletConfigKey: 'c', uid: 'u' };
  const given = { metadata: { name: 'configured' }, spec: { configSource: { configMap } } };
  await server.post(`${NODES}?fieldManager=registrar`, given);
  const keptOf = async (said: object | null): Promise<unknown> => {
    const spec = { configSource: { configMap: said } };
    const config = { apiVersion: 'v1', kind: 'Node', metadata: given.metadata, spec };
    const path = `${NODES}/configured?dryRun=All&force=true&fieldManager=ann`;
    const { json } = await server.request('PATCH', path, config, APPLY);
    const entries = json.metadata.managedFields as { manager: string; fieldsV1: object }[];
    const { fieldsV1 } = entries.find(({ manager }) => manager === 'registrar') ?? {};
    return fieldsV1;
  };
  const owned = (...names: string[]): object => {
    const members = Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
    return { 'f:spec': { 'f:configSource': { 'f:configMap': members } } };
  };
  t.strictSame(await keptOf({}), owned('kubeletConfigKey', 'name', 'namespace', 'uid'));
  t.strictSame(await keptOf(null), owned('kubeletConfigKey', 'name', 'namespace', 'uid'));
  t.strictSame(await keptOf({ name: 'x' }), owned('kubeletConfigKey', 'namespace', 'uid'));
  t.strictSame(await keptOf({ ...configMap, uid: null }), undefined, 'null is said too');
});

t.test('a number that no double holds is text in YAML, be it JSON', async (t) => {
  const long = `${'9'.repeat(300)}e10`;
  const bodyOf = (name: string): string =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},` +
    `"data":{"a":1e400,"b": -1e400,"c":${long},"d":"1e5, 1e500"}}`;
  const data = { a: '1e400', b: '-1e400', c: long, d: '1e5, 1e500' };
  const applied = await apply(`${CONFIG_MAPS}/beyond-applied`, 'ann', bodyOf('beyond-applied'));
  t.match({ status: applied.status, data: applied.json.data }, { status: 201, data });
  const yaml = { 'content-type': 'application/yaml' };
  const sent = await server.request('POST', CONFIG_MAPS, bodyOf('beyond-sent'), yaml);
  t.match({ status: sent.status, data: sent.json.data }, { status: 201, data });
  const number = await apply(
    `${CONFIG_MAPS}/beyond`,
    'ann',
    bodyOf('beyond').replace('1e400', '1e300'),
  );
  t.match(
    number.json.message,
    /\.data\.a: expected string, got/,
    'one that a double holds is none',
  );
});
