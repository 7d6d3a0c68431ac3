/** The past on demand: reads at a version or a time, and clients that see an old state. */
import t, { type Test } from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const VIEWS = '/shardplane/lab/v1/views';
const STALE = { 'user-agent': 'stale/1.0' };
const WHO = { userAgents: ['stale/*'] };
const AT = '/shardplane/at';

const server = await sharedServer('--laboratory');

async function write(name: string, value: string): Promise<string> {
  const path = `${CONFIG_MAPS}/${name}`;
  const isThere = (await server.get(path)).status === 200;
  const object = configMap(name, { value });
  const { json } = isThere
    ? await server.put(path, object)
    : await server.post(CONFIG_MAPS, object);
  return json.metadata.resourceVersion;
}

async function addView(test: Test, rule: { name: string; [member: string]: unknown }) {
  const answer = await server.post(VIEWS, { who: WHO, ...rule });
  test.equal(answer.status, 201, answer.text);
  test.teardown(() => server.delete(`${VIEWS}/${rule.name}`));
  return answer.json;
}

async function namesIn(path: string, headers?: Record<string, string>): Promise<string> {
  const { json } = await server.get(path, headers);
  const all = json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  return all.filter((name: string) => !name.endsWith('.crt')).join();
}

t.test('a get and a list are as of a version or a time', async (t) => {
  const first = await write('past-a', 'one');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const time = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await write('past-a', 'two');
  const third = await write('past-b', 'three');
  const valueAt = async (at: string): Promise<string> =>
    (await server.get(`${CONFIG_MAPS}/past-a?at=${at}`)).json.data.value;
  t.equal(await valueAt(first), 'one');
  t.equal(await valueAt(second), 'two');
  t.equal(await valueAt(encodeURIComponent(time)), 'one');
  t.equal((await server.get(`${CONFIG_MAPS}/past-b?at=${second}`)).status, 404);
  t.equal((await server.get(`${CONFIG_MAPS}/past-b?at=${third}`)).status, 200);
  t.equal(await namesIn(`${CONFIG_MAPS}?at=${second}`), 'past-a');
  const list = await server.get(`${CONFIG_MAPS}?at=${encodeURIComponent(time)}`);
  t.equal(list.json.metadata.resourceVersion, first);
  const page = await server.get(`${CONFIG_MAPS}?at=${third}&limit=1`);
  await server.delete(`${CONFIG_MAPS}/past-b`);
  const rest = await server.get(
    `${CONFIG_MAPS}?continue=${page.json.metadata.continue}&at=${third}`,
  );
  t.ok(page.json.items.length + rest.json.items.length >= 2, 'pages are of the version too');
  const table = await server.get(`${CONFIG_MAPS}/past-a?at=${first}`, {
    accept: 'application/json;as=Table;v=v1;g=meta.cluster.io',
  });
  t.equal(table.json.rows[0].object.metadata.resourceVersion, first);
  const under = await server.get(`${AT}/${first}${CONFIG_MAPS}/past-a`);
  t.equal(under.json.data.value, 'one');
  t.equal((await server.get(`${AT}/${encodeURIComponent(time)}${CONFIG_MAPS}/past-a`)).status, 200);
  t.equal((await server.get(`${AT}/${first}/version`)).status, 200);
});

t.test('what cannot be read or changed is refused', async (t) => {
  const version = await write('refused', 'one');
  const rows: readonly (readonly [string, number, string])[] = [
    ['at=99999999999', 504, 'Too large resource version'],
    ['at=yesterday', 400, 'give a version, or a time'],
  ];
  for (const [query, code, message] of rows) {
    const { status, json } = await server.get(`${CONFIG_MAPS}?${query}`);
    t.equal(status, code);
    t.match(json.message, message);
  }
  const written = await server.put(`${AT}/${version}${CONFIG_MAPS}/refused`, configMap('refused'));
  t.equal(written.status, 400);
  t.match(written.json.message, 'the past can be read, and not changed');
});

t.test('a client reads and watches an old state, which moves by request', async (t) => {
  const first = await write('view-a', 'one');
  const list = await server.get(CONFIG_MAPS);
  const view = await addView(t, { name: 'frozen', what: { resources: ['configmaps'] } });
  t.ok(view.version >= Number(first));
  const second = await write('view-a', 'two');
  const third = await write('view-b', 'new');
  const watch = await server.watch(
    `${CONFIG_MAPS}?watch=true&resourceVersion=${list.json.metadata.resourceVersion}`,
    STALE,
  );
  t.teardown(() => watch.close());
  const read = await server.get(`${CONFIG_MAPS}/view-a`, STALE);
  t.equal(read.json.data.value, 'one');
  t.equal((await server.get(`${CONFIG_MAPS}/view-a`)).json.data.value, 'two', 'others see all');
  t.equal((await server.get(`${CONFIG_MAPS}/view-b`, STALE)).status, 404);
  const newer = await server.get(`${CONFIG_MAPS}?resourceVersion=${third}`, STALE);
  t.match(newer.json, { code: 504, message: /Too large resource version: / });
  const stale = await server.put(`${CONFIG_MAPS}/view-a`, read.json, STALE);
  t.equal(stale.status, 409, 'writes go to the present, and conflict');
  t.equal(watch.events.length, 0);
  const one = await server.post(`${VIEWS}/frozen/advance`, { events: 1 });
  t.equal(one.json.version, Number(second));
  t.match(await watch.next(), { type: 'MODIFIED', object: { data: { value: 'two' } } });
  t.equal((await server.get(`${CONFIG_MAPS}/view-b`, STALE)).status, 404);
  const all = await server.post(`${VIEWS}/frozen/advance`, { to: Number(third) });
  t.equal(all.json.version, Number(third));
  t.match(await watch.next(), { type: 'ADDED', object: { metadata: { name: 'view-b' } } });
  await write('view-b', 'again');
  await server.delete(`${VIEWS}/frozen`);
  t.match(await watch.next(), { type: 'MODIFIED' }, 'without the view it sees all');
  await write('view-b', 'live');
  t.match(await watch.next(), { object: { data: { value: 'live' } } }, 'and goes on');
});

t.test('a watch that is open when a view comes ends, and goes on through it', async (t) => {
  const before = await write('view-open', 'one');
  const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${before}`;
  const open = await server.watch(path, STALE);
  const others = await server.watch(path);
  const secrets = await server.watch('/api/v1/secrets?watch=true', STALE);
  t.teardown(() => [others, secrets].forEach((watch) => watch.close()));
  await write('view-open', 'two');
  t.match(await open.next(), { object: { data: { value: 'two' } } });
  const { version } = await addView(t, { name: 'open', what: { resources: ['configmaps'] } });
  t.equal(await open.next(), undefined, 'it has ended');
  const again = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`, STALE);
  t.teardown(() => again.close());
  const third = await write('view-open', 'three');
  t.match(await others.next(), { object: { data: { value: 'two' } } });
  t.match(await others.next(), { object: { data: { value: 'three' } } }, 'others go on');
  t.equal(again.events.length, 0);
  const one = await server.post(`${VIEWS}/open/advance`, { events: 1 });
  t.equal(one.json.version, Number(third), 'its type is known');
  t.match(await again.next(), { object: { data: { value: 'three' } } });
  const name = `view-open-${version}`;
  await server.post('/api/v1/namespaces/default/secrets', { metadata: { name } });
  const isIt = async () => (await secrets.next())?.object.metadata.name === name;
  await until(isIt);
});

t.test('a watch that begins with the state begins with the old one', async (t) => {
  const first = await write('state-a', 'one');
  await addView(t, { name: 'state', at: first });
  await write('state-a', 'two');
  for (const query of ['', '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan']) {
    const watch = await server.watch(
      `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Dstate-a${query}`,
      STALE,
    );
    t.match(await watch.next(), { type: 'ADDED', object: { data: { value: 'one' } } });
    if (query !== '') t.match(await watch.next(), { type: 'BOOKMARK' });
    watch.close();
  }
});

t.test('a client is always so many versions behind, or so long', async (t) => {
  await write('behind', 'one');
  await write('behind', 'two');
  await addView(t, {
    name: 'two-behind',
    what: { resources: ['configmaps'] },
    at: { versionsAgo: 1 },
  });
  t.equal((await server.get(`${CONFIG_MAPS}/behind`, STALE)).json.data.value, 'one');
  const { json } = await server.get(CONFIG_MAPS, STALE);
  const watch = await server.watch(
    `${CONFIG_MAPS}?watch=true&resourceVersion=${json.metadata.resourceVersion}`,
    STALE,
  );
  t.teardown(() => watch.close());
  await write('behind', 'three');
  t.match(await watch.next(), { object: { data: { value: 'two' } } });
  t.equal((await server.get(`${CONFIG_MAPS}/behind`, STALE)).json.data.value, 'two');
  await server.delete(`${VIEWS}/two-behind`);
  await addView(t, { name: 'long-ago', at: { secondsAgo: 3_600 } });
  t.equal((await server.get(`${CONFIG_MAPS}/behind`, STALE)).status, 404);
  await server.delete(`${VIEWS}/long-ago`);
  await addView(t, { name: 'now', at: { secondsAgo: 0 } });
  await until(async () => {
    const { status, json: object } = await server.get(`${CONFIG_MAPS}/behind`, STALE);
    return status === 200 && object.data.value === 'three';
  });
});

t.test('a view of what comes from a cache leaves alone what must be new', async (t) => {
  const first = await write('cached', 'one');
  await addView(t, { name: 'cache', what: { resources: ['configmaps'] }, reads: 'cached' });
  const second = await write('cached', 'two');
  const valueIn = async (query: string): Promise<string> => {
    const { json } = await server.get(`${CONFIG_MAPS}${query}`, STALE);
    const items = json.items ?? [json];
    const found = items.find(({ metadata }: { metadata: { name: string } }) => {
      return metadata.name === 'cached';
    });
    return found.data.value;
  };
  t.equal(await valueIn('/cached'), 'two');
  t.equal(await valueIn(''), 'two');
  t.equal(await valueIn(`?resourceVersion=${second}&resourceVersionMatch=Exact`), 'two');
  t.equal(await valueIn('/cached?resourceVersion=0'), 'one');
  t.equal(await valueIn('?resourceVersion=0'), 'one');
  t.equal(await valueIn(`?resourceVersion=${first}`), 'one');
  const selected = 'watch=true&fieldSelector=metadata.name%3Dcached';
  const fresh = await server.watch(`${CONFIG_MAPS}?${selected}`, STALE);
  const old = await server.watch(`${CONFIG_MAPS}?${selected}&resourceVersion=${first}`, STALE);
  t.teardown(() => {
    fresh.close();
    old.close();
  });
  t.match(await fresh.next(), { type: 'ADDED', object: { data: { value: 'two' } } });
  const third = await write('cached', 'three');
  t.equal(old.events.length, 0, 'watches are behind');
  await server.post(`${VIEWS}/cache/advance`, { to: Number(second) });
  t.match(await old.next(), { object: { data: { value: 'two' } } });
  t.equal(fresh.events.length, 1, 'also those that have begun with the present');
  await server.post(`${VIEWS}/cache/advance`, { to: Number(third) });
  t.match(await fresh.next(), { object: { data: { value: 'three' } } });
  t.match(await old.next(), { object: { data: { value: 'three' } } });
});

t.test('what is wrong with a view is told', async (t) => {
  const rows: readonly (readonly [object, string])[] = [
    [{ name: 'a', at: 'soon' }, 'at must be a version'],
    [{ name: 'a', at: 99_999_999_999 }, 'at must be no later than the version'],
    [{ name: 'a', at: {} }, 'at.versionsAgo must be'],
    [{ name: 'a', reads: 'some' }, 'reads must be one of all, cached'],
  ];
  for (const [rule, message] of rows) {
    const { status, json } = await server.post(VIEWS, rule);
    t.equal(status, 400);
    t.match(json.message, message);
  }
  await addView(t, { name: 'moves', at: { versionsAgo: 2 } });
  const moved = await server.post(`${VIEWS}/moves/advance`, { by: 1 });
  t.match(moved.json.message, 'moves by itself');
  t.equal((await server.post(`${VIEWS}/nobody/advance`, { by: 1 })).status, 404);
});

t.end();
