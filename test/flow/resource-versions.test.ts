/** One test per cell of the tables of versions. */
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { configMap, kindNamed, minimalObject, typePath } from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { newerVersion, recordHistory } from '../support/recorded-history.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';
import {
  createNamespaceOf,
  itemOf,
  itemsOf,
  listPath,
  namesOf,
  readAll,
  readPages,
  tokenOf,
  versionOf,
} from '../support/whole-list.ts';
import type { ListOptions, WholeList } from '../support/whole-list.ts';

const CELLS = '/api/v1/namespaces/cells/configmaps';
const LIMIT = 2;

const server = await startServer({ test: t });
const moments = await recordHistory(server, CELLS);
const oldest = moments[0]!;

let writeCount = 0;
/** Changes an object, or creates it. */
async function write(name = 'probe'): Promise<Answer> {
  writeCount += 1;
  const body = configMap(name, { write: `${writeCount}` });
  const put = await server.put(`${CELLS}/${name}`, body);
  return put.status === 404 ? server.post(CELLS, body) : put;
}

async function list(t: Test, options: ListOptions): Promise<WholeList> {
  return readAll(t, server, CELLS, options);
}

async function expectStateAt(t: Test, { rv, items }: WholeList): Promise<void> {
  const exactly = await list(t, { match: 'Exact', rv });
  t.same({ rv, items }, exactly, `the content is that of version ${rv}`);
}

type Meaning = (t: Test, options: ListOptions) => Promise<void>;

async function mostRecent(t: Test, options: ListOptions): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const written = await write();
    const { rv, items } = await list(t, options);
    t.ok(items.includes(itemOf(written.text)), 'it has what was acknowledged before');
    t.ok(Number(rv) >= Number(versionOf(written)), `${rv} >= ${versionOf(written)}`);
  }
}

async function any(t: Test, options: ListOptions): Promise<void> {
  await write();
  await expectStateAt(t, await list(t, options));
}

async function notOlderThan(t: Test, options: ListOptions): Promise<void> {
  const written = versionOf(await write());
  for (const rv of [oldest.rv, written, await newerVersion(server)]) {
    const whole = await list(t, { ...options, rv });
    t.ok(Number(whole.rv) >= Number(rv), `${whole.rv} >= ${rv}`);
    await expectStateAt(t, whole);
  }
}

async function exact(t: Test, options: ListOptions): Promise<void> {
  await write();
  for (const { rv: atChange, laterRv, items } of moments) {
    for (const rv of [atChange, laterRv]) {
      const whole = await list(t, { ...options, rv });
      t.equal(whole.rv, rv, 'the version of the list is the one asked for');
      t.equal(whole.items, items, `the content is that of version ${rv}`);
    }
  }
}

async function continueTokenExact(t: Test, options: ListOptions): Promise<void> {
  await server.delete(`${CELLS}/f`);
  await write('z');
  const before = await list(t, {});
  const first = await server.get(listPath(CELLS, { limit: LIMIT }));
  const token = tokenOf(first);
  if (token === undefined) return void t.fail(`no token: ${first.text.slice(0, 200)}`);
  await write('f');
  await write('probe');
  await server.delete(`${CELLS}/z`);
  const rest = await list(t, { ...options, token });
  t.equal(rest.rv, versionOf(first), 'the version of the initial page');
  t.equal(`${itemsOf(first.text)},${rest.items}`, before.items, 'as it was at the initial page');
  t.not(before.items, (await list(t, {})).items, 'what was written meanwhile did change it');
}

async function invalid(t: Test, options: ListOptions): Promise<void> {
  const why =
    options.rv === undefined
      ? 'resourceVersionMatch is forbidden unless resourceVersion is provided'
      : 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
  const field = 'resourceVersionMatch';
  expectFailure(t, await server.get(listPath(CELLS, options)), {
    code: 422,
    reason: 'Invalid',
    message: `ListOptions.meta.cluster.io "" is invalid: ${field}: Forbidden: ${why}`,
    details: {
      group: 'meta.cluster.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }],
    },
  });
}

async function badRequest(t: Test, options: ListOptions): Promise<void> {
  const first = await server.get(listPath(CELLS, { limit: LIMIT }));
  const token = tokenOf(first);
  if (token === undefined) return void t.fail(`no token: ${first.text.slice(0, 200)}`);
  for (const rv of [oldest.rv, versionOf(first)]) {
    expectFailure(t, await server.get(listPath(CELLS, { ...options, token, rv })), {
      code: 400,
      reason: 'BadRequest',
      message: 'specifying resource version is not allowed when using continue',
    });
  }
}

const MEANINGS = {
  'Most Recent': mostRecent,
  Any: any,
  'Not older than': notOlderThan,
  Exact: exact,
  'Continue Token, Exact': continueTokenExact,
  'Invalid, treated as Continue Token, Exact': continueTokenExact,
  Invalid: invalid,
  'Invalid, HTTP 400': badRequest,
} as const satisfies Record<string, Meaning>;
type MeaningName = keyof typeof MEANINGS;

const RV_COLUMNS = ['unset', '0', 'other'] as const;
const TREATED = 'Invalid, treated as Continue Token, Exact';
type Row = readonly [match: string, paging: string, ...cells: readonly MeaningName[]];
const LIST_TABLE: readonly Row[] = [
  ['unset', 'limit unset', 'Most Recent', 'Any', 'Not older than'],
  ['unset', 'limit=n, continue unset', 'Most Recent', 'Any', 'Exact'],
  ['unset', 'limit=n, continue=token', 'Continue Token, Exact', TREATED, 'Invalid, HTTP 400'],
  ['Exact', 'limit unset', 'Invalid', 'Invalid', 'Exact'],
  ['Exact', 'limit=n, continue unset', 'Invalid', 'Invalid', 'Exact'],
  ['NotOlderThan', 'limit unset', 'Invalid', 'Any', 'Not older than'],
  ['NotOlderThan', 'limit=n, continue unset', 'Invalid', 'Any', 'Not older than'],
];

for (const [match, paging, ...cells] of LIST_TABLE) {
  for (const [column, meaning] of cells.entries()) {
    const rv = RV_COLUMNS[column];
    const options = {
      ...(match === 'unset' ? {} : { match }),
      ...(paging === 'limit unset' ? {} : { limit: LIMIT }),
      // The versions and the tokens of the other cells are up to their meanings.
      ...(rv === '0' ? { rv } : {}),
    };
    const name = `list: resourceVersionMatch ${match}, ${paging}, rv ${rv}: ${meaning}`;
    t.test(name, async (t) => MEANINGS[meaning](t, options));
  }
}

t.test('list: a match with a token is refused, whatever the version', async (t) => {
  const token = tokenOf(await server.get(listPath(CELLS, { limit: LIMIT }))) ?? 'none';
  for (const match of ['Exact', 'NotOlderThan']) {
    for (const rv of ['', '0', oldest.rv]) {
      expectFailure(t, await server.get(listPath(CELLS, { match, rv, limit: LIMIT, token })), {
        code: 422,
        reason: 'Invalid',
        message: /resourceVersionMatch is forbidden when continue is provided/,
      });
    }
  }
});

t.test('list: a match that nobody knows', async (t) => {
  const why = 'Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""';
  const field = 'resourceVersionMatch';
  expectFailure(t, await server.get(listPath(CELLS, { match: 'exact', rv: oldest.rv })), {
    code: 422,
    reason: 'Invalid',
    message: `ListOptions.meta.cluster.io "" is invalid: ${field}: ${why}`,
    details: {
      group: 'meta.cluster.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueNotSupported', message: why, field }],
    },
  });
});

t.test('list: an empty version is none, and leading zeros change nothing', async (t) => {
  t.same(await list(t, { rv: '' }), await list(t, {}));
  t.same(await list(t, { rv: '', limit: LIMIT }), await list(t, {}));
  for (const match of ['Exact', 'NotOlderThan']) {
    const answer = await server.get(listPath(CELLS, { match, rv: '' }));
    const message = /forbidden unless resourceVersion is provided/;
    expectFailure(t, answer, { code: 422, reason: 'Invalid', message });
  }
  for (const { rv, items } of moments) {
    t.same(await list(t, { match: 'Exact', rv: `00${rv}` }), { rv, items });
    t.same(await list(t, { limit: LIMIT, rv: `00${rv}` }), { rv, items });
  }
});

t.test('list: Exact for all namespaces, and with selectors', async (t) => {
  for (const { rv, items } of moments) {
    const all = await readAll(t, server, '/api/v1/configmaps', { match: 'Exact', rv });
    t.same(all, { rv, items }, 'no other namespace had any then');
    for (const [fields, name] of [
      ['metadata.name=c', /^c$/],
      ['metadata.name!=c', /^[^c]$/],
      ['metadata.namespace=cells,metadata.name=b', /^b$/],
    ] as const) {
      const selected = await list(t, { match: 'Exact', rv, fields });
      const expected = (JSON.parse(`[${items}]`) as { metadata: { name: string } }[]).filter(
        (item) => name.test(item.metadata.name),
      );
      t.same(JSON.parse(`[${selected.items}]`), expected, `${fields} at ${rv}`);
    }
  }
});

t.test('list: Exact and its pages select by what objects were at their version', async (t) => {
  const kind = kindNamed('Secret');
  const path = typePath(kind, 'farm');
  await createNamespaceOf(server, path);
  const selected = async (options: ListOptions, from = path): Promise<string[]> =>
    namesOf(await server.get(listPath(from, options)));
  const put = async (name: string, type: string, labels: Members): Promise<string> => {
    await server.delete(`${path}/${name}`);
    return versionOf(await server.post(path, minimalObject(kind, name, { type }, { labels })));
  };
  const [red, blue] = [{ colour: 'red' }, { colour: 'blue' }];
  for (const name of ['a', 'b', 'c', 'd']) await put(name, 'example.com/old', red);
  const rv = await put('e', 'example.com/new', blue);
  const selectors: readonly (readonly [ListOptions, string[], string[]])[] = [
    [{ fields: 'type=example.com/old' }, ['a', 'b', 'c', 'd'], ['b', 'd', 'f']],
    [{ fields: 'type!=example.com/old' }, ['e'], ['a', 'e']],
    [{ labels: 'colour=red' }, ['a', 'b', 'c', 'd'], ['d', 'e']],
    [{ labels: 'colour!=red' }, ['e'], ['a', 'b', 'f']],
    [{ fields: 'metadata.name=c' }, ['c'], []],
    [{ fields: 'metadata.name=f' }, [], ['f']],
    [{ fields: 'type=example.com/old', labels: 'colour=red' }, ['a', 'b', 'c', 'd'], ['d']],
  ];
  const first = await server.get(listPath(path, { limit: 1, ...selectors[0]![0] }));
  const token = tokenOf(first) ?? 'none';
  await put('a', 'example.com/new', blue);
  await put('b', 'example.com/old', blue);
  await server.delete(`${path}/c`);
  await put('e', 'example.com/new', red);
  await put('f', 'example.com/old', blue);
  const check = async (): Promise<void> => {
    for (const [selector, then, now] of selectors) {
      t.same(await selected({ match: 'Exact', rv, ...selector }), then);
      const fields = ['metadata.namespace=farm', selector.fields ?? ''].join();
      const all = { match: 'Exact', rv, ...selector, fields };
      t.same(await selected(all, '/api/v1/secrets'), then);
      t.same(await selected(selector), now);
      const pages = await readPages(t, server, path, { limit: 2, rv, ...selector });
      t.same(pages.flatMap(namesOf), then, 'in pages');
    }
    const rest = await readPages(t, server, path, { limit: 2, token, ...selectors[0]![0] });
    t.same([first, ...rest].flatMap(namesOf), ['a', 'b', 'c', 'd'], 'the rest by a token');
  };
  await check();
  await server.stop();
  await server.restart();
  await check();
});

t.test('get: resourceVersion unset: Most Recent', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const { text } = await write();
    t.equal((await server.get(`${CELLS}/probe`)).text, text);
    t.equal((await server.get(`${CELLS}/probe?resourceVersion=`)).text, text, 'empty is unset');
  }
});

t.test('get: resourceVersion 0: Any', async (t) => {
  const states = [];
  for (let round = 0; round < 5; round += 1) states.push((await write('any')).text);
  const { status, text } = await server.get(`${CELLS}/any?resourceVersion=0`);
  t.equal(status, 200);
  t.ok(states.includes(text), 'a state that it had');
  t.equal((await server.get(`${CELLS}/nothing?resourceVersion=0`)).status, 404);
});

t.test('get: resourceVersion other: Not older than', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const { text, json } = await write();
    const { resourceVersion } = json.metadata;
    for (const rv of [resourceVersion, await newerVersion(server), `00${resourceVersion}`]) {
      t.equal((await server.get(`${CELLS}/probe?resourceVersion=${rv}`)).text, text);
    }
    const newest = await server.get(`${CELLS}/probe?resourceVersion=${oldest.rv}`);
    t.equal(newest.text, text, 'the newest also for an old version');
  }
  const gone = await server.get(`${CELLS}/b?resourceVersion=${oldest.rv}`);
  t.equal(gone.status, 404, 'what was there at that version and is gone since');
});

/** The watch starts with exactly what is there, the newest write included; then come changes. */
async function stateThenChanges(t: Test, query: string): Promise<void> {
  const written = await write();
  const { items } = await list(t, {});
  const watch = await server.watch(`${CELLS}?watch=true${query}`);
  t.equal(watch.status, 200);
  const initial = await watch.take((JSON.parse(`[${items}]`) as unknown[]).length);
  const start = '{"type":"ADDED","object":';
  const sorted = initial.toSorted((one, other) =>
    one.object.metadata.name < other.object.metadata.name ? -1 : 1,
  );
  const texts = sorted.map(({ raw }) => itemOf(raw.slice(start.length, -1)));
  t.ok(
    initial.every(({ raw }) => raw.startsWith(start)),
    'all of them ADDED',
  );
  t.equal(texts.join(','), items, 'one for each object');
  t.ok(texts.includes(itemOf(written.text)), 'what was acknowledged before is in it');
  const changed = await write();
  const next = await watch.next();
  t.equal(next?.raw, `{"type":"MODIFIED","object":${changed.text.trimEnd()}}`, 'then changes');
  watch.close();
}

t.test('watch: unset: Get State and Start at Most Recent', async (t) => {
  await stateThenChanges(t, '');
  await stateThenChanges(t, '&resourceVersion=');
});

t.test('watch: 0: Get State and Start at Any', async (t) =>
  stateThenChanges(t, '&resourceVersion=0'),
);

t.test('watch: other: Start at Exact', async (t) => {
  for (const [at, moment] of moments.entries()) {
    const later = moments.slice(at + 1).map(({ event }) => event);
    for (const rv of [moment.rv, moment.laterRv, `00${moment.rv}`]) {
      const watch = await server.watch(`${CELLS}?watch=true&resourceVersion=${rv}`);
      const events = await watch.take(later.length);
      t.same(
        events.map(({ raw }) => raw),
        later,
        `exactly the changes after ${rv}`,
      );
      watch.close();
    }
  }
  const now = await newerVersion(server);
  const watch = await server.watch(`${CELLS}?watch=true&resourceVersion=${now}`);
  const changed = await write();
  t.equal((await watch.next())?.object.metadata.resourceVersion, versionOf(changed));
  watch.close();
});

t.test('watch: resourceVersionMatch is refused', async (t) => {
  const field = 'resourceVersionMatch';
  for (const match of ['Exact', 'NotOlderThan']) {
    const answer = await server.get(`${listPath(CELLS, { match, rv: oldest.rv })}&watch=true`);
    expectFailure(t, answer, {
      code: 422,
      reason: 'Invalid',
      message:
        `ListOptions.meta.cluster.io "" is invalid: ${field}: Forbidden: ` +
        'resourceVersionMatch is forbidden for watch',
    });
  }
});

t.end();
