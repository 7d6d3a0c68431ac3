/**
 * What programs with the public client see of the laboratory: one service account is lied to, as
 * the rule says, and another one with the same rights sees nothing of it.
 */
import { ApiException, CoreV1Api, KubeConfig, ListWatch, Watch } from '@kubernetes/client-node';
import { RbacAuthorizationV1Api } from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';
import t, { type Test } from 'tap';
import { record, type Told } from './informer-record.ts';
import { eventually, expectException, startPublicServer } from './public-client.ts';

const LAB = '/shardplane/lab/v1';
const ACCOUNTS = 'kube-system';
const MATCHED = 'matched';
const WHO = { users: [`system:serviceaccount:${ACCOUNTS}:${MATCHED}`] };
/** Longer than any test: only a release ends it. */
const LONG_MS = 600_000;

// What a controller writes into new namespaces would be among the events.
const ARGS = ['--laboratory', '--controllers', '*,-root-ca-cert-publisher'];
const { server, config: admin } = await startPublicServer(t, ARGS);
const core = admin.makeApiClient(CoreV1Api);

/** The kubeconfig of a service account that may do everything. */
async function configOf(name: string): Promise<KubeConfig> {
  const namespace = ACCOUNTS;
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name } } });
  await admin.makeApiClient(RbacAuthorizationV1Api).createClusterRoleBinding({
    body: {
      metadata: { name },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'cluster-admin',
      },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  });
  const body = { spec: { audiences: [] } };
  const { status } = await core.createNamespacedServiceAccountToken({ namespace, name, body });
  const { clusters } = admin;
  const users = [{ name, token: status?.token ?? '' }];
  const contexts = [{ name, user: name, cluster: clusters[0]?.name ?? '' }];
  const config = new KubeConfig();
  config.loadFromOptions({ clusters, users, contexts, currentContext: name });
  return config;
}

const [matchedConfig, otherConfig] = await Promise.all([configOf(MATCHED), configOf('other')]);
const matched = matchedConfig.makeApiClient(CoreV1Api);
const other = otherConfig.makeApiClient(CoreV1Api);

type Rule = { readonly name: string; readonly [member: string]: unknown };

/** Has the matched account meet the rule until the test ends. */
async function addRule(test: Test, kind: 'faults' | 'views', rule: Rule): Promise<void> {
  const answer = await server.post(`${LAB}/${kind}`, { who: WHO, ...rule });
  test.equal(answer.status, 201, answer.text);
  test.teardown(() => server.delete(`${LAB}/${kind}/${rule.name}`));
}

async function addWatchFault(test: Test, watch: string, more: object = {}, when: object = {}) {
  const what = { verbs: ['watch'], resources: ['configmaps'] };
  await addRule(test, 'faults', {
    name: watch.toLowerCase(),
    what,
    when,
    then: { watch, ...more },
  });
}

const release = (fault: string) => server.post(`${LAB}/faults/${fault}/release`, {});
const advance = (view: string, by: object) => server.post(`${LAB}/views/${view}/advance`, by);

/** What a fault has done so far, and on how many requests it might have. */
async function countsOf(fault: string): Promise<string> {
  const { acted, matched } = (await server.get(`${LAB}/faults/${fault}`)).json;
  return `${acted} of ${matched}`;
}

/** ConfigMaps in a namespace of the test. */
async function ownNamespace(namespace: string) {
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  const rounds = new Map<string, number>();
  return {
    namespace,
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    /** Creates it or writes another content, as nobody of whom the rules speak. */
    put: async (name: string): Promise<Told> => {
      const round = (rounds.get(name) ?? 0) + 1;
      rounds.set(name, round);
      const body = { metadata: { name }, data: { round: `${round}` } };
      const { metadata } = await (round === 1
        ? core.createNamespacedConfigMap({ namespace, body })
        : core.replaceNamespacedConfigMap({ namespace, name, body }));
      return [round === 1 ? 'add' : 'update', name, Number(metadata?.resourceVersion)];
    },
    create: (as: CoreV1Api, name: string) =>
      as.createNamespacedConfigMap({ namespace, body: { metadata: { name } } }),
    read: (as: CoreV1Api, name: string) => as.readNamespacedConfigMap({ namespace, name }),
  };
}

type Own = Awaited<ReturnType<typeof ownNamespace>>;

/** An informer of each account, started; they connect again at once. */
async function informersOf(test: Test, { namespace, path }: Own) {
  const [mine, theirs] = [matchedConfig, otherConfig].map((config) => {
    const api = config.makeApiClient(CoreV1Api);
    let lists = 0;
    const list = () => {
      lists += 1;
      return api.listNamespacedConfigMap({ namespace });
    };
    const options = { delayFn: async () => undefined };
    const watch = new Watch(config);
    const informer = new ListWatch(path, watch, list, false, undefined, undefined, options);
    return { informer, ...record<V1ConfigMap>(informer), lists: () => lists };
  });
  if (mine === undefined || theirs === undefined) throw new Error('there are two accounts');
  for (const { informer } of [mine, theirs]) {
    await informer.start();
    test.teardown(() => informer.stop());
  }
  return { mine, theirs };
}

type Informer = Awaited<ReturnType<typeof informersOf>>['mine'];

async function tells({ told }: Informer, count: number): Promise<void> {
  await eventually(`${count} events`, () => told.length >= count || undefined);
}

t.test('refused: as the rule says, and nothing is done', async (t) => {
  const { namespace, create, read } = await ownNamespace('refused');
  await create(other, 'a');
  const what = { verbs: ['update'], resources: ['configmaps'] };
  const message = 'the object has been modified';
  const conflict = { refuse: { code: 409, message } };
  await addRule(t, 'faults', { name: 'conflict', what, when: { first: 1 }, then: conflict });
  const busy = { refuse: { code: 429, message: 'later', retryAfterSeconds: 7 } };
  await addRule(t, 'faults', { name: 'too-many', what, when: { first: 1 }, then: busy });
  const replace = (as: CoreV1Api, by: string) => {
    const body = { metadata: { name: 'a' }, data: { by } };
    return as.replaceNamespacedConfigMap({ namespace, name: 'a', body });
  };
  t.match(await replace(other, 'other'), { data: { by: 'other' } });
  await expectException(t, replace(matched, 'matched'), { code: 409, reason: 'Conflict', message });
  const refused = await replace(matched, 'matched').catch((error: unknown) => error);
  t.ok(refused instanceof ApiException);
  const { code, headers, body } = refused as ApiException<string>;
  t.equal(code, 429);
  t.equal(headers['retry-after'], '7');
  t.match(JSON.parse(body), { reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } });
  t.match(await read(matched, 'a'), { data: { by: 'other' } }, 'other verbs are served');
  t.match(await replace(matched, 'matched'), { data: { by: 'matched' } }, 'and so is the third');
  t.same([await countsOf('conflict'), await countsOf('too-many')], ['1 of 3', '1 of 2']);
});

/** Faults of a create: what the client hears, whether it is done, and what a second one hears. */
const CUT = [
  { name: 'lost-answer', then: { loseAnswer: true }, rejects: true, isDone: true },
  { name: 'reset-before', then: { reset: 'before' }, rejects: true, isDone: false },
  { name: 'reset-body', then: { reset: 'body' }, rejects: true, isDone: true },
  { name: 'reset-after', then: { reset: 'after' }, rejects: false, isDone: true },
] as const;

for (const { name, then, rejects, isDone } of CUT) {
  t.test(`${name}: ${isDone ? 'done' : 'not done'}`, async (t) => {
    const { create, read } = await ownNamespace(name);
    await addRule(t, 'faults', { name, what: { verbs: ['create'] }, when: { once: true }, then });
    t.match(await create(other, 'of-other'), { metadata: { name: 'of-other' } });
    const answer = await create(matched, 'a').catch((error: unknown) => error);
    if (rejects) t.type(answer, TypeError, 'an error of the connection, and no answer');
    else t.match(answer, { metadata: { name: 'a' } }, 'the whole answer');
    const again = create(matched, 'a');
    if (isDone) {
      await expectException(t, again, { code: 409, reason: 'AlreadyExists' });
    } else t.match(await again, { metadata: { name: 'a' } });
    t.match(await read(other, 'a'), { metadata: { name: 'a' } });
    t.equal(await countsOf(name), '1 of 2');
  });
}

t.test('delayed: done as ever, later', async (t) => {
  const { create, read } = await ownNamespace('delayed');
  for (const at of ['before', 'after']) {
    const then = { delay: { ms: 50, at } };
    await addRule(t, 'faults', { name: `delay-${at}`, what: { verbs: ['create'] }, then });
    const startMs = performance.now();
    await create(matched, at);
    t.ok(performance.now() - startMs >= 49, 'no sooner than that');
    t.match(await read(other, at), { metadata: { name: at } });
    t.equal(await countsOf(`delay-${at}`), '1 of 1');
    await server.delete(`${LAB}/faults/delay-${at}`);
  }
});

for (const at of ['before', 'after'] as const) {
  t.test(`held ${at} the commit, until it is released`, async (t) => {
    const name = `barrier-${at}`;
    const { create, read } = await ownNamespace(name);
    await addRule(t, 'faults', { name, what: { verbs: ['create'] }, then: { barrier: at } });
    let isAnswered = false;
    const held = create(matched, 'a').finally(() => (isAnswered = true));
    const shown = async () => (await server.get(`${LAB}/faults/${name}`)).json;
    await eventually('it is held', async () => (await shown()).held === 1 || undefined);
    t.match(await create(other, 'b'), { metadata: { name: 'b' } }, 'the other is not held');
    if (at === 'before') await expectException(t, read(other, 'a'), { code: 404 });
    else t.match(await read(other, 'a'), { metadata: { name: 'a' } });
    t.notOk(isAnswered);
    await release(name);
    t.match(await held, { metadata: { name: 'a' } });
  });
}

t.test('a watch that ends goes on where it was; one that expires lists again', async (t) => {
  const own = await ownNamespace('ended');
  await own.put('a');
  const { mine, theirs } = await informersOf(t, own);
  await tells(theirs, 1);
  await addWatchFault(t, 'close', {}, { once: true });
  await eventually('another watch', () => mine.connections() === 2 || undefined);
  await own.put('b');
  await tells(mine, 2);
  t.equal(mine.lists(), 1, 'without a list');
  await addWatchFault(t, 'expire', {}, { once: true });
  await eventually('a second list', () => mine.lists() === 2 || undefined);
  await own.put('a');
  for (const each of [mine, theirs]) await tells(each, 3);
  t.same(mine.told, theirs.told, 'none lost, none twice');
  t.same([...mine.errors, ...theirs.errors], []);
  t.same([theirs.connections(), theirs.lists()], [1, 1], 'the other one stays');
});

t.test('events are held, and told when they are released', async (t) => {
  const own = await ownNamespace('held');
  const { mine, theirs } = await informersOf(t, own);
  await addWatchFault(t, 'hold');
  const written = [await own.put('a'), await own.put('a')];
  await tells(theirs, 2);
  t.same([theirs.told, mine.told], [written, []]);
  await release('hold');
  await tells(mine, 2);
  t.same(mine.told, written);
  await server.delete(`${LAB}/faults/hold`);
  const last = await own.put('b');
  await tells(mine, 3);
  t.same(mine.told.at(-1), last, 'without the rule they come at once');
});

t.test('each event comes with the next one', async (t) => {
  const own = await ownNamespace('late');
  const { mine, theirs } = await informersOf(t, own);
  await addWatchFault(t, 'late');
  const written = [await own.put('a'), await own.put('a'), await own.put('b')];
  for (const each of [mine, theirs]) await tells(each, each === mine ? 2 : 3);
  t.same([theirs.told, mine.told], [written, written.slice(0, 2)]);
});

t.test('events of one object are told as one', async (t) => {
  const own = await ownNamespace('coalesced');
  await own.put('old');
  const { mine, theirs } = await informersOf(t, own);
  await tells(mine, 1);
  await addWatchFault(t, 'coalesce', { ms: LONG_MS });
  for (const name of ['new', 'new', 'gone', 'old']) await own.put(name);
  await core.deleteNamespacedConfigMap({ namespace: own.namespace, name: 'gone' });
  const last = await own.put('new');
  await tells(theirs, 7);
  t.equal(mine.told.length, 1);
  await release('coalesce');
  await tells(mine, 3);
  t.match(mine.told.slice(1), [
    ['update', 'old'],
    ['add', 'new', last[2]],
  ]);
  t.equal(theirs.told.length, 7, 'the other one is told of each');
});

t.test('events come slowly, one after another', async (t) => {
  const own = await ownNamespace('slow');
  const { mine, theirs } = await informersOf(t, own);
  await addWatchFault(t, 'slow', { ms: LONG_MS });
  const written = [await own.put('a'), await own.put('b')];
  await tells(theirs, 2);
  t.same([theirs.told, mine.told], [written, []]);
  await server.delete(`${LAB}/faults/slow`);
  await tells(mine, 2);
  t.same(mine.told, written);
});

t.test('a cache that is behind, and moves by request', async (t) => {
  const { namespace, ...own } = await ownNamespace('view');
  await own.put('a');
  await addRule(t, 'views', { name: 'frozen', what: { resources: ['configmaps'] } });
  const { mine, theirs } = await informersOf(t, { namespace, ...own });
  const second = await own.put('a');
  const third = await own.put('b');
  await tells(theirs, 3);
  t.same(
    mine.told.map(([verb, name]) => `${verb} ${name}`),
    ['add a'],
  );
  const stale = await own.read(matched, 'a');
  t.match(stale, { data: { round: '1' } });
  t.match(await own.read(other, 'a'), { data: { round: '2' } });
  await expectException(t, own.read(matched, 'b'), { code: 404 });
  const write = matched.replaceNamespacedConfigMap({ namespace, name: 'a', body: stale });
  await expectException(t, write, { code: 409, reason: 'Conflict' });
  await advance('frozen', { events: 1 });
  await tells(mine, 2);
  t.same(mine.told.slice(1), [second]);
  t.match(await own.read(matched, 'a'), { data: { round: '2' } });
  await advance('frozen', { to: third[2] });
  await tells(mine, 3);
  await own.put('b');
  await tells(theirs, 4);
  t.equal(mine.told.length, 3);
  await server.delete(`${LAB}/views/frozen`);
  await tells(mine, 4);
  t.same(mine.told, theirs.told, 'in the end it has seen all');
  t.same([mine.lists(), mine.errors], [1, []]);
});

t.test('always one version behind, and only of one type', async (t) => {
  const { namespace, ...own } = await ownNamespace('behind');
  await own.put('a');
  const what = { resources: ['configmaps'] };
  await addRule(t, 'views', { name: 'one-behind', what, at: { versionsAgo: 1 } });
  const { mine, theirs } = await informersOf(t, { namespace, ...own });
  for (const name of ['b', 'c', 'd']) await own.put(name);
  for (const each of [mine, theirs]) await tells(each, each === mine ? 3 : 4);
  t.same(mine.told, theirs.told.slice(0, 3), 'all but the last one');
  const body = { metadata: { name: 's' } };
  await other.createNamespacedSecret({ namespace, body });
  t.match(await matched.readNamespacedSecret({ namespace, name: 's' }), body, 'the newest');
});

t.end();
