/** `npm run check:reference` between two of our own servers, and between one and a liar. */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { ACCEPTED } from '../reference/accepted-differences.ts';
import { startServer, type Server } from '../support/server.ts';
import { ApiClient, type Answer } from '../../tools/reference/api-client.ts';
import { Comparison } from '../../tools/reference/comparison.ts';
import { differencesOf } from '../../tools/reference/differences.ts';
import { Findings, groupsText } from '../../tools/reference/findings.ts';
import { OptionsError } from '../../tools/flags.ts';
import { Marks } from '../../tools/reference/marks.ts';
import { readOptions } from '../../tools/reference/options.ts';
import { peculiaritiesOf } from '../../tools/reference/peculiarities.ts';

const args = [
  '--api-domain',
  'k8s.io',
  '--controllers=-namespace,-garbage-collector,-event-expiry',
];
const [ours, theirs] = await Promise.all([
  startServer({ test: t, args }),
  startServer({ test: t, args }),
]);

async function compared(t: Test, port: number, flags: readonly string[]): Promise<Findings> {
  const url = `http://127.0.0.1:${port}`;
  const options = readOptions(['--server', url, '--token', theirs.token, ...flags]);
  if (options === undefined) throw new Error('no options');
  const clients = [new ApiClient(`http://127.0.0.1:${ours.port}`, ours.token)] as const;
  const other = new ApiClient(url, theirs.token);
  const comparison = new Comparison(options, { ours: clients[0], theirs: other }, 'test');
  await comparison.run((line) => t.comment(line));
  clients[0].close();
  other.close();
  return comparison.findings;
}

/** Everything that is in a server, but for what it has by itself. */
async function leftOn(server: Server): Promise<string[]> {
  const paths = ['/api/v1/namespaces', '/api/v1/configmaps', '/api/v1/nodes', '/api/v1/services'];
  const lists = await Promise.all(paths.map((path) => server.get(path)));
  const items = lists.flatMap(({ json }) => json.items as { metadata: { name: string } }[]);
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('cmp'));
}

const FEW = ['--kinds', 'ConfigMap,Node', '--requests', '60', '--lanes', '2'];

t.test('two servers of ours do not differ, and nothing is left on them', async (t) => {
  const findings = await compared(t, theirs.port, FEW);
  t.ok(findings.compared > 100, `${findings.compared} answers compared`);
  t.equal(groupsText(findings.groups), '');
  t.same(await leftOn(ours), []);
  t.same(await leftOn(theirs), []);
});

t.test('the leaves of a kind do not differ either, and leave nothing behind', async (t) => {
  const findings = await compared(t, theirs.port, ['--only', 'leaves', '--kinds', 'Lease']);
  t.ok(findings.compared > 1_000, `${findings.compared} answers compared`);
  t.equal(groupsText(findings.unexplained), '', 'but for times in texts, at the turn of a second');
  t.same(await leftOn(ours), []);
});

t.test('a changed code, member, header and event are found', async (t) => {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const to = {
      host: '127.0.0.1',
      port: theirs.port,
      method,
      path,
      headers,
      agent: false as const,
    };
    const sent = httpRequest(to, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { status, text } = changed(method, path, Buffer.concat(chunks).toString());
        const { 'content-length': _length, ...others } = answer.headers;
        const more = method === 'PUT' ? { warning: '299 - "be warned"' } : {};
        outgoing.writeHead(status ?? answer.statusCode ?? 0, { ...others, ...more });
        outgoing.end(text);
      });
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  const changed = (
    method: string | undefined,
    path: string | undefined,
    text: string,
  ): { status?: number; text: string } => {
    if (method === 'PUT' && text.includes('"immutable":true')) return { status: 409, text };
    const isWatch = path?.includes('watch=true') === true;
    if (isWatch) return { text: text.replaceAll('"type":"MODIFIED"', '"type":"ADDED"') };
    return { text: method === 'POST' ? text.replace('"greeting":', '"salute":') : text };
  };
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const flags = ['--kinds', 'ConfigMap', '--requests', '60', '--lanes', '1'];
  const found = (await compared(t, port, flags)).unexplained.map(({ difference }) => difference);
  t.ok(found.includes('header warning only there (accepted): be warned'), 'the header');
  t.ok(
    found.some((difference) => difference.startsWith('code 200 → 409 (')),
    'the code',
  );
  t.ok(
    found.some((difference) => difference.startsWith('events ADDED MODIFIED')),
    'the event',
  );
});

function answer(status: number, json: unknown): Answer {
  return { status, headers: new Map(), text: JSON.stringify(json), json };
}

t.test('what each server chooses for itself is no difference', (t) => {
  const object = (uid: string, version: string, address: string, more: object): unknown => ({
    metadata: { name: 'a', uid, resourceVersion: version, creationTimestamp: now(version) },
    spec: { clusterIP: address, ...more },
  });
  const now = (version: string): string => new Date(Date.now() - version.length).toISOString();
  const uids = ['1c9b1f2e-52b1-4c3e-9d5b-0a1b2c3d4e5f', '2c9b1f2e-52b1-4c3e-9d5b-0a1b2c3d4e5f'];
  const [left = '', right = ''] = uids;
  const first = answer(200, object(left, '7', '10.0.0.7', { type: 'ClusterIP' }));
  t.same(
    differencesOf(first, answer(200, object(right, '1234', '10.0.0.9', { type: 'ClusterIP' }))),
    [],
  );
  t.same(differencesOf(first, answer(200, object(right, 'x', '10.0.0.9', { type: 'NodePort' }))), [
    'object metadata.resourceVersion: text → text',
    'object spec.type: "ClusterIP" → "NodePort"',
  ]);
  const refused = (field: string): unknown => ({
    kind: 'Status',
    message: `a "b" is invalid: ${field}: Required value`,
    details: { causes: [{ reason: 'FieldValueRequired', field, message: 'Required value' }] },
  });
  t.same(differencesOf(answer(422, refused('spec.a[0]')), answer(422, refused('spec.b'))), [
    'status cause only here: FieldValueRequired spec.a[]: Required value',
    'status cause only there: FieldValueRequired spec.b: Required value',
  ]);
  t.end();
});

t.test('times, ports and causes of two servers that are alike', (t) => {
  const madeAt = (secondsAgo: number): unknown => ({
    metadata: { creationTimestamp: new Date(Date.now() - secondsAgo * 1_000).toISOString() },
  });
  const hours = 3_600;
  t.same(differencesOf(answer(200, madeAt(hours)), answer(200, madeAt(hours + 2))), []);
  t.equal(differencesOf(answer(200, madeAt(hours)), answer(200, madeAt(0))).length, 1);
  const cells = (port: number): unknown => ({ rows: [{ cells: ['a', `80:${port}/TCP`] }] });
  t.same(differencesOf(answer(200, cells(30_001)), answer(200, cells(32_767))), []);
  t.equal(differencesOf(answer(200, cells(30_001)), answer(200, cells(80))).length, 1);
  const refused = (...details: string[]): unknown => ({
    kind: 'Status',
    details: { causes: details.map((message) => ({ reason: 'FieldValueInvalid', message })) },
  });
  t.same(
    differencesOf(answer(422, refused('value: 1: odd')), answer(422, refused('2: odd', '2: odd'))),
    ['status cause value: FieldValueInvalid undefined'],
    'a cause that is told twice counts once',
  );
  const yaml = (version: string, name: string): string =>
    `metadata:\n  name: ${name}\n  resourceVersion: "${version}"\n`;
  const text = (body: string): Answer => ({ ...answer(200, {}), json: undefined, text: body });
  t.same(differencesOf(text(yaml('7', 'a')), text(yaml('12', 'a'))), []);
  t.equal(differencesOf(text(yaml('7', 'a')), text(yaml('7', 'b'))).length, 1);
  const yamlCells = (age: string): string => `rows:\n- cells:\n  - a\n  - ${age}\n`;
  t.same(differencesOf(text(yamlCells('0s')), text(yamlCells('1s'))), [], 'an age');
  t.equal(differencesOf(text(yamlCells('0s')), text(yamlCells('never'))).length, 1);
  const labelled = answer(200, { labels: {} });
  t.same(differencesOf(labelled, answer(200, JSON.parse('{"labels":{"constructor":"a"}}'))), [
    'object labels.constructor: missing → text',
  ]);
  t.end();
});

t.test('a refusal of options is another one than that of an object', (t) => {
  const refused = (kind: string, field: string): Answer =>
    answer(422, {
      kind: 'Status',
      details: { kind, causes: [{ reason: 'FieldValueInvalid', field, message: 'odd' }] },
    });
  const found = differencesOf(refused('Pod', 'spec'), refused('CreateOptions', 'dryRun'));
  t.same(found, ['code 422 (spec: odd) → 422 (dryRun: odd)']);
  t.end();
});

t.test('what each server has chosen goes back to it', (t) => {
  const object = (uid: string, second: number): object => ({
    metadata: {
      uid,
      resourceVersion: String(second),
      deletionTimestamp: `2026-01-01T00:00:0${second}Z`,
    },
  });
  const [left, right] = [
    '1c9b1f2e-52b1-4c3e-9d5b-0a1b2c3d4e5f',
    '2c9b1f2e-52b1-4c3e-9d5b-0a1b2c3d4e5f',
  ];
  const ours = object(left ?? '', 1);
  const other = object(right ?? '', 2);
  const marks = new Marks();
  const marked = JSON.stringify(marks.document(ours, other));
  t.same(JSON.parse(marks.textFor('ours', marked)), ours);
  t.same(JSON.parse(marks.textFor('theirs', marked)), other);
  t.end();
});

t.test('only servers of this machine are compared', (t) => {
  t.throws(() => readOptions(['--server', 'https://example.com']), OptionsError);
  t.throws(() => readOptions([]), OptionsError);
  t.throws(() => readOptions(['--server', 'http://127.0.0.1:1', '--only', 'x']), OptionsError);
  t.equal(readOptions(['--help']), undefined);
  t.end();
});

t.test('a request of several peculiarities is accepted for any of them', (t) => {
  const body = JSON.stringify({ metadata: { deletionTimestamp: 'x', managedFields: [] } });
  const kind = { groupVersion: 'v1', kind: 'LimitRange', subresource: '' };
  const request = { ...kind, method: 'POST', path: '/', body, contentType: 'application/json' };
  const peculiarities = peculiaritiesOf(request);
  t.same(peculiarities, [' resetting owners', ' of what is deleted']);
  const findings = new Findings();
  const example = { origin: '', request: '', ours: '', theirs: '' };
  const [first, second] = ['list → missing', 'missing → list'];
  const differences = [first, second].map((what) => `object metadata.managedFields: ${what}`);
  findings.add('v1 LimitRange', 'create', differences, () => example, peculiarities);
  findings.add('v1 LimitRange', 'create', differences, () => example, []);
  t.equal(findings.groups.length, 4);
  t.equal(findings.unexplained.length, 2, 'those without');
  t.end();
});

t.test('items whose keys are absent, null or empty are the same item', (t) => {
  const kind = { groupVersion: 'v1', kind: 'LimitRange', subresource: '' };
  const peculiarities = (object: object): readonly string[] => {
    const body = JSON.stringify(object);
    return peculiaritiesOf({ ...kind, method: 'PUT', path: '/', body, contentType: '' });
  };
  const owners = (...ownerReferences: object[]): object => ({ metadata: { ownerReferences } });
  t.same(peculiarities(owners({ kind: 'A' }, { controller: true, uid: null })), [
    ' repeating items',
  ]);
  t.same(peculiarities(owners({ kind: 'A', uid: '1' }, { kind: 'A', uid: '2' })), []);
  const conditions = [{ type: 'Dangling' }, { type: null }, {}];
  t.same(peculiarities({ status: { conditions } }), [
    ' with a status',
    ' repeating items of its status',
    ' with items that lack their keys',
  ]);
  t.same(peculiarities({ status: { podIPs: [{ ip: '::1' }, { ip: null }] } }), [
    ' with a status',
    ' with items that lack their keys',
  ]);
  t.same(peculiarities({ status: { conditions: [{ type: 'A' }, { type: 'B' }] } }), [
    ' with a status',
  ]);
  t.end();
});

t.test('a version of each server that is sent as something else', (t) => {
  const peculiarities = (object: object): readonly string[] => {
    const kind = { groupVersion: 'v1', kind: 'Node', subresource: '' };
    const body = JSON.stringify(object);
    return peculiaritiesOf({ ...kind, method: 'PUT', path: '/', body, contentType: '' });
  };
  const resourceVersion = new Marks().document('1', '2', 'resourceVersion');
  t.same(peculiarities({ metadata: { resourceVersion } }), []);
  t.same(peculiarities({ spec: [{ name: resourceVersion }] }), [' of a value of each server']);
  t.same(peculiarities({ spec: 'x'.repeat(1_001) }), [' of a long text']);
  t.same(peculiarities({ spec: ['x'.repeat(999), 'x'] }), []);
  t.end();
});

t.test('a port out of the range of node ports is one that no Service is given', (t) => {
  const peculiarities = (spec: object): readonly string[] => {
    const body = JSON.stringify({ spec });
    const kind = { groupVersion: 'v1', kind: 'Service', subresource: '' };
    return peculiaritiesOf({ ...kind, method: 'POST', path: '/', body, contentType: '' });
  };
  for (const spec of [{ ports: [{}, { nodePort: 1 }] }, { healthCheckNodePort: 32_768 }]) {
    t.same(peculiarities(spec), [' of a port out of range']);
  }
  t.same(peculiarities({ ports: [{ nodePort: 0 }, { nodePort: 30_000 }, null] }), []);
  t.end();
});

t.test('each accepted difference has a reason', (t) => {
  for (const { reason, differences } of ACCEPTED) t.ok(reason.length > 10, String(differences));
  t.end();
});
