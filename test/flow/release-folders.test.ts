/**
 * A data folder that goes from release to release: up in place, over kills, with objects of all
 * kinds; down only where the user says so.
 */
import t, { type Test } from 'tap';
import { customDefinition, established } from '../support/custom-types.ts';
import type { TestObject } from '../support/kinds.ts';
import { sendPatch } from '../support/send-patch.ts';
import { startServer } from '../support/server.ts';
import { eachServedKind } from '../support/served-kind.ts';

const ARGS = ['--controllers', '', '--runtime-config', 'api/all=true'];
const LATER = ['1.27', '1.31', '1.37'];
const PODS = '/api/v1/namespaces/default/pods';
const POLICIES = 'podsecuritypolicies.policy';

const server = await startServer({ test: t, args: ARGS });

function release(name: string, ...more: string[]) {
  return { args: [...ARGS, '--release', name, ...more] };
}

/** An object that was made at the beginning. */
interface Kept {
  /** `horizontalpodautoscalers.autoscaling`. */
  readonly resource: string;
  readonly kind: string;
  readonly group: string;
  /** Its path below that of a group version. */
  readonly below: string;
  /** The newest version that was there before it. */
  readonly before: string;
  /** It identifies the object, and must be the same in every release and version. */
  identity: unknown;
}

const kept: Kept[] = [];

/**
 * But for annotations, by which versions tell each other what they do not have; and without what
 * changes when a server tells a schema of flow control whether there is its level.
 */
function identityOf({ kind, metadata }: TestObject): unknown {
  const { annotations: _told, ...identity } = metadata;
  if (kind !== 'FlowSchema') return identity;
  const { managedFields: _owners, resourceVersion: _version, ...rest } = identity;
  return rest;
}

const pathIn = (version: string, { group, below }: Kept): string =>
  group === '' ? `/api/${version}${below}` : `/apis/${group}/${version}${below}`;

/** The versions that are served of each resource, the preferred one first. */
async function servedVersions(): Promise<ReadonlyMap<string, readonly string[]>> {
  const versions = new Map<string, string[]>();
  const add = async (path: string, group: string, version: string): Promise<void> => {
    const { status, json } = await server.get(path);
    // The server of the APIService that was made is not there.
    if (status === 503) return;
    for (const { name } of json.resources as { name: string }[]) {
      const resource = group === '' ? name : `${name}.${group}`;
      versions.set(resource, [...(versions.get(resource) ?? []), version]);
    }
  };
  await add('/api/v1', '', 'v1');
  for (const { name, versions: all } of (await server.get('/apis')).json.groups) {
    for (const { version } of all) await add(`/apis/${name}/${version}`, name, version);
  }
  return versions;
}

/** Looks at what was made, in every version that the release serves; gives what it has no more. */
async function checkAll(t: Test): Promise<readonly string[]> {
  const served = await servedVersions();
  const gone: string[] = [];
  for (const one of kept) {
    const versions = served.get(one.resource) ?? [];
    if (versions.length === 0) gone.push(one.resource);
    for (const version of versions) {
      const path = pathIn(version, one);
      const { status, json, text } = await server.get(path);
      if (status !== 200) t.fail(`${path}: ${text.slice(0, 300)}`);
      else t.strictSame(identityOf(json), one.identity, path);
      const apiVersion = one.group === '' ? version : `${one.group}/${version}`;
      t.strictSame([json.apiVersion, json.kind], [apiVersion, one.kind], path);
    }
  }
  return [...new Set(gone)];
}

/** A watch from before an object goes on with its making. */
async function checkWatches(t: Test): Promise<void> {
  const served = await servedVersions();
  for (const one of kept) {
    const [version] = served.get(one.resource) ?? [];
    if (version === undefined) continue;
    const [, collection = '', name = ''] = /^(.*)\/([^/]*)$/.exec(pathIn(version, one)) ?? [];
    const selector = `fieldSelector=metadata.name%3D${name}`;
    const query = `watch=true&resourceVersion=${one.before}&${selector}`;
    const watch = await server.watch(`${collection}?${query}`);
    const event = await watch.next();
    watch.close();
    const metadata = { name: decodeURIComponent(name) };
    t.match(event, { type: 'ADDED', object: { metadata } }, collection);
  }
}

/** Labels everything in the release: old objects can be written there. */
async function labelAll(t: Test, label: string): Promise<void> {
  const served = await servedVersions();
  for (const one of kept) {
    const [version] = served.get(one.resource) ?? [];
    if (version === undefined) continue;
    const path = pathIn(version, one);
    const body = { metadata: { labels: { [label]: 'yes' } } };
    const { status, json, text } = await sendPatch(
      server,
      `${path}?fieldManager=${label}`,
      'merge',
      body,
    );
    if (status !== 200) {
      t.fail(`${path}: ${text.slice(0, 400)}`);
      continue;
    }
    const managers = (json.metadata.managedFields as { manager: string }[]).map((of) => of.manager);
    t.ok(managers.includes(label), `${path} has an owner more`);
    one.identity = identityOf(json);
  }
}

t.test('objects of all kinds', async (t) => {
  for (const [name, kind] of await eachServedKind(server)) {
    const { groupVersion, plural } = kind.served;
    const [group, version] = groupVersion.includes('/')
      ? (groupVersion.split('/') as [string, string])
      : ['', groupVersion];
    const before = (await server.get(kind.path)).json.metadata.resourceVersion as string;
    const unique = `kept-${group.split('.')[0]}-${version}`;
    const document = kind.minimal(unique, { metadata: { labels: { made: 'yes' } } });
    const { status, json, text } = await kind.create(document, '?fieldManager=maker');
    t.equal(status, 201, `${name}: ${text.slice(0, 300)}`);
    const root = group === '' ? `/api/${version}` : `/apis/${groupVersion}`;
    kept.push({
      resource: group === '' ? plural : `${plural}.${group}`,
      kind: json.kind,
      group,
      below: kind.pathOf(json).slice(root.length),
      before,
      identity: identityOf(json),
    });
  }
  t.same(await checkAll(t), []);
});

t.test('and of a custom type', async (t) => {
  const [group, plural, kind] = ['shop.test', 'things', 'Thing'];
  await established(server, customDefinition(group, kind));
  const collection = `/namespaces/default/${plural}`;
  const path = `/apis/${group}/v1${collection}`;
  const before = (await server.get(path)).json.metadata.resourceVersion as string;
  const metadata = { name: 'kept', labels: { made: 'yes' } };
  const { json } = await server.post(path, { apiVersion: `${group}/v1`, kind, metadata });
  const below = `${collection}/kept`;
  const resource = `${plural}.${group}`;
  kept.push({ resource, kind, group, below, before, identity: identityOf(json) });
  t.same(await checkAll(t), []);
});

for (const name of LATER) {
  t.test(`the same objects in the versions of ${name}, after a kill`, async (t) => {
    await server.kill();
    await server.restart(release(name));
    t.match((await server.get('/version')).json.gitVersion, `v${name}.`);
    t.match(server.stderr, new RegExp(`the data folder goes from release 1.[0-9]+ to ${name}`));
    t.match(server.stderr, `release ${name} has no ${POLICIES}: they are kept`);
    t.same(await checkAll(t), [POLICIES], 'all else is served');
    await checkWatches(t);
    await labelAll(t, `in-${name}`);
  });
}

t.test('down again only where the user says so', async (t) => {
  const containers = [{ name: 'a', image: 'a' }];
  const initContainers = [{ name: 'b', image: 'a', restartPolicy: 'Always' }];
  const spec = { containers, initContainers, automountServiceAccountToken: false };
  const made = await server.post(PODS, { metadata: { name: 'newer' }, spec });
  t.equal(made.json.spec?.initContainers[0].restartPolicy, 'Always', made.text.slice(0, 300));
  await server.kill();
  const refused = server.restart(release('1.23'));
  await t.rejects(refused, /last used with release 1\.37: give --release 1\.37, or --allow-lower/);
  await server.restart(release('1.23', '--allow-lower-release'));
  t.same(await checkAll(t), [], 'what was kept is served again');
  const labelled = { metadata: { labels: { a: 'b' } } };
  const written = await sendPatch(server, `${PODS}/newer`, 'merge', labelled);
  t.equal(written.status, 200, written.text.slice(0, 300));
  await server.stop();
  await server.restart(release('1.23'));
  await checkAll(t);
  const { json } = await server.get(`${PODS}/newer`);
  t.equal(json.metadata.uid, made.json.metadata.uid, 'it is a folder of that release now');
  t.notOk('restartPolicy' in json.spec.initContainers[0], 'without what that does not have');
});
