/** The roles, bindings and priorities that the server begins with: made, mended, or left out. */
import t, { type Test } from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { Server } from '../support/server.ts';
import { startServer } from '../support/server.ts';

const API = '/apis/rbac.authorization.cluster.io/v1';
const ROLES = `${API}/clusterroles`;
const BINDINGS = `${API}/clusterrolebindings`;
const PRIORITIES = '/apis/scheduling.cluster.io/v1/priorityclasses';
const TYPES = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
const AUTO_UPDATE = 'rbac.authorization.cluster.io/autoupdate';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** Without them only the test changes roles, not the sums of roles. */
const ARGS = ['--controllers', ''];

async function counts(server: Server) {
  const lists = await Promise.all(TYPES.map((type) => server.get(`${API}/${type}`)));
  return lists.map(({ json }) => json.items.length);
}

const server = await startServer({ test: t, args: ARGS });

async function patch(t: Test, path: string, body: object): Promise<void> {
  t.equal((await server.request('PATCH', path, body, MERGE)).status, 200, path);
}

async function startAgain(): Promise<void> {
  await server.stop();
  await server.restart();
}

t.test('a start makes them, and another one writes nothing where all is right', async (t) => {
  t.same(await counts(server), [62, 43, 7, 7]);
  t.match(server.process.stdout, '(125 objects)', 'with namespaces and priorities, when ready');
  const steps = await server.get('/readyz?verbose');
  t.match(steps.text, '[+]poststarthook/rbac/bootstrap-roles ok');
  t.match(steps.text, '[+]poststarthook/scheduling/bootstrap-system-priority-classes ok');
  const versions = async (): Promise<string[]> => {
    const lists = await Promise.all(TYPES.map((type) => server.get(`${API}/${type}`)));
    return lists.flatMap(({ json }) =>
      json.items.map((item: ApiObject) => item.metadata.resourceVersion),
    );
  };
  const before = await versions();
  await startAgain();
  t.same(await versions(), before);
});

t.test('a start mends what was done to them', async (t) => {
  const mine = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  await server.delete(`${ROLES}/system:basic-user`);
  await patch(t, `${ROLES}/system:heapster`, { rules: [mine] });
  const keep = { metadata: { annotations: { [AUTO_UPDATE]: 'false' } } };
  await patch(t, `${ROLES}/system:kube-dns`, { ...keep, rules: [mine] });
  await patch(t, `${BINDINGS}/system:discovery`, {
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
  const classes = await changePriorities(t);
  await startAgain();

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
  t.same(await priorities(), classes, 'the priority classes are as they were');
  const kept = await server.get(`${PRIORITIES}/system-cluster-critical`);
  t.equal(kept.json.description, 'mine', 'what is there is left alone');
  t.equal(server.stderr, '');
});

async function priorities(): Promise<unknown> {
  return (await server.get(PRIORITIES)).json.items.map(({ metadata, ...members }: ApiObject) => {
    const { value, globalDefault = false, preemptionPolicy } = members;
    return [metadata.name, value, globalDefault, preemptionPolicy];
  });
}

/** Removes one and describes the other; gives what they were. */
async function changePriorities(t: Test): Promise<unknown> {
  const both = [
    ['system-cluster-critical', 2_000_000_000, false, 'PreemptLowerPriority'],
    ['system-node-critical', 2_000_001_000, false, 'PreemptLowerPriority'],
  ];
  t.same(await priorities(), both);
  const { status, json } = await server.delete(`${PRIORITIES}/system-node-critical`);
  t.equal(status, 403);
  t.match(json.message, / is forbidden: this is a system priority class and cannot be deleted$/);
  const all = await server.delete(`${PRIORITIES}?fieldSelector=metadata.name=system-node-critical`);
  t.equal(all.status, 200, 'but as one of many, as in the reference');
  await patch(t, `${PRIORITIES}/system-cluster-critical`, { description: 'mine' });
  return both;
}

t.test('without RBAC there are none', async (t) => {
  const args = [...ARGS, '--authorization-mode', 'AlwaysAllow'];
  const server = await startServer({ test: t, args });
  t.same(await counts(server), [0, 0, 0, 0]);
  t.notMatch((await server.get('/readyz?verbose')).text, 'bootstrap-roles');
  const path = '/api/v1/namespaces/default/configmaps/by-anybody?fieldManager=a';
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'by-anybody' } };
  const headers = {
    'content-type': 'application/apply-patch+yaml',
    'impersonate-user': 'anybody',
  };
  t.equal((await server.request('PATCH', path, body, headers)).status, 201, 'anybody creates');
});

t.end();
