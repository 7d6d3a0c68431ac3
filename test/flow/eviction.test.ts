/** Eviction: a deletion that the disruption budget agrees to. */
import t from 'tap';
import { BUDGETS, budgetWith, evict, eviction, PODS, podWith } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import { startServer, type Server } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const DONE = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}\n';
const WOULD_VIOLATE = "Cannot evict pod as it would violate the pod's disruption budget.";

/** The server of the tests without budgets. */
const server = await sharedServer();
/**
 * The server of those with budgets, one after the other: each begins with no pods and no budgets.
 */
const budgeted = await startServer({ test: t });

async function emptied(): Promise<Server> {
  const metadata = { finalizers: null };
  const merge = { 'content-type': 'application/merge-patch+json' };
  await budgeted.request('PATCH', `${PODS}/ending`, { metadata }, merge);
  await budgeted.delete(PODS, { gracePeriodSeconds: 0 });
  await budgeted.delete(BUDGETS);
  return budgeted;
}

t.test('what is asked wrongly is refused before anything is deleted', async (t) => {
  await podWith(server, 'web', { phase: 'Running' });
  const evictions = `${PODS}/web/eviction`;
  const rows: [string, string, unknown, number, string | RegExp][] = [
    [
      'another name',
      evictions,
      eviction('other'),
      400,
      'name in URL does not match name in Eviction object',
    ],
    ['no name', evictions, eviction(''), 400, 'name in URL does not match name in Eviction object'],
    [
      'a pod that is missing',
      `${PODS}/none/eviction`,
      eviction('none'),
      404,
      'pods "none" not found',
    ],
    [
      'another kind',
      evictions,
      { ...eviction('web'), kind: 'Pod' },
      400,
      /cannot be handled as a Eviction/,
    ],
    [
      'another version',
      evictions,
      { ...eviction('web'), apiVersion: 'policy/v2' },
      400,
      'the API version in the data (policy/v2) does not match the expected API version (policy/v1)',
    ],
    ['no JSON', evictions, '{', 400, /the object provided is unrecognized/],
    [
      'a dry run that is none',
      `${evictions}?dryRun=Some`,
      eviction('web'),
      422,
      /dryRun: Unsupported value/,
    ],
    [
      'a policy that is none',
      evictions,
      eviction('web', { deleteOptions: { propagationPolicy: 'Some' } }),
      422,
      /propagationPolicy: Unsupported value: "Some"/,
    ],
    [
      'an unknown member, strictly',
      `${evictions}?fieldValidation=Strict`,
      eviction('web', { why: 1 }),
      400,
      /strict decoding error: unknown field "why"/,
    ],
  ];
  for (const [what, path, body, code, message] of rows) {
    await t.test(what, async (t) => {
      expectFailure(t, await server.post(path, body), { code, message });
    });
  }
  const type = { 'content-type': 'text/plain' };
  expectFailure(t, await server.post(evictions, eviction('web'), type), { code: 415 });
  expectFailure(t, await server.get(evictions), { code: 405, reason: 'MethodNotAllowed' });
  t.equal((await server.get(`${PODS}/web`)).status, 200, 'it is still there');
});

t.test('bodies may have a size', async (t) => {
  const evictions = `${PODS}/web/eviction`;
  const long = { ...eviction('web'), padding: 'x'.repeat(3 * 1024 * 1024) };
  expectFailure(t, await server.post(evictions, long), { code: 413 });
  const yaml = `metadata:\n  name: ${'x'.repeat(64 * 1024)}\n`;
  const type = { 'content-type': 'application/yaml' };
  expectFailure(t, await server.post(evictions, yaml, type), {
    code: 413,
    message: 'Request entity too large: limit is 65536',
  });
});

t.test('without a budget a pod is deleted', async (t) => {
  const bodies: Record<string, unknown> = {
    v1: eviction('v1'),
    v1beta1: { ...eviction('v1beta1'), apiVersion: 'policy/v1beta1' },
    untyped: { metadata: { name: 'untyped' } },
  };
  for (const [name, body] of Object.entries(bodies)) {
    await podWith(server, name, { phase: 'Running' });
    const { status, text } = await evict(server, name, body);
    t.equal(status, 201, name);
    t.equal(text, DONE);
    t.equal((await server.get(`${PODS}/${name}`)).status, 404);
  }
  const yaml = 'metadata:\n  name: yaml\n';
  await podWith(server, 'yaml', { phase: 'Running' });
  const answer = await server.post(`${PODS}/yaml/eviction`, yaml, {
    'content-type': 'application/yaml',
  });
  t.equal(answer.status, 201, answer.text);
});

t.test('the options of the deletion are those of the body', async (t) => {
  const server = await emptied();
  await podWith(server, 'slow', { phase: 'Running', spec: { nodeName: 'n' } });
  await evict(server, 'slow', eviction('slow', { deleteOptions: { gracePeriodSeconds: 60 } }));
  const { metadata } = (await server.get(`${PODS}/slow`)).json;
  t.equal(metadata.deletionGracePeriodSeconds, 60);
  for (const preconditions of [{ uid: 'other' }, { uid: '' }, { resourceVersion: '' }]) {
    const wrong = eviction('slow', { deleteOptions: { preconditions } });
    expectFailure(t, await evict(server, 'slow', wrong), { code: 409, reason: 'Conflict' });
  }

  await budgetWith(server, 'budget', 1);
  await podWith(server, 'kept', { phase: 'Running' });
  const dry = eviction('kept', { deleteOptions: { dryRun: ['All'] } });
  t.equal((await evict(server, 'kept', dry)).status, 201);
  const byQuery = await server.post(`${PODS}/kept/eviction?dryRun=All`, eviction('kept'));
  t.equal(byQuery.status, 201);
  t.equal((await server.get(`${PODS}/kept`)).status, 200, 'a dry run deletes nothing');
  const { status } = (await server.get(`${BUDGETS}/budget`)).json;
  t.equal(status.disruptionsAllowed, 1, 'and takes nothing');
});

t.test('a budget allows as many as it says', async (t) => {
  const server = await emptied();
  await budgetWith(server, 'x', 1);
  for (const name of ['a', 'b']) await podWith(server, name, { phase: 'Running' });
  t.equal((await evict(server, 'a')).status, 201);
  const { status } = (await server.get(`${BUDGETS}/x`)).json;
  t.equal(status.disruptionsAllowed, 0);
  t.same(Object.keys(status.disruptedPods), ['a']);
  t.match(status.conditions, [
    { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
  ]);
  const refused = await evict(server, 'b');
  expectFailure(t, refused, {
    code: 429,
    reason: 'TooManyRequests',
    message: WOULD_VIOLATE,
    details: {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: 'The disruption budget x needs 2 healthy pods and has 2 currently',
        },
      ],
    },
  });
  t.equal(refused.headers['retry-after'], undefined);
  t.equal((await server.get(`${PODS}/b`)).status, 200);
});

t.test('pods that count for no budget are deleted at once', async (t) => {
  const server = await emptied();
  await budgetWith(server, 'none', 0);
  for (const phase of ['Succeeded', 'Failed', 'Pending']) {
    const name = phase.toLowerCase();
    await podWith(server, name, { phase });
    t.equal((await evict(server, name)).status, 201, phase);
    t.equal((await server.get(`${PODS}/${name}`)).status, 404, phase);
  }
  await podWith(server, 'ending', { phase: 'Running', metadata: { finalizers: ['a.b/c'] } });
  await server.delete(`${PODS}/ending`);
  t.equal((await evict(server, 'ending')).status, 201, 'one that is terminating already');
  await podWith(server, 'unready', { phase: 'Running', isReady: false });
  t.equal((await evict(server, 'unready')).status, 201, 'one that is not ready, others are');
  await podWith(server, 'other', { phase: 'Running', labels: { app: 'other' } });
  t.equal((await evict(server, 'other')).status, 201, 'one that the selector does not match');
  await podWith(server, 'bare', { phase: 'Running', labels: {} });
  t.equal((await evict(server, 'bare')).status, 201, 'one without labels');
});

t.test('budgets that cannot say yes', async (t) => {
  const server = await emptied();
  await podWith(server, 'web', { phase: 'Running' });
  const remove = async () => server.delete(`${BUDGETS}/x`);

  await budgetWith(server, 'x', 1, { status: { observedGeneration: 0 } });
  const early = await evict(server, 'web');
  expectFailure(t, early, { code: 429, message: WOULD_VIOLATE });
  t.equal(early.headers['retry-after'], '10');
  t.match(early.json.details.causes, [
    { message: 'The disruption budget x is still being processed by the server.' },
  ]);
  await remove();

  await budgetWith(server, 'x', 5, { selector: {} });
  await budgetWith(server, 'y', 5);
  expectFailure(t, await evict(server, 'web'), {
    code: 500,
    message:
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  });
  await server.delete(`${BUDGETS}/y`);
  t.equal((await evict(server, 'web')).status, 201, 'an empty selector matches all pods');
});

t.test('a namespace that is being deleted takes no evictions', async (t) => {
  const namespace = { metadata: { name: 'ending', finalizers: ['a.b/c'] } };
  await server.post('/api/v1/namespaces', namespace);
  await server.delete('/api/v1/namespaces/ending');
  const path = '/api/v1/namespaces/ending/pods/web';
  for (const [verb, body] of [
    ['eviction', eviction('web')],
    ['binding', { metadata: { name: 'web' }, target: { name: 'node-a' } }],
  ] as const) {
    const answer = await server.post(`${path}/${verb}`, body);
    expectFailure(t, answer, {
      code: 403,
      message:
        'pods "web" is forbidden: unable to create new content in namespace ending because it is being terminated',
    });
    t.match(answer.json.details.causes, [{ reason: 'NamespaceTerminating' }]);
  }
  const missing = await server.post(
    '/api/v1/namespaces/missing/pods/web/eviction',
    eviction('web'),
  );
  expectFailure(t, missing, { code: 404, message: 'namespaces "missing" not found' });
});

t.test('evictions at the same time never take more than is allowed', async (t) => {
  const server = await emptied();
  const allowed = 4;
  await budgetWith(server, 'x', allowed);
  const names = Array.from({ length: 12 }, (_, index) => `web-${index}`);
  for (const name of names) await podWith(server, name, { phase: 'Running' });
  const answers = await Promise.all(names.map((name) => evict(server, name)));
  const codes = answers.map(({ status }) => status).sort((a, b) => a - b);
  t.same(
    codes,
    names.map((_, index) => (index < allowed ? 201 : 429)),
  );
  const left = (await server.get(PODS)).json.items.length;
  t.equal(left, names.length - allowed);
  const { status } = (await server.get(`${BUDGETS}/x`)).json;
  t.equal(status.disruptionsAllowed, 0);
  t.equal(Object.keys(status.disruptedPods).length, allowed);
});
