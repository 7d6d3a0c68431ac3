/**
 * Custom types in several versions, which come, go and change places under requests and watches.
 */
import t from 'tap';
import {
  customDefinition,
  definedVersion,
  DEFINITIONS,
  established,
} from '../support/custom-types.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const GROUP = 'versions.example.com';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

function schemaOf(properties: Members): Members {
  const spec = { type: 'object', properties };
  return { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
}

const SIZE = { size: { type: 'string' } };

function collectionIn(version: string, plural: string): string {
  return `/apis/${GROUP}/${version}/namespaces/default/${plural}`;
}

async function define(kind: string, versions: readonly Members[]): Promise<string> {
  const definition = customDefinition(GROUP, kind, versions);
  await established(server, definition);
  return `${DEFINITIONS}/${definition.metadata.name}`;
}

async function redefine(path: string, versions: readonly Members[]): Promise<void> {
  const patched = await server.request('PATCH', path, { spec: { versions } }, MERGE);
  t.equal(patched.status, 200, patched.text.slice(0, 300));
}

function object(version: string, kind: string, name: string, members: Members = {}): Members {
  return { apiVersion: `${GROUP}/${version}`, kind, metadata: { name }, ...members };
}

t.test('watches of a version end when it is not served any more; others go on', async (t) => {
  const path = await define('Ender', [definedVersion('v1'), definedVersion('v1beta1')]);
  const first = await server.watch(`${collectionIn('v1', 'enders')}?watch=true`);
  const second = await server.watch(`${collectionIn('v1beta1', 'enders')}?watch=true`);
  await server.post(collectionIn('v1', 'enders'), object('v1', 'Ender', 'a'));
  await server.post(collectionIn('v1', 'enders'), object('v1', 'Ender', 'b'));
  const page = await server.get(`${collectionIn('v1beta1', 'enders')}?limit=1`);
  const [seen] = await second.take(1);
  t.equal(seen?.object.apiVersion, `${GROUP}/v1beta1`);

  await redefine(path, [definedVersion('v1'), definedVersion('v1beta1', { served: false })]);
  await second.end();
  t.equal(second.rest, '', 'cleanly');
  const token = encodeURIComponent(page.json.metadata.continue);
  const gone = await server.get(`${collectionIn('v1beta1', 'enders')}?limit=1&continue=${token}`);
  t.equal(gone.status, 404, 'nothing is served in it');
  await server.delete(`${collectionIn('v1', 'enders')}/a`);
  const events = await first.take(3);
  t.same(
    events.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`),
    ['ADDED a', 'ADDED b', 'DELETED a'],
  );
  first.close();

  await redefine(path, [definedVersion('v1'), definedVersion('v1beta1')]);
  const again = () => server.get(`${collectionIn('v1beta1', 'enders')}/b`);
  await until(async () => (await again()).status === 200);
  t.equal((await again()).json.apiVersion, `${GROUP}/v1beta1`, 'it is served again');
});

t.test('watches stay when another version is stored', async (t) => {
  const path = await define('Mover', [definedVersion('v1'), definedVersion('v2')]);
  const watch = await server.watch(`${collectionIn('v1', 'movers')}?watch=true`);
  await server.post(collectionIn('v1', 'movers'), object('v1', 'Mover', 'a', { size: 1 }));
  await redefine(path, [
    definedVersion('v1', { storage: false }),
    definedVersion('v2', { storage: true }),
  ]);
  await until(async () => {
    const { json } = await server.get(path);
    return json.status.storedVersions.length === 2;
  });
  const patched = await server.request(
    'PATCH',
    `${collectionIn('v2', 'movers')}/a`,
    { size: 2 },
    MERGE,
  );
  t.match(patched.json, { apiVersion: `${GROUP}/v2`, size: 2 });
  const events = await watch.take(2);
  t.same(
    events.map(({ object: { apiVersion, size } }) => [apiVersion, size]),
    [
      [`${GROUP}/v1`, 1],
      [`${GROUP}/v1`, 2],
    ],
  );
  watch.close();
});

t.test('managed fields are those of the version of each writer', async (t) => {
  await define('Owned', [
    definedVersion('v1', schemaOf(SIZE)),
    definedVersion('v2', schemaOf({ ...SIZE, color: { type: 'string' } })),
  ]);
  const body = (version: string, spec: Members) =>
    JSON.stringify(object(version, 'Owned', 'a', { spec }));
  const apply = (version: string, manager: string, spec: Members) =>
    server.request(
      'PATCH',
      `${collectionIn(version, 'owneds')}/a?fieldManager=${manager}`,
      body(version, spec),
      APPLY,
    );
  t.equal((await apply('v2', 'two', { size: 'b' })).status, 201);
  const refused = await apply('v1', 'one', { size: 's' });
  t.equal(refused.json.message, 'Apply failed with 1 conflict: conflict with "two": .spec.size');
  t.equal((await apply('v1', 'one', { size: 'b' })).status, 200, 'both have the same opinion');
  const { json } = await server.get(`${collectionIn('v1', 'owneds')}/a`);
  // They stand in the order of their times, which are seconds.
  const owners = json.metadata.managedFields.map((entry: Members) => [
    entry['manager'],
    entry['apiVersion'],
  ]);
  t.same(owners.sort(), [
    ['one', `${GROUP}/v1`],
    ['two', `${GROUP}/v2`],
  ]);
  const dropped = await apply('v2', 'two', {});
  t.same(dropped.json.spec, { size: 'b' }, 'the other one still wants it');
});

t.test('an apply of what an object has changes no more than who owns it', async (t) => {
  const minutes = { minutes: { type: 'integer', default: 15 } };
  await define('Checker', [
    definedVersion('v1', { ...schemaOf({ ...SIZE, ...minutes }), storage: false }),
    definedVersion('v2', { ...schemaOf(SIZE), storage: true }),
  ]);
  const path = `${collectionIn('v1', 'checkers')}/a`;
  const config = (labels?: Members) =>
    object('v1', 'Checker', 'a', { spec: { size: 's' }, metadata: { name: 'a', labels } });
  const apply = (manager: string, labels?: Members) =>
    server.request(
      'PATCH',
      `${path}?fieldManager=${manager}`,
      JSON.stringify(config(labels)),
      APPLY,
    );
  t.equal((await apply('one')).status, 201);
  const { json } = await apply('two');
  t.equal(json.metadata.managedFields.length, 2);
  t.equal(json.metadata.generation, 1, 'the default of its version is no change');
  const labelled = await apply('two', { a: 'b' });
  t.equal(labelled.json.metadata.generation, 2, 'but beside one it counts as such');
});

t.test(
  'a version is validated as it was sent, with what the stored one does not know',
  async (t) => {
    const color = { color: { type: 'string', enum: ['red'] } };
    const old = { type: 'object', required: ['color'], properties: { ...SIZE, ...color } };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: old } } };
    await define('Narrow', [
      definedVersion('v1', schemaOf(SIZE)),
      definedVersion('v1beta1', { schema }),
    ]);
    const path = collectionIn('v1beta1', 'narrows');
    const narrow = (spec: Members) => object('v1beta1', 'Narrow', 'a', { spec });
    const refused = await server.post(path, narrow({ size: 's', color: 'blue' }));
    t.match(refused.json.message, 'spec.color: Unsupported value: "blue"');
    const tried = await server.post(`${path}?dryRun=All`, narrow({ size: 's', color: 'red' }));
    t.same(tried.json.spec, { size: 's' }, 'as it would be stored');
    const created = await server.post(path, narrow({ size: 's', color: 'red' }));
    t.equal(created.status, 201, created.text);
    t.same(created.json.spec, { size: 's' }, 'what the stored version does not know is not kept');
    t.same((await server.get(`${path}/a`)).json, created.json);
    const merged = await server.request('PATCH', `${path}/a`, { spec: { size: 't' } }, MERGE);
    t.match(merged.json.message, 'spec.color: Required value', 'as it is seen there');
    const whole = { spec: { size: 't', color: 'red' } };
    const dry = await server.request('PATCH', `${path}/a?dryRun=All`, whole, MERGE);
    t.same(dry.json.spec, { size: 't' });
    t.same((await server.request('PATCH', `${path}/a`, whole, MERGE)).json.spec, { size: 't' });
    t.same((await server.get(`${collectionIn('v1', 'narrows')}/a`)).json.spec, { size: 't' });
  },
);

t.test('a definition that changes all the time, under writers and a watch', async (t) => {
  const versions = (flip: number) => [
    definedVersion('v1', schemaOf(flip % 3 === 0 ? SIZE : { ...SIZE, old: { type: 'string' } })),
    definedVersion('v2', { served: flip % 2 === 0 }),
  ];
  const path = await define('Flipper', versions(0));
  const watch = await server.watch(`${collectionIn('v1', 'flippers')}?watch=true`);
  let isOver = false;
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const version = turn % 2 === 0 ? 'v1' : 'v2';
      const name = `w${writer}-${turn % 3}`;
      const at = `${collectionIn(version, 'flippers')}/${name}`;
      const spec = { size: `${turn}` };
      const made = await server.post(
        collectionIn(version, 'flippers'),
        object(version, 'Flipper', name, { spec }),
      );
      const patched = await server.request('PATCH', at, { spec: { size: 'later' } }, MERGE);
      const deleted = turn % 5 === 0 ? await server.delete(at) : made;
      for (const { status, text } of [made, patched, deleted]) {
        if (![200, 201, 404, 409].includes(status)) t.fail(text.slice(0, 300));
      }
    }
  };
  const writers = Promise.all([0, 1, 2, 3].map(write));
  for (let flip = 1; flip <= 20; flip++) await redefine(path, versions(flip));
  isOver = true;
  await writers;

  const { json } = await server.get(collectionIn('v1', 'flippers'));
  const stored = new Map<string, string>();
  for (const { metadata } of json.items) stored.set(metadata.name, metadata.resourceVersion);
  const seen = new Map<string, string>();
  const last = (await server.post(collectionIn('v1', 'flippers'), object('v1', 'Flipper', 'last')))
    .json.metadata;
  for (let name = ''; name !== last.name;) {
    const [event] = await watch.take(1);
    t.equal(event?.object.apiVersion, `${GROUP}/v1`);
    name = event?.object.metadata.name;
    if (event?.type === 'DELETED') seen.delete(name);
    else if (name !== last.name) seen.set(name, event?.object.metadata.resourceVersion);
  }
  t.same(seen, stored, 'the watch has told all that was written');
  watch.close();
});
