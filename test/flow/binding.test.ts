/** Binding: a pod is given its node, once. */
import t from 'tap';
import { PODS, podWith } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import type { Members } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const DONE = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}\n';
const BINDINGS = '/api/v1/namespaces/default/bindings';

const server = await sharedServer();

function binding(name: string, node = 'node-a', metadata: Members = {}, target: Members = {}) {
  return { metadata: { name, ...metadata }, target: { kind: 'Node', name: node, ...target } };
}

t.test('a pod gets its node, the annotations and a condition', async (t) => {
  const ways: [string, string][] = [
    ['subresource', `${PODS}/subresource/binding`],
    ['collection', BINDINGS],
  ];
  for (const [name, path] of ways) {
    await podWith(server, name, { metadata: { annotations: { a: 'pod', b: 'pod' } } });
    const body = binding(name, 'node-a', { annotations: { b: 'binding', c: 'binding' } });
    const { status, text } = await server.post(path, body);
    t.equal(status, 201, name);
    t.equal(text, DONE);
    const pod = (await server.get(`${PODS}/${name}`)).json;
    t.equal(pod.spec.nodeName, 'node-a');
    t.same(pod.metadata.annotations, { a: 'pod', b: 'binding', c: 'binding' });
    const [condition] = pod.status.conditions;
    t.match(condition, { type: 'PodScheduled', status: 'True' });
    t.match(condition.lastTransitionTime, /^\d{4}-\d\d-\d\dT/);
  }
});

t.test('watches see the binding', async (t) => {
  const pod = await podWith(server, 'watched');
  const version = pod.metadata.resourceVersion;
  const watch = await server.watch(
    `${PODS}?watch=true&fieldSelector=spec.nodeName=node-w&resourceVersion=${version}`,
  );
  await server.post(BINDINGS, binding('watched', 'node-w'));
  const event = await watch.next();
  t.equal(event?.type, 'ADDED', 'to those who select the node it is new');
  t.equal(event?.object['metadata']?.name, 'watched');
  watch.close();
});

t.test('what is refused', async (t) => {
  await podWith(server, 'free');
  await podWith(server, 'taken', { spec: { nodeName: 'node-z' } });
  await podWith(server, 'ending', { metadata: { finalizers: ['a.b/c'] } });
  await server.delete(`${PODS}/ending`);
  const free = `${PODS}/free/binding`;
  const rows: [string, string, unknown, number, string | RegExp][] = [
    [
      'a pod that has a node',
      BINDINGS,
      binding('taken'),
      409,
      'Operation cannot be fulfilled on pods/binding "taken": pod taken is already assigned to node "node-z"',
    ],
    ['the same node again', BINDINGS, binding('taken', 'node-z'), 409, /already assigned/],
    [
      'a pod that is terminating',
      BINDINGS,
      binding('ending'),
      409,
      'Operation cannot be fulfilled on pods/binding "ending": pod ending is being deleted, cannot be assigned to a host',
    ],
    ['a pod that is missing', BINDINGS, binding('none'), 404, 'pods "none" not found'],
    [
      'another name',
      free,
      binding('taken'),
      400,
      'name in URL does not match name in Binding object',
    ],
    ['no name', BINDINGS, binding(''), 400, 'Name parameter required.'],
    [
      'a target that is no node',
      free,
      binding('free', 'x', {}, { kind: 'Pod' }),
      422,
      'Binding "free" is invalid: target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ],
    [
      'a target without a name',
      free,
      binding('free', ''),
      422,
      'Binding "free" is invalid: target.name: Required value',
    ],
    [
      'another uid',
      free,
      binding('free', 'x', { uid: 'other' }),
      409,
      /Precondition failed: UID in precondition: other, UID in object meta: /,
    ],
    [
      'another version',
      free,
      binding('free', 'x', { resourceVersion: '1' }),
      409,
      /Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: /,
    ],
    [
      'another kind',
      free,
      { ...binding('free'), kind: 'Eviction' },
      400,
      /cannot be handled as a Binding/,
    ],
  ];
  for (const [what, path, body, code, message] of rows) {
    await t.test(what, async (t) => {
      expectFailure(t, await server.post(path, body), { code, message });
    });
  }
  expectFailure(t, await server.get(BINDINGS), { code: 405 });
  t.equal((await server.get(`${PODS}/free`)).json.spec.nodeName, undefined);
});

t.test('preconditions that hold, and a dry run', async (t) => {
  const { metadata } = await podWith(server, 'exact');
  const { uid, resourceVersion } = metadata;
  const body = binding('exact', 'node-a', { uid, resourceVersion });
  t.equal((await server.post(`${PODS}/exact/binding?dryRun=All`, body)).text, DONE);
  t.equal((await server.get(`${PODS}/exact`)).json.spec.nodeName, undefined, 'nothing is bound');
  t.equal((await server.post(`${PODS}/exact/binding`, body)).status, 201);
});

t.test('of bindings at the same time exactly one wins', async (t) => {
  await podWith(server, 'bound-once');
  const nodes = Array.from({ length: 20 }, (_, index) => `node-${index}`);
  const answers = await Promise.all(
    nodes.map((node) => server.post(BINDINGS, binding('bound-once', node))),
  );
  const winners = nodes.filter((_, index) => answers[index]?.status === 201);
  t.equal(winners.length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, nodes.length - 1);
  const { spec, status } = (await server.get(`${PODS}/bound-once`)).json;
  t.equal(spec.nodeName, winners[0]);
  t.equal(status.conditions.length, 1);
});
