/** The roles, bindings and priorities that the server begins with: made, mended, or left out. */
import t from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { Server } from '../support/server.ts';
import { startServer } from '../support/server.ts';

const API = '/apis/rbac.authorization.cluster.io/v1';
const ROLES = `${API}/clusterroles`;
const BINDINGS = `${API}/clusterrolebindings`;
const TYPES = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
const AUTO_UPDATE = 'rbac.authorization.cluster.io/autoupdate';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** What the test does is told apart from what the sums of roles do by themselves. */
const ARGS = ['--controllers', ''];

async function counts(server: Server) {
  const lists = await Promise.all(TYPES.map((type) => server.get(`${API}/${type}`)));
  return lists.map(({ json }) => json.items.length);
}

t.test('a start makes them, and another one mends what was done to them', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  t.same(await counts(server), [62, 43, 7, 7]);
  t.match(server.process.stdout, '(125 objects)', 'with namespaces and priorities, when ready');
  const steps = await server.get('/readyz?verbose');
  t.match(steps.text, '[+]poststarthook/rbac/bootstrap-roles ok');
  const patch = async (path: string, body: object): Promise<void> => {
    t.equal((await server.request('PATCH', path, body, MERGE)).status, 200, path);
  };
  const mine = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

  await server.delete(`${ROLES}/system:basic-user`);
  await patch(`${ROLES}/system:heapster`, { rules: [mine] });
  const keep = { metadata: { annotations: { [AUTO_UPDATE]: 'false' } } };
  await patch(`${ROLES}/system:kube-dns`, { ...keep, rules: [mine] });
  await patch(`${BINDINGS}/system:discovery`, {
    subjects: [],
    metadata: { labels: { mine: 'x' } },
  });
  const { json: monitoring } = await server.get(`${BINDINGS}/system:monitoring`);
  await server.delete(`${BINDINGS}/system:monitoring`);
  const { apiVersion, kind, roleRef } = monitoring;
  await server.post(BINDINGS, {
    apiVersion,
    kind,
    metadata: { name: 'system:monitoring' },
    roleRef: { ...roleRef, name: 'view' },
  });
  await server.stop();
  await server.restart();

  t.same(await counts(server), [62, 43, 7, 7]);
  const { json: heapster } = await server.get(`${ROLES}/system:heapster`);
  t.same(heapster.rules[0], mine, 'what was added stays');
  t.ok(heapster.rules.length > 1, 'what was missing is added');
  t.same((await server.get(`${ROLES}/system:kube-dns`)).json.rules, [mine], 'as it asked for');
  t.match((await server.get(`${BINDINGS}/system:discovery`)).json, {
    metadata: { labels: { mine: 'x' } },
    subjects: [{ kind: 'Group', name: 'system:authenticated' }],
  });
  const { json: again } = await server.get(`${BINDINGS}/system:monitoring`);
  t.same(again.roleRef, roleRef, 'a role cannot be exchanged: the binding is made anew');
  t.same(again.subjects, monitoring.subjects);
  t.equal(server.stderr, '');
});

t.test('where all is right a start writes nothing', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const versions = async (): Promise<string[]> => {
    const lists = await Promise.all(TYPES.map((type) => server.get(`${API}/${type}`)));
    return lists.flatMap(({ json }) =>
      json.items.map((item: { metadata: { resourceVersion: string } }) => {
        return item.metadata.resourceVersion;
      }),
    );
  };
  const before = await versions();
  await server.stop();
  await server.restart();
  t.same(await versions(), before);
});

t.test('the priority classes of the system come back at a start, as they were', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const path = '/apis/scheduling.cluster.io/v1/priorityclasses';
  const rows = async (): Promise<unknown> =>
    (await server.get(path)).json.items.map(({ metadata, ...members }: ApiObject) => {
      const { value, globalDefault = false, preemptionPolicy } = members;
      return [metadata.name, value, globalDefault, preemptionPolicy];
    });
  const both = [
    ['system-cluster-critical', 2_000_000_000, false, 'PreemptLowerPriority'],
    ['system-node-critical', 2_000_001_000, false, 'PreemptLowerPriority'],
  ];
  t.same(await rows(), both);
  const step = '[+]poststarthook/scheduling/bootstrap-system-priority-classes ok';
  t.match((await server.get('/readyz?verbose')).text, step);

  const { status, json } = await server.delete(`${path}/system-node-critical`);
  t.equal(status, 403);
  t.match(json.message, / is forbidden: this is a system priority class and cannot be deleted$/);
  const all = await server.delete(`${path}?fieldSelector=metadata.name=system-node-critical`);
  t.equal(all.status, 200, 'but as one of many, as in the reference');
  await server.request('PATCH', `${path}/system-cluster-critical`, { description: 'mine' }, MERGE);
  await server.stop();
  await server.restart();
  t.same(await rows(), both);
  const kept = await server.get(`${path}/system-cluster-critical`);
  t.equal(kept.json.description, 'mine', 'what is there is left alone');
});

t.test('without RBAC there are none', async (t) => {
  const args = [...ARGS, '--authorization-mode', 'AlwaysAllow'];
  const server = await startServer({ test: t, args });
  t.same(await counts(server), [0, 0, 0, 0]);
  t.notMatch((await server.get('/readyz?verbose')).text, 'bootstrap-roles');
});

t.end();
