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
