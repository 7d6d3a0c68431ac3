/** Cluster roles that are the sum of others. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const ROLES = '/apis/rbac.authorization.cluster.io/v1/clusterroles';
const server = await startServer({ test: t });
const MERGE = { 'content-type': 'application/merge-patch+json' };
const to = (name: string) => `rbac.authorization.cluster.io/aggregate-to-${name}`;

function reads(...resources: string[]) {
  return { verbs: ['get'], apiGroups: ['example.com'], resources };
}

t.test('the roles of the system are summed up when the server is ready', async (t) => {
  const rules = async (name: string) => (await server.get(`${ROLES}/${name}`)).json.rules;
  t.same(await rules('view'), await rules('system:aggregate-to-view'));
  t.equal((await rules('edit')).length, (await rules('admin')).length - 2, 'sums of sums');
  const { json: view } = await server.get(`${ROLES}/view`);
  t.match(
    view.metadata.managedFields.map(({ manager, operation }: Record<string, string>) => {
      return `${manager} ${operation}`;
    }),
    ['clusterrole-aggregation-controller Apply', 'cluster-apiserver Update'],
  );

  // By names, each rule once: what comes is told to all that it is a part of.
  const has = async (name: string, count: number): Promise<void> => {
    await until(
      async () => JSON.stringify(await rules(name)).split('example.com').length - 1 === count,
    );
  };
  const part = (name: string, ...parts: object[]) => ({
    metadata: { name, labels: { [to('view')]: 'true' } },
    rules: parts,
  });
  const viewed = await rules('view');
  await server.post(ROLES, part('z', reads('zs'), reads('both')));
  await server.post(ROLES, part('a', reads('as'), reads('both')));
  for (const name of ['view', 'edit', 'admin']) await has(name, 3);
  t.same(await rules('view'), [reads('as'), reads('both'), ...viewed, reads('zs')]);

  await server.request(
    'PATCH',
    `${ROLES}/z`,
    { metadata: { labels: { [to('view')]: null } } },
    MERGE,
  );
  for (const name of ['view', 'edit', 'admin']) await has(name, 2);
  await server.delete(`${ROLES}/a`);
  for (const name of ['view', 'edit', 'admin']) await has(name, 0);
  t.same(await rules('view'), viewed);
  const taken = [...viewed, reads('mine')];
  await server.request('PATCH', `${ROLES}/view`, { rules: taken }, MERGE);
  for (const name of ['view', 'edit', 'admin']) await has(name, 0);
  t.equal(server.stderr, '');
});

t.test('a role of its own sums up what its selectors match, in their order', async (t) => {
  const role = (name: string, labels: object) => ({
    metadata: { name, labels },
    rules: [reads(name)],
  });
  for (const [name, labels] of Object.entries({ a: { x: '1' }, b: { y: '1' }, c: { y: '2' } })) {
    await server.post(ROLES, role(name, labels));
  }
  const aggregationRule = {
    clusterRoleSelectors: [
      { matchExpressions: [{ key: 'y', operator: 'Exists' }] },
      { matchLabels: { x: '1' } },
    ],
  };
  const metadata = { name: 'sum', labels: { x: '1' } };
  await server.post(ROLES, { metadata, aggregationRule, rules: [reads('nothing')] });
  const sum = async () => (await server.get(`${ROLES}/sum`)).json.rules;
  await until(async () => (await sum()).length === 3);
  t.same(await sum(), [reads('b'), reads('c'), reads('a')], 'itself is no part of it');
  const none = { clusterRoleSelectors: [{ matchLabels: { none: 'none' } }] };
  await server.request('PATCH', `${ROLES}/sum`, { aggregationRule: none }, MERGE);
  await until(async () => (await sum()) === null);
});

t.end();
