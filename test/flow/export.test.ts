/** A copy of a cluster elsewhere, by export and import. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { customDefinition, established } from '../support/custom-types.ts';
import { configMap } from '../support/kinds.ts';
import { startServer, type Server } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { runExport } from '../../tools/backup/export.ts';
import { runImport } from '../../tools/backup/import.ts';

const SHOP = '/api/v1/namespaces/shop';
const SITES = '/apis/shop.example.com/v1/namespaces/shop/sites';
const POD_SPEC = { containers: [{ name: 'web', image: 'nginx' }] };
const JOBS = '/apis/batch/v1/namespaces/shop/jobs';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments';
const REPLICA_SETS = '/apis/apps/v1/namespaces/shop/replicasets';

type Run = typeof runExport;

async function said(run: Run, ...args: string[]): Promise<[code: number, said: string]> {
  let text = '';
  const write = (part: string): void => void (text += part);
  return [await run(args, { write, say: (line) => write(`${line}\n`) }), text];
}

async function made(server: Server, path: string, body: object): Promise<any> {
  const { status, json, text } = await server.post(path, body);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return json;
}

/** A namespace with an owner of an owner, a custom type, a Job and a Service. */
async function fill(server: Server): Promise<void> {
  await made(server, '/api/v1/namespaces', { metadata: { name: 'shop', labels: { of: 'us' } } });
  await established(server, customDefinition('shop.example.com', 'Site'));
  const site = { apiVersion: 'shop.example.com/v1', kind: 'Site', metadata: { name: 'web' } };
  await made(server, SITES, { ...site, spec: { host: 'example.com' } });
  const selector = { matchLabels: { app: 'web' } };
  const template = { metadata: { labels: { app: 'web' } }, spec: POD_SPEC };
  const deployment = await made(server, DEPLOYMENTS, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template },
  });
  const owner = (of: any) => [
    { apiVersion: of.apiVersion, kind: of.kind, name: of.metadata.name, uid: of.metadata.uid },
  ];
  const set = await made(server, REPLICA_SETS, {
    metadata: { name: 'web-1', ownerReferences: owner(deployment) },
    spec: { selector, template },
  });
  await server.put(`${REPLICA_SETS}/web-1/status`, { ...set, status: { replicas: 2 } });
  await made(server, `${SHOP}/configmaps`, {
    ...configMap('owned', { a: "it's: yes" }),
    metadata: { name: 'owned', ownerReferences: owner(set) },
  });
  await made(server, JOBS, { metadata: { name: 'once' }, spec: { template: jobTemplate() } });
  await made(server, `${SHOP}/services`, {
    metadata: { name: 'web' },
    spec: { ports: [{ port: 80 }], selector: { app: 'web' } },
  });
}

const jobTemplate = () => ({ spec: { ...POD_SPEC, restartPolicy: 'Never' } });

/** What two copies have in common. */
function common(object: any): unknown {
  const { metadata, ...rest } = object;
  const { name, labels, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map((owner: any) => `${owner.kind} ${owner.name}`);
  const text = JSON.stringify({ name, labels, owners, ...rest });
  // A Job is selected by its uid.
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID'));
}

const PATHS = [
  `${SITES}/web`,
  `${DEPLOYMENTS}/web`,
  `${REPLICA_SETS}/web-1`,
  `${SHOP}/configmaps/owned`,
  `${JOBS}/once`,
  `${SHOP}/services/web`,
];

t.test('a copy of a cluster has its objects, their owners and their status', async (t) => {
  const server = await startServer({ test: t });
  await fill(server);
  const folder = join(temporaryFolder(), 'export');
  const [code, line] = await said(runExport, '--data-dir', server.dataDirectory, '--to', folder);
  t.equal(code, 0, line);
  t.match(line, /^exported [0-9]+ objects as of version [0-9]+ into /m);
  t.match(readFileSync(join(folder, 'shop', 'configmaps.v1.yaml'), 'utf8'), /^apiVersion: v1\n/);
  t.match(await said(runExport, '--data-dir', server.dataDirectory, '--to', folder), [
    1,
    /is not empty/,
  ]);

  const copy = await startServer({ test: t });
  const [imported, told] = await said(runImport, folder, '--data-dir', copy.dataDirectory);
  t.equal(imported, 0, told);
  for (const path of PATHS) {
    const [was, is] = [await server.get(path), await copy.get(path)];
    t.equal(is.status, 200, `${path}: ${told}`);
    t.same(common(is.json), common(was.json), path);
  }
  const set = (await copy.get(`${REPLICA_SETS}/web-1`)).json;
  const owned = (await copy.get(`${SHOP}/configmaps/owned`)).json;
  t.equal(owned.metadata.ownerReferences[0].uid, set.metadata.uid, 'owners are those of here');

  const changed = { ...owned, data: { a: 'changed' } };
  await copy.put(`${SHOP}/configmaps/owned`, changed);
  t.match(await said(runImport, folder, '--data-dir', copy.dataDirectory), [
    0,
    /^made 0 objects, /m,
  ]);
  t.same((await copy.get(`${SHOP}/configmaps/owned`)).json.data, { a: 'changed' }, 'it stays');
  const file = join(folder, 'shop', 'configmaps.v1.yaml');
  const [again] = await said(runImport, file, '--replace', '--data-dir', copy.dataDirectory);
  t.equal(again, 0);
  t.same((await copy.get(`${SHOP}/configmaps/owned`)).json.data, { a: "it's: yes" }, 'or not');
});

t.test('one namespace goes into another server, and what does not is listed', async (t) => {
  const server = await startServer({ test: t });
  await fill(server);
  await made(server, '/api/v1/namespaces/default/configmaps', configMap('other'));
  const folder = join(temporaryFolder(), 'shop');
  const place = ['--data-dir', server.dataDirectory];
  t.match(await said(runExport, '--to', folder, '--namespace', 'shop', ...place), [
    0,
    /^exported/m,
  ]);
  t.notOk(existsSync(join(folder, 'default')), 'nothing else is in it');
  const copy = await startServer({ test: t });
  const [code, told] = await said(runImport, folder, '--data-dir', copy.dataDirectory);
  t.equal(code, 1, 'there is no such custom type');
  t.match(told, /^not made: Site shop\/web: the server has no Site in shop\.example\.com\/v1$/m);
  t.equal((await copy.get(`${DEPLOYMENTS}/web`)).status, 200, 'all else is there');
});

t.test('one type goes into one file, from which another server has it', async (t) => {
  const server = await startServer({ test: t });
  await fill(server);
  const file = join(temporaryFolder(), 'sets.yaml');
  const of = ['--data-dir', server.dataDirectory];
  const args = ['--to', file, '--type', 'replicasets.apps', ...of];
  t.match(await said(runExport, ...args), [0, /^exported 1 objects /m]);
  t.match(await said(runExport, ...args), [1, /is there already/]);
  const unknown = ['--to', `${file}.yaml`, '--type', 'nothing', ...of];
  t.match(await said(runExport, ...unknown), [1, /no type nothing/]);
  await server.delete(`${REPLICA_SETS}/web-1`);
  t.match(await said(runImport, file, ...of), [0, /^made 1 objects, /m]);
  const { metadata, spec } = (await server.get(`${REPLICA_SETS}/web-1`)).json;
  t.equal(spec.selector.matchLabels.app, 'web');
  t.notOk(metadata.ownerReferences, 'owners that the file does not have are dropped');
});

t.test('what cannot be exported or imported is said in a line', async (t) => {
  const folder = temporaryFolder();
  const wrong = join(folder, 'wrong');
  mkdirSync(wrong);
  writeFileSync(join(wrong, 'a.yaml'), 'a: b\n');
  const server = await startServer({ test: t });
  const place = ['--data-dir', server.dataDirectory];
  const rows: [Run, string[], RegExp][] = [
    [runExport, [], /^give --to FOLDER or FILE$/m],
    [runExport, ['--help'], /^Usage: npm run export/],
    [runImport, [], /^give the FOLDER or FILE/],
    [runImport, ['--help'], /^Usage: npm run import/],
    [runImport, [join(folder, 'none'), ...place], /ENOENT/],
    [runImport, [wrong, ...place], /a\.yaml: a document is no object of the API$/m],
  ];
  for (const [run, args, line] of rows) t.match((await said(run, ...args))[1], line);
  await server.stop();
  t.match(await said(runExport, '--to', join(folder, 'x'), ...place), [1, /no server runs on/]);
});
