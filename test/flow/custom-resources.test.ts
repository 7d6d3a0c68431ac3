// The life of a definition, and what becomes of its objects.
import t from 'tap';
import type { Members } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/owned-objects.ts';

const server = await startServer({ args: ['--durability', 'relaxed'] });
t.teardown(() => server.stop());
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'string', default: 'big' },
        replicas: { type: 'integer' },
        items: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};

function definition(plural: string, version: Members = {}, names: Members = {}): Members {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.flow.example.com` },
    spec: {
      group: 'flow.example.com',
      scope: 'Namespaced',
      names: { plural, kind, ...names },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: SCHEMA },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
          ...version,
        },
      ],
    },
  };
}

function pathOf(plural: string): string {
  return `${DEFINITIONS}/${plural}.flow.example.com`;
}

function collectionOf(plural: string): string {
  return `/apis/flow.example.com/v1/namespaces/default/${plural}`;
}

function object(plural: string, name: string, members: Members = {}): Members {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return { apiVersion: 'flow.example.com/v1', kind, metadata: { name }, ...members };
}

function conditionOf(answer: { json: Members }, type: string): string {
  const status = answer.json['status'] as { conditions?: { type: string; status: string }[] };
  return status.conditions?.find((condition) => condition.type === type)?.status ?? '';
}

function merge(path: string, change: unknown) {
  const headers = { 'content-type': 'application/merge-patch+json' };
  return server.request('PATCH', path, JSON.stringify(change), headers);
}

async function define(plural: string, ...others: Members[]): Promise<void> {
  const created = await server.post(DEFINITIONS, definition(plural, ...others));
  t.equal(created.status, 201, created.text.slice(0, 300));
  await until(async () => conditionOf(await server.get(pathOf(plural)), 'Established') === 'True');
}

t.test('an established type is served from the next request on', async (t) => {
  await define('firsts');
  const created = await server.post(
    collectionOf('firsts'),
    object('firsts', 'a', {
      spec: { replicas: 3, unknown: 1, items: [{ a: 'x', b: 1 }] },
      status: { replicas: 2 },
    }),
  );
  t.equal(created.status, 201, created.text);
  t.same(created.json.spec, { replicas: 3, size: 'big', items: [{ a: 'x' }] }, 'pruned, defaulted');
  t.equal(created.json.status, undefined, 'the status is written through /status');
  t.equal(created.json.metadata.generation, 1);

  const path = `${collectionOf('firsts')}/a`;
  const status = await merge(`${path}/status`, { status: { replicas: 5 } });
  t.same(status.json.status, { replicas: 5 }, status.text);
  t.equal(status.json.metadata.generation, 1);
  const scaled = await merge(`${path}/scale`, { spec: { replicas: 7 } });
  t.match(scaled.json, { kind: 'Scale', spec: { replicas: 7 }, status: { replicas: 5 } });
  t.match((await server.get(path)).json, { metadata: { generation: 2 }, spec: { replicas: 7 } });
  t.match((await server.get(collectionOf('firsts'))).json, {
    kind: 'FirstList',
    metadata: { continue: '' },
    items: [{ apiVersion: 'flow.example.com/v1', kind: 'First' }],
  });
  t.equal((await server.delete(path)).json.status, 'Success');
});

t.test('a change of the schema holds for what is stored already', async (t) => {
  await define('seconds');
  const path = `${collectionOf('seconds')}/a`;
  await server.post(collectionOf('seconds'), object('seconds', 'a', { spec: { items: [{}] } }));
  const changed = structuredClone(SCHEMA);
  const properties = changed.properties.spec.properties as Members;
  delete properties['items'];
  properties['color'] = { type: 'string', default: 'red' };
  await merge(pathOf('seconds'), {
    spec: (definition('seconds', { schema: { openAPIV3Schema: changed } }) as Members).spec,
  });
  await until(async () => (await server.get(path)).json.spec.color === 'red');
  t.same((await server.get(path)).json.spec, { size: 'big', color: 'red' });
  await server.kill();
  await server.restart();
  t.same((await server.get(path)).json.spec, { size: 'big', color: 'red' }, 'after a restart too');
});

t.test('a definition that goes takes its objects along, and may come back', async (t) => {
  await define('thirds');
  const path = `${collectionOf('thirds')}/held`;
  const finalizers = ['example.com/mine'];
  await server.post(collectionOf('thirds'), {
    ...object('thirds', 'held'),
    metadata: { name: 'held', finalizers },
  });
  await server.post(collectionOf('thirds'), object('thirds', 'free'));
  const deleted = await server.delete(pathOf('thirds'));
  t.equal(conditionOf(deleted, 'Terminating'), 'True', deleted.text);
  await until(async () => (await server.get(`${collectionOf('thirds')}/free`)).status === 404);
  const refused = await server.post(collectionOf('thirds'), object('thirds', 'new'));
  t.equal(refused.status, 405, 'none may be made');
  t.ok((await server.get(path)).json.metadata.deletionTimestamp, 'what is held waits');

  await merge(path, { metadata: { finalizers: null } });
  await until(async () => (await server.get(pathOf('thirds'))).status === 404);
  await until(async () => (await server.get(collectionOf('thirds'))).status === 404);
  await define('thirds');
  t.same((await server.get(collectionOf('thirds'))).json.items, []);
});

t.test('who reads slowly is told of all objects that go with a definition', async (t) => {
  await define('slows');
  const large = { spec: { size: 'x'.repeat(1_400_000) } };
  const names = Array.from({ length: 12 }, (_, index) => `slow-${index}`);
  for (const name of names) {
    const made = await server.post(collectionOf('slows'), object('slows', name, large));
    t.equal(made.status, 201);
  }
  const watch = await server.watch(`${collectionOf('slows')}?watch=true&resourceVersion=0`);
  watch.pause();
  await server.delete(pathOf('slows'));
  await until(async () => {
    const { json } = await server.get(collectionOf('slows'));
    return json.items === undefined || json.items.length === 0;
  });
  watch.resume();
  await watch.end();
  const told = watch.events.filter(({ type }) => type === 'DELETED');
  const toldOf = told.map(({ object: its }) => String(its.metadata.name));
  t.same(toldOf.toSorted(), names.toSorted());
  await until(async () => (await server.get(pathOf('slows'))).status === 404);
});

t.test('names that another definition has are not accepted until it goes', async (t) => {
  await define('fourths', {}, { shortNames: ['fo'] });
  const other = definition('fifths', {}, { shortNames: ['fo'] });
  await server.post(DEFINITIONS, other);
  const accepted = async () => conditionOf(await server.get(pathOf('fifths')), 'NamesAccepted');
  await until(async () => (await accepted()) === 'False');
  t.equal((await server.get(collectionOf('fifths'))).status, 404);
  await server.delete(pathOf('fourths'));
  await until(async () => (await accepted()) === 'True');
  t.equal((await server.get(collectionOf('fifths'))).status, 200);
});

t.test('owners of custom kinds are known to the garbage collector', async () => {
  await define('owners');
  const owner = await server.post(collectionOf('owners'), object('owners', 'o'));
  const { uid } = owner.json.metadata;
  const ownerReferences = [{ apiVersion: 'flow.example.com/v1', kind: 'Owner', name: 'o', uid }];
  const maps = '/api/v1/namespaces/default/configmaps';
  await server.post(maps, { metadata: { name: 'owned', ownerReferences } });
  await server.delete(pathOf('owners'));
  await until(async () => (await server.get(`${maps}/owned`)).status === 404);
});

t.test('a namespace that goes takes custom objects along', async (t) => {
  await define('sixths');
  await server.post('/api/v1/namespaces', { metadata: { name: 'going' } });
  const path = '/apis/flow.example.com/v1/namespaces/going/sixths';
  t.equal((await server.post(path, object('sixths', 'a'))).status, 201);
  await server.delete('/api/v1/namespaces/going');
  await until(async () => (await server.get('/api/v1/namespaces/going')).status === 404);
  t.same((await server.get(path)).json.items, []);
  const refused = await server.post(path, object('sixths', 'b'));
  t.equal(refused.status, 404, 'there is no such namespace');
});

t.test('the scale of a custom object', async (t) => {
  await define('sevenths');
  const path = `${collectionOf('sevenths')}/s`;
  const scale = (replicas?: number): Members => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 's' },
    spec: { replicas },
  });
  await server.post(collectionOf('sevenths'), object('sevenths', 's', { spec: {} }));
  const missing = await server.get(`${path}/scale`);
  t.equal(missing.status, 500);
  t.match(missing.json.message, /the spec replicas field ".spec.replicas" does not exist$/);
  const unsaid = await merge(`${path}/scale`, { metadata: { labels: { a: 'b' } } });
  t.equal(unsaid.json.message, 'the spec replicas field ".spec.replicas" cannot be empty');
  const first = await server.put(`${path}/scale`, scale(3));
  t.same([first.status, first.json.spec], [200, { replicas: 3 }], 'without a version');

  const config = { ...object('sevenths', 's'), spec: { replicas: 4 } };
  const owned = async () => {
    const { metadata } = (await server.get(path)).json;
    return metadata.managedFields?.map(({ manager }: { manager: string }) => manager) ?? [];
  };
  const apply = (to: string, body: Members) =>
    server.request('PATCH', `${to}?fieldManager=me&force=true`, JSON.stringify(body), {
      'content-type': 'application/apply-patch+yaml',
    });
  t.equal((await apply(path, config)).status, 200);
  t.ok((await owned()).includes('me'));
  t.same((await merge(`${path}/scale`, { spec: { replicas: 5 } })).json.spec, { replicas: 5 });
  t.same((await server.get(path)).json.spec.replicas, 5);
  const { metadata } = (await server.get(path)).json;
  t.notMatch(JSON.stringify(metadata.managedFields), /f:replicas/, 'nobody owns them now');

  const refused = await apply(`${path}/scale`, scale(6));
  t.equal(refused.status, 500);
  t.match(refused.json.message, /^failed to create manager for existing fields/);
  t.equal((await apply(path, { ...config, spec: { replicas: 6 } })).status, 200);
  const same = await apply(`${path}/scale`, scale(6));
  t.match(same.json, { kind: 'Scale', spec: { replicas: 6 } }, 'what it has may be applied');
  const untyped = await apply(`${path}/scale`, { ...scale(6), spec: [] });
  t.match(untyped.json.message, /^failed to create typed patch object/);
  const changing = await apply(`${path}/scale`, scale(7));
  t.match(
    changing.json.message,
    /^failed to convert new object \(\/s; autoscaling\/v1, Kind=Scale/,
  );
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  const patched = await server.request('PATCH', `${path}/scale`, '{}', strategic);
  t.equal(patched.status, 415);
  const negative = await server.put(`${path}/scale`, scale(-1));
  t.match(negative.json.message, /: \.spec\.replicas: Invalid value: -1: should be a non-neg/);
  const other = { ...scale(1), metadata: { name: 's', uid: 'other' } };
  const taken = await server.put(`${path}/scale`, other);
  t.match(taken.json.message, /Key: \/registry\/flow\.example\.com\/sevenths\/default\/s,/);
});

t.test('a large definition is checked like any other, though elsewhere', async (t) => {
  const properties = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [
      `field${at}`,
      { type: 'string', pattern: at === 700 ? '(' : `^a{${at}}$`, description: 'x'.repeat(80) },
    ]),
  );
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const refused = await server.post(DEFINITIONS, definition('larges', { schema }));
  t.equal(refused.status, 422, refused.text.slice(0, 300));
  t.match(refused.json.details, {
    causes: [
      {
        field: 'spec.validation.openAPIV3Schema.properties[field700].pattern',
        message: /missing closing \)/,
      },
    ],
  });
  Object.assign(properties['field700'] ?? {}, { pattern: 'a' });
  await define('larges', { schema });
  const wrong = await server.post(collectionOf('larges'), object('larges', 'a', { field700: 'b' }));
  t.equal(wrong.status, 422);
});
