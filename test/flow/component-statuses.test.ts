/** ComponentStatus: the health of the store, as the old way to ask has it. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { startServer } from '../support/server.ts';

const STATUSES = '/api/v1/componentstatuses';
const STORE = {
  metadata: { name: 'etcd-0', creationTimestamp: null },
  conditions: [{ type: 'Healthy', status: 'True', message: '{"health":"true"}' }],
};

const server = await startServer({ test: t });

t.test('one, and all of them', async (t) => {
  const one = await server.get(`${STATUSES}/etcd-0`);
  t.equal(one.status, 200);
  t.same(one.json, { kind: 'ComponentStatus', apiVersion: 'v1', ...STORE });
  t.match(one.headers['warning'], 'v1 ComponentStatus is deprecated in v1.19+');
  const all = await server.get(STATUSES);
  t.equal(all.status, 200);
  t.same(all.json, {
    kind: 'ComponentStatusList',
    apiVersion: 'v1',
    metadata: {},
    items: [STORE],
  });
});

t.test('selectors', async (t) => {
  const rows: [string, number][] = [
    ['fieldSelector=metadata.name=etcd-0', 1],
    ['fieldSelector=metadata.name!=etcd-0', 0],
    ['labelSelector=a', 0],
    ['labelSelector=!a', 1],
  ];
  for (const [query, count] of rows) {
    t.equal((await server.get(`${STATUSES}?${query}`)).json.items.length, count, query);
  }
  expectFailure(t, await server.get(`${STATUSES}?fieldSelector=spec.x=1`), { code: 400 });
});

t.test('what there is not', async (t) => {
  for (const name of ['scheduler', 'controller-manager', 'x']) {
    expectFailure(t, await server.get(`${STATUSES}/${name}`), {
      code: 404,
      message: `componentstatuses "${name}" not found`,
    });
  }
  expectFailure(t, await server.post(STATUSES, {}), { code: 405 });
  expectFailure(t, await server.delete(`${STATUSES}/etcd-0`), { code: 405 });
});

t.end();
