/** Lists in pages: limit, continue, remainingItemCount. */
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { configMap, kindNamed, minimalObject, typePath } from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import {
  createAll,
  createNamespaceOf,
  itemOf,
  itemsOf,
  joinPages,
  listPath,
  namesOf,
  readAll,
  readPages,
  tokenOf,
  versionOf,
} from '../support/whole-list.ts';

const MEBIBYTE = 1024 * 1024;
const ALL = '/api/v1/configmaps';
const SEVEN = '/api/v1/namespaces/seven/configmaps';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const server = await startServer({ test: t });
await createNamespaceOf(server, SEVEN);
const labels = (at: number): Record<string, string> => ({ even: `${at % 2 === 0}` });
await createAll(
  server,
  SEVEN,
  NAMES.map((name, at) => configMap(name, { at: `${at}` }, { labels: labels(at) })),
);

function remaining(page: { readonly json: { metadata?: object } }): unknown {
  return (page.json?.metadata as Record<string, unknown> | undefined)?.['remainingItemCount'];
}

function range(length: number): number[] {
  return Array.from({ length }, (_, at) => at);
}

/** The token of the first page of a list. */
async function firstToken(t: Test, path = SEVEN, limit = 2): Promise<string> {
  const first = await server.get(listPath(path, { limit }));
  t.equal(first.status, 200);
  const token = tokenOf(first);
  t.type(token, 'string', `a page of ${path} has a token: ${first.text.slice(0, 200)}`);
  return token ?? 'none';
}

t.test('a page has exactly the bytes of its items, the token and what remains', async (t) => {
  const whole = JSON.parse(`[${(await readAll(t, server, SEVEN)).items}]`);
  const page = await server.get(listPath(SEVEN, { limit: 3 }));
  const token = tokenOf(page) ?? '';
  t.match(token, /^[A-Za-z0-9_-]+$/, 'URL-safe and without padding');
  const metadata = { resourceVersion: versionOf(page), continue: token, remainingItemCount: 4 };
  const head = { kind: 'ConfigMapList', apiVersion: 'v1', metadata };
  t.equal(page.text, `${JSON.stringify({ ...head, items: whole.slice(0, 3) })}\n`);
  const pretty = await server.get(`${listPath(SEVEN, { limit: 3 })}&pretty=true`);
  t.equal(pretty.text, JSON.stringify(pretty.json, undefined, 2), 'and can be read by people');
  t.equal(pretty.json.items.length, 3);
});

t.test('every limit gives the same list, in pages that are full but the last', async (t) => {
  const whole = await readAll(t, server, SEVEN);
  for (const limit of [1, 2, 3, 4, 5, 6, 7, 8, 1_000, '9223372036854775807']) {
    for (const rv of [undefined, '0', whole.rv]) {
      const pages = await readPages(t, server, SEVEN, rv === undefined ? { limit } : { limit, rv });
      t.equal(joinPages(t, pages).items, whole.items, `limit ${limit}`);
      const size = Math.min(7, Number(limit));
      t.equal(pages.length, Math.ceil(7 / size), `no empty page at the end for limit ${limit}`);
      for (const [at, page] of pages.entries()) {
        const left = 7 - size * (at + 1);
        t.same(namesOf(page), NAMES.slice(at * size, at * size + size));
        t.equal(remaining(page), left > 0 ? left : undefined, `${left} remain`);
        t.equal(tokenOf(page) === undefined, left <= 0, 'a token only when more follows');
      }
    }
  }
});

t.test('no limit, 0 and negative ones do not chunk', async (t) => {
  const { items } = await readAll(t, server, SEVEN);
  for (const limit of ['0', '-0', '-1', '-9223372036854775807']) {
    const page = await server.get(listPath(SEVEN, { limit }));
    t.equal(itemsOf(page.text), items, `limit ${limit}`);
    t.same(Object.keys(page.json.metadata), ['resourceVersion']);
  }
});

t.test('a limit that is no integer is refused', async (t) => {
  for (const [limit, why] of [
    ['x', 'invalid syntax'],
    ['1.5', 'invalid syntax'],
    ['1e3', 'invalid syntax'],
    ['0x2', 'invalid syntax'],
    [' 2', 'invalid syntax'],
    ['9223372036854775808', 'value out of range'],
  ] as const) {
    expectFailure(t, await server.get(listPath(SEVEN, { limit })), {
      code: 400,
      reason: 'BadRequest',
      message: `strconv.ParseInt: parsing "${limit}": ${why}`,
    });
  }
});

t.test('an empty collection is one page', async (t) => {
  const path = typePath(kindNamed('Lease'), 'cluster-public');
  const empty = await server.get(listPath(path, { limit: 1 }));
  t.match(empty.text, /"metadata":\{"resourceVersion":"\d+"\},"items":\[\]\}\n$/);
});

t.test('cluster-scoped types have pages too', async (t) => {
  const kind = kindNamed('StorageClass');
  const names = ['a', 'a-b', 'a.b', 'b', 'c'];
  await createAll(
    server,
    typePath(kind),
    names.map((name) => minimalObject(kind, name)),
  );
  const pages = await readPages(t, server, typePath(kind), { limit: 2 });
  t.same(pages.map(namesOf), [['a', 'a-b'], ['a.b', 'b'], ['c']]);
  t.same(pages.map(remaining), [3, 1, undefined]);
  const namespaces = await readPages(t, server, '/api/v1/namespaces', { limit: 1 });
  t.ok(namespaces.length > 4);
  t.same(namespaces.flatMap(namesOf), namesOf(await server.get('/api/v1/namespaces')));
});

t.test('pages go by key: namespace and name, by bytes, over all namespaces', async (t) => {
  const keys = ['p/a', 'p/a-b', 'p/a.b', 'p/a0', 'p/ab', 'p-q/z', 'p0/a', 'pq/a', 'pq/b'];
  for (const namespace of ['p', 'p-q', 'p0', 'pq']) {
    await createNamespaceOf(server, `/api/v1/namespaces/${namespace}/configmaps`);
  }
  for (const key of keys.toReversed()) {
    const [namespace, name = ''] = key.split('/');
    await server.post(`/api/v1/namespaces/${namespace}/configmaps`, configMap(name));
  }
  const whole = await readAll(t, server, ALL);
  const expected = (JSON.parse(`[${whole.items}]`) as ReturnType<typeof configMap>[]).map(
    ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
  );
  t.same(
    expected.filter((key) => key.startsWith('p')),
    keys.toSorted(),
    'the order of the keys under which objects are stored',
  );
  for (const limit of [1, 2, 3, 5]) {
    const pages = await readPages(t, server, ALL, { limit });
    t.equal(joinPages(t, pages).items, whole.items, `limit ${limit}`);
    t.equal(remaining(pages[0]!), expected.length - limit);
  }
  const inP = await readPages(t, server, '/api/v1/namespaces/p/configmaps', { limit: 2 });
  t.same(inP.flatMap(namesOf), ['a', 'a-b', 'a.b', 'a0', 'ab'], 'no neighbour slips in');
});

t.test('what is written between pages does not show', async (t) => {
  const path = '/api/v1/namespaces/between/configmaps';
  await createNamespaceOf(server, path);
  await createAll(
    server,
    path,
    range(20).map((at) => configMap(`m-${10 + at}`)),
  );
  for (const [options, from] of [
    [{ limit: 3 }, path],
    [{ limit: 3 }, ALL],
    [{ limit: 1, rv: '0' }, path],
    [{ limit: 3, fields: 'metadata.namespace=between' }, ALL],
  ] as const) {
    const { limit: _limit, rv: _rv, ...selectors } = { rv: '', ...options };
    const before = await readAll(t, server, from, selectors);
    let count = 0;
    const pages = await readPages(t, server, from, options, async () => {
      count += 1;
      await Promise.all([
        server.post(path, configMap(`a-${count}`)),
        server.post(path, configMap(`m-${10 + count}-new`)),
        server.post(path, configMap(`z-${count}`)),
        server.put(`${path}/m-29`, configMap('m-29', { count: `${count}` })),
        server.put(`${path}/m-10`, configMap('m-10', { count: `${count}` })),
        server.delete(`${path}/m-${11 + count}`),
      ]);
    });
    t.equal(joinPages(t, pages).items, before.items, `${from} ${JSON.stringify(options)}`);
    t.ok(count >= 5, 'much was written meanwhile');
    const afterwards = await readAll(t, server, from, selectors);
    t.not(afterwards.items, before.items);
    const again = await readAll(t, server, from, {
      ...selectors,
      match: 'Exact',
      rv: versionOf(pages[0]!),
    });
    t.equal(again.items, before.items, 'the exact list of that version says the same');
    // As it was in the beginning.
    const names = namesOf(await server.get(path)).filter((name) => !/^m-\d\d$/.test(name));
    await Promise.all(names.map(async (name) => server.delete(`${path}/${name}`)));
    await Promise.all(range(20).map(async (at) => server.post(path, configMap(`m-${10 + at}`))));
  }
});

t.test('with selectors pages are filled with what matches, and nothing is counted', async (t) => {
  const path = '/api/v1/namespaces/sparse/configmaps';
  await createNamespaceOf(server, path);
  const label = (at: number): Members => ({ labels: { tenth: `${at % 10 === 3}` } });
  await createAll(
    server,
    path,
    range(100).map((at) => configMap(`s-${100 + at}`, {}, label(at))),
  );
  const matching = range(10).map((at) => `s-1${at}3`);
  for (const selector of [
    { labels: 'tenth=true' },
    { labels: 'tenth in (true)', fields: 'metadata.namespace=sparse' },
    { labels: 'tenth!=false', fields: 'metadata.name!=s-100' },
  ]) {
    for (const limit of [1, 3, 9, 10, 11]) {
      const pages = await readPages(t, server, path, { ...selector, limit });
      joinPages(t, pages);
      t.same(pages.flatMap(namesOf), matching, `limit ${limit}`);
      // Whether anything that matches follows need not be known when a page is full.
      const filled = pages.filter((page) => page.json.items.length > 0);
      t.ok(pages.length - filled.length <= 1, 'one empty page at most, at the end');
      for (const page of filled.slice(0, -1)) t.equal(page.json.items.length, limit, 'full');
      for (const page of pages) t.equal(remaining(page), undefined, 'not counted');
    }
  }
  const one = await readPages(t, server, path, { fields: 'metadata.name=s-142', limit: 1 });
  t.same(one.flatMap(namesOf), ['s-142']);
});

t.test('a token gives the same page each time, and any limit may follow', async (t) => {
  const token = await firstToken(t);
  const { items } = await readAll(t, server, SEVEN);
  const rest = (await server.get(listPath(SEVEN, { token }))).text;
  t.equal(itemsOf(rest), items.slice(items.indexOf('{"metadata":{"name":"c"')));
  const [two, same] = await Promise.all(
    [1, 2].map(async () => server.get(listPath(SEVEN, { limit: 2, token }))),
  );
  t.equal(two?.text, same?.text, 'asked twice at once');
  t.equal((await server.get(listPath(SEVEN, { limit: 2, token }))).text, two?.text, 'and later');
  for (const [options, names, left] of [
    [{}, ['c', 'd', 'e', 'f', 'g'], undefined],
    [{ limit: 0 }, ['c', 'd', 'e', 'f', 'g'], undefined],
    [{ limit: -3 }, ['c', 'd', 'e', 'f', 'g'], undefined],
    [{ limit: 1 }, ['c'], 4],
    [{ limit: 4 }, ['c', 'd', 'e', 'f'], 1],
    [{ limit: 5 }, ['c', 'd', 'e', 'f', 'g'], undefined],
    [{ limit: 5, rv: '0' }, ['c', 'd', 'e', 'f', 'g'], undefined],
    [{ limit: 2, rv: '' }, ['c', 'd'], 3],
    [{ limit: 2, labels: 'even=true' }, ['c', 'e'], undefined],
  ] as const) {
    const page = await server.get(listPath(SEVEN, { ...options, token }));
    t.same(namesOf(page), names, JSON.stringify(options));
    t.equal(remaining(page), left);
  }
  const empty = await server.get(listPath(SEVEN, { limit: 2, token: '' }));
  t.same(namesOf(empty), ['a', 'b'], 'an empty token is none');
});

t.test('a token does not go with a version or a match', async (t) => {
  const token = await firstToken(t);
  const { rv } = await readAll(t, server, SEVEN);
  for (const limit of [{}, { limit: 2 }]) {
    expectFailure(t, await server.get(listPath(SEVEN, { ...limit, token, rv })), {
      code: 400,
      reason: 'BadRequest',
      message: 'specifying resource version is not allowed when using continue',
    });
    const match = { match: 'NotOlderThan', rv: '0' };
    expectFailure(t, await server.get(listPath(SEVEN, { ...limit, ...match, token })), {
      code: 422,
      reason: 'Invalid',
      message:
        'ListOptions.meta.cluster.io "" is invalid: resourceVersionMatch: Forbidden: ' +
        'resourceVersionMatch is forbidden when continue is provided',
    });
  }
});

t.test('a watch ignores limit and token', async (t) => {
  const watch = await server.watch(`${listPath(SEVEN, { limit: 2, token: 'x' })}&watch=true`);
  t.equal(watch.status, 200);
  t.equal((await watch.take(7)).length, 7);
  watch.close();
});

t.test('pages of large objects', async (t) => {
  const path = '/api/v1/namespaces/large/configmaps';
  await createNamespaceOf(server, path);
  const value = 'x'.repeat(0.4 * MEBIBYTE);
  const bodies = range(12).map((at) => configMap(`l-${10 + at}`, { value: `${at}${value}` }));
  const items = (await createAll(server, path, bodies)).map(({ text }) => itemOf(text));
  for (const limit of [1, 5, 11, 12]) {
    const pages = await readPages(t, server, path, { limit });
    t.ok(joinPages(t, pages).items === items.join(','), `the same bytes with limit ${limit}`);
    t.equal(remaining(pages[0]!), limit === 12 ? undefined : 12 - limit);
  }
});

t.test('2,000 at a time of 5,000', async (t) => {
  const path = '/api/v1/namespaces/many/configmaps';
  await createNamespaceOf(server, path);
  const names = range(5_000).map((at) => `n-${10_000 + at}`);
  const made = await createAll(
    server,
    path,
    names.map((name) => ({ metadata: { name } })),
  );
  const pages = await readPages(t, server, path, { limit: 2_000 }, async () =>
    server.delete(`${path}/n-14999`),
  );
  t.same(
    pages.map((page) => page.json.items.length),
    [2_000, 2_000, 1_000],
  );
  t.same(pages.map(remaining), [3_000, 1_000, undefined]);
  const items = made.map(({ text }) => itemOf(text)).join(',');
  t.ok(joinPages(t, pages).items === items, 'all of them, in order, with their bytes');
});

t.end();
