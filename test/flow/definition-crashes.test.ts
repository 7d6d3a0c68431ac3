// The server is killed while definitions are in every step of their lives.
import t from 'tap';
import { customDefinition, DEFINITIONS, established, versionsOf } from '../support/custom-types.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer, type Answer } from '../support/server.ts';

const GROUP = 'crashes.example.com';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const OBJECTS = 300;

const server = await startServer({ test: t });

type Definition = ReturnType<typeof customDefinition>;

const pathOf = ({ metadata }: Definition): string => `${DEFINITIONS}/${metadata.name}`;
const collectionOf = (kind: string): string =>
  `/apis/${GROUP}/v1/namespaces/default/${kind.toLowerCase()}s`;

async function make(kind: string, name: string, metadata: Members = {}): Promise<Answer> {
  const object = { apiVersion: `${GROUP}/v1`, kind, metadata: { name, ...metadata } };
  const made = await server.post(collectionOf(kind), object);
  t.equal(made.status, 201, made.text.slice(0, 300));
  return made;
}

async function defined(kind: string, names: Members = {}): Promise<Definition> {
  const definition = customDefinition(GROUP, kind, undefined, { names });
  await established(server, definition);
  return definition;
}

async function namesOf(kind: string): Promise<string[]> {
  const list = await server.get(collectionOf(kind));
  t.equal(list.status, 200, `${kind}: ${list.text.slice(0, 300)}`);
  return list.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

t.test('each goes on with what it was at', async (t) => {
  const used = await defined('Used');
  const object = await make('Used', 'a');
  await defined('Held');
  const held = await make('Held', 'a', { finalizers: ['example.com/mine'] });
  const heldPath = pathOf(customDefinition(GROUP, 'Held'));
  await server.delete(heldPath);
  await until(async () => /InstanceDeletionCheck/.test((await server.get(heldPath)).text));
  const [full, gone, anew] = [await defined('Full'), await defined('Gone'), await defined('Anew')];
  const names = Array.from({ length: OBJECTS }, (_, at) => `full-${at}`);
  await Promise.all(names.map((name) => make('Full', name)));
  await make('Gone', 'old');
  await make('Anew', 'old');

  await server.delete(pathOf(gone));
  await until(async () => (await server.get(pathOf(gone))).status === 404);
  await server.delete(pathOf(anew));
  await until(async () => (await server.post(DEFINITIONS, anew)).status === 201);
  // Nobody waits for what these bring about.
  const deleted = await server.delete(pathOf(full));
  const fresh = await server.post(DEFINITIONS, customDefinition(GROUP, 'Fresh'));
  t.same([deleted.status, fresh.status], [200, 201]);
  await server.kill();
  await server.restart();

  t.same((await server.get(`${collectionOf('Used')}/a`)).text, object.text, 'one that is used');
  t.same(await namesOf('Fresh'), [], 'one that was made just now is served');
  t.same(await namesOf('Anew'), [], 'one that was made anew has nothing of the other');
  t.equal((await server.get(collectionOf('Gone'))).status, 404, 'one that has gone stays so');
  t.equal(
    (await server.get(`${collectionOf('Held')}/a`)).json.metadata.uid,
    held.json.metadata.uid,
  );
  const more = { apiVersion: `${GROUP}/v1`, kind: 'Held', metadata: { name: 'b' } };
  t.equal((await server.post(collectionOf('Held'), more)).status, 405, 'one that waits still does');
  await until(async () => (await server.get(pathOf(full))).status === 404);
  // Its type goes after it, as soon as its controller sees that.
  await until(async () => (await server.get(collectionOf('Full'))).status === 404);
  await server.request(
    'PATCH',
    `${collectionOf('Held')}/a`,
    { metadata: { finalizers: [] } },
    MERGE,
  );
  await until(async () => (await server.get(heldPath)).status === 404);

  for (const kind of ['Full', 'Gone', 'Held']) {
    await defined(kind);
    t.same(await namesOf(kind), [], `${kind} can be made anew, and is empty`);
  }
  await server.delete(pathOf(used));
  await server.kill();
  await server.restart();
  await until(async () => (await server.get(pathOf(used))).status === 404);
  t.same(await namesOf('Full'), []);
  t.equal(server.stderr, '', 'nothing went wrong inside');
});

t.test('names stay with whom they are', async (t) => {
  await defined('Zebra', { shortNames: ['taken'] });
  const other = customDefinition(GROUP, 'Ant', undefined, { names: { shortNames: ['taken'] } });
  await server.post(DEFINITIONS, other);
  const isAccepted = async (): Promise<boolean | undefined> => {
    const conditions = (await server.get(pathOf(other))).json.status.conditions as Members[] | null;
    const condition = conditions?.find(({ type }) => type === 'NamesAccepted');
    return condition && condition['status'] === 'True';
  };
  await until(async () => (await isAccepted()) === false);
  await server.kill();
  await server.restart();
  t.equal(await isAccepted(), false, 'whichever is looked at first');
  t.equal((await server.get(collectionOf('Ant'))).status, 404);
  await server.delete(pathOf(customDefinition(GROUP, 'Zebra')));
  await until(async () => (await isAccepted()) === true);
  t.same(await namesOf('Ant'), []);
});

t.test('objects outlive a time in which their names are not accepted', async (t) => {
  await defined('First', { shortNames: ['mine'] });
  const second = await defined('Second');
  const object = await make('Second', 'kept');
  // Somebody takes from it what it was told, when it could not have it any more.
  const spec = { names: { shortNames: ['mine'] } };
  t.equal((await server.request('PATCH', pathOf(second), { spec }, MERGE)).status, 200);
  const accepted = async (): Promise<string | undefined> => {
    const { conditions } = (await server.get(pathOf(second))).json.status;
    return conditions?.find(({ type }: { type: string }) => type === 'NamesAccepted')?.status;
  };
  await until(async () => (await accepted()) === 'False');
  const status = { conditions: null, acceptedNames: { plural: '', kind: '' } };
  await server.request('PATCH', `${pathOf(second)}/status`, { status }, MERGE);
  await until(async () => (await accepted()) === 'False');
  await server.kill();
  await server.restart();
  const released = { spec: { names: { shortNames: ['other'] } } };
  t.equal((await server.request('PATCH', pathOf(second), released, MERGE)).status, 200);
  await until(async () => (await accepted()) === 'True');
  t.equal((await server.get(`${collectionOf('Second')}/kept`)).text, object.text);
});

t.test('objects are moved to the version that is stored now by writing them', async (t) => {
  const versions = (stored: string): Members[] =>
    versionsOf(['v1beta1', 'v1'], stored, { subresources: { status: {} } });
  const definition = customDefinition(GROUP, 'Mover', versions('v1beta1'));
  await established(server, definition);
  const path = pathOf(definition);
  const at = (name: string, version = 'v1'): string =>
    `${collectionOf('Mover').replace('/v1/', `/${version}/`)}/${name}`;
  const patch = (to: string, type: string, body: unknown): Promise<Answer> =>
    server.request('PATCH', to, body, { 'content-type': `application/${type}` });
  const merge = (to: string, body: unknown): Promise<Answer> => patch(to, 'merge-patch+json', body);
  const applied = { apiVersion: `${GROUP}/v1beta1`, kind: 'Mover', metadata: { name: 'apply' } };
  const apply = (): Promise<Answer> =>
    patch(`${at('apply', 'v1beta1')}?fieldManager=me`, 'apply-patch+yaml', JSON.stringify(applied));
  const put = async (to: string): Promise<Answer> =>
    server.request('PUT', to, (await server.get(to.replace('/status', ''))).json);
  const writes: Readonly<Record<string, () => Promise<Answer>>> = {
    put: () => put(at('put')),
    old: () => put(at('old', 'v1beta1')),
    merge: () => merge(at('merge'), {}),
    json: () => patch(at('json'), 'json-patch+json', []),
    apply,
    status: () => put(`${at('status')}/status`),
    'status-patch': () => merge(`${at('status-patch')}/status`, {}),
  };
  await apply();
  for (const name of [...Object.keys(writes), 'left'])
    if (name !== 'apply') await make('Mover', name);
  t.equal((await merge(path, { spec: { versions: versions('v1') } })).status, 200);
  const stored = async (): Promise<string[]> => (await server.get(path)).json.status.storedVersions;
  await until(async () => (await stored()).length === 2);

  const { resourceVersion } = (await server.get(collectionOf('Mover'))).json.metadata;
  const query = `?watch=true&resourceVersion=${resourceVersion}`;
  const watch = await server.watch(collectionOf('Mover') + query);
  for (const [name, write] of Object.entries(writes)) {
    const before = (await server.get(at(name))).json;
    const [once, twice] = [await write(), await write()];
    t.same([once.status, twice.status], [200, 200], once.text);
    const { metadata, ...members } = (await server.get(at(name))).json;
    const { metadata: was, ...same } = before;
    t.not(metadata.resourceVersion, was.resourceVersion, `${name}: it is written anew`);
    t.equal(once.json.metadata.resourceVersion, metadata.resourceVersion, `${name}: once`);
    t.equal(twice.text, once.text, name);
    t.same(members, same, name);
    t.same({ ...metadata, resourceVersion: was.resourceVersion }, was, `${name}: as it was`);
    const [event] = await watch.take(1);
    t.match(event, { type: 'MODIFIED', object: { metadata: { name } } });
  }
  watch.close();

  t.same(await stored(), ['v1beta1', 'v1'], 'nobody else knows that all have been moved');
  const only = { spec: { versions: versions('v1').slice(1) } };
  const refused = await merge(path, only);
  t.match(refused.json.message, 'status.storedVersions[0]: Invalid value: "v1beta1": must appear');
  await merge(path, { status: { storedVersions: ['v1'] } });
  t.same(await stored(), ['v1beta1', 'v1'], 'an update of the status says it, and no other');
  await merge(`${path}/status`, { status: { storedVersions: ['v1'] } });
  t.equal((await merge(path, only)).status, 200);
  await server.kill();
  await server.restart();
  const names = await namesOf('Mover');
  t.same(
    names,
    [...Object.keys(writes), 'left'].sort(),
    'and those that nobody moved are read too',
  );
  t.equal((await server.get(at('left'))).json.apiVersion, `${GROUP}/v1`);
});
