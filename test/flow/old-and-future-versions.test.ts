/** Versions that were not issued yet, do not parse, are from before a restart, or have expired. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { newerVersion, recordHistory } from '../support/recorded-history.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';
import { createNamespaceOf, itemsOf, listPath, versionOf } from '../support/whole-list.ts';

const PATH = '/api/v1/namespaces/cells/configmaps';
const LIMIT = 2;
const UINT64_MAX = '18446744073709551615';
/** In which an event would come that must not. */
const NO_MORE_MS = 100;

const server = await startServer({ test: t });
await server.post(CONFIG_MAPS, configMap('there'));
/** Prepared now, so that its window passes while other tests run. */
const expiring = prepareExpiring();

const READS: readonly (readonly [name: string, path: string])[] = [
  ['get', `${CONFIG_MAPS}/there?`],
  ['get of what is not there', `${CONFIG_MAPS}/missing?`],
  ['list', `${CONFIG_MAPS}?`],
  ['list with a limit', `${CONFIG_MAPS}?limit=2&`],
  ['list, NotOlderThan', `${CONFIG_MAPS}?resourceVersionMatch=NotOlderThan&`],
  ['list with a limit, NotOlderThan', `${CONFIG_MAPS}?resourceVersionMatch=NotOlderThan&limit=2&`],
  ['list, Exact', `${CONFIG_MAPS}?resourceVersionMatch=Exact&`],
  ['list with a limit, Exact', `${CONFIG_MAPS}?resourceVersionMatch=Exact&limit=2&`],
];

for (const [name, path] of READS) {
  t.test(`${name}: a version in the future is too large`, async (t) => {
    const now = Number(await newerVersion(server));
    for (const rv of [`${now + 1_000_000}`, '9007199254740993', UINT64_MAX]) {
      const answer = await server.get(`${path}resourceVersion=${rv}`);
      expectFailure(t, answer, {
        code: 504,
        reason: 'Timeout',
        message: new RegExp(`^Timeout: Too large resource version: ${rv}, current: \\d+$`),
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      });
      t.equal(answer.headers['retry-after'], '1');
    }
  });
}

const UNPARSABLE = ['abc', '-1', '+1', '1.5', '1e3', '0x10', ' 1', '1 ', '1,2', '٣'];
for (const [name, path] of [...READS, ['watch', `${CONFIG_MAPS}?watch=true&`] as const]) {
  t.test(`${name}: a version that does not parse`, async (t) => {
    const cases = UNPARSABLE.map((rv) => [rv, 'invalid syntax']);
    cases.push(['18446744073709551616', 'value out of range']);
    for (const [rv = '', why] of cases) {
      const answer = await server.get(`${path}resourceVersion=${encodeURIComponent(rv)}`);
      const message = `strconv.ParseUint: parsing ${JSON.stringify(rv)}: ${why}`;
      expectFailure(t, answer, { code: 400, reason: 'BadRequest' });
      t.ok(answer.json?.message?.includes(message), answer.json?.message);
    }
  });
}

t.test('watch: from a version in the future nothing comes until versions pass it', async (t) => {
  const from = Number(await newerVersion(server)) + 6;
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);
  const far = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${UINT64_MAX}`);
  t.equal(watch.status, 200);
  t.equal(far.status, 200);
  const versions: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const body = configMap('there', { round: `${round}` });
    versions.push(versionOf(await server.put(`${CONFIG_MAPS}/there`, body)));
  }
  const later = versions.filter((rv) => Number(rv) > from);
  t.ok(later.length > 0 && later.length < versions.length, `${from} is passed on the way`);
  const events = await watch.take(later.length);
  t.same(
    events.map(({ object }) => object.metadata.resourceVersion),
    later,
  );
  await sleep(NO_MORE_MS);
  t.equal(watch.events.length, later.length, 'and nothing else');
  t.equal(far.events.length, 0);
  watch.close();
  far.close();
});

t.test('lists and watches at old versions are the same after stops and crashes', async (t) => {
  const history = await recordHistory(server, PATH);
  const paths = history.flatMap(({ rv, laterRv }) => [
    listPath(PATH, { match: 'Exact', rv }),
    listPath(PATH, { match: 'Exact', rv: laterRv, limit: LIMIT }),
    listPath(PATH, { rv, limit: LIMIT }),
    listPath('/api/v1/configmaps', { match: 'Exact', rv }),
  ]);
  // A page's token tells when it was made.
  const read = async (): Promise<string[]> =>
    Promise.all(
      paths.map(async (path) =>
        (await server.get(path)).text.replace(/"continue":"[\w-]+"/, 'token'),
      ),
    );
  const before = await read();
  for (const [at, { rv, items }] of history.entries()) {
    const head = '{"kind":"ConfigMapList","apiVersion":"v1",';
    const text = `${head}"metadata":{"resourceVersion":"${rv}"},"items":[${items}]}\n`;
    t.equal(before[at * 4], text, `exactly the list at ${rv}`);
  }
  for (const end of ['stop', 'kill'] as const) {
    await server.put(`${PATH}/c`, configMap('c', { end }));
    const newest = await newerVersion(server);
    const now = await server.get(PATH);
    await server[end]();
    await server.restart();
    t.same(await read(), before, `after ${end}`);
    const again = await server.get(listPath(PATH, { match: 'Exact', rv: newest }));
    t.equal(versionOf(again), newest, 'the last version before is one after it too');
    t.equal(itemsOf(again.text), itemsOf(now.text));
    const least = await server.get(listPath(PATH, { match: 'NotOlderThan', rv: newest }));
    t.ok(Number(versionOf(least)) >= Number(newest), 'not older than before');
    t.equal((await server.get(`${PATH}/c?resourceVersion=${newest}`)).json?.data?.end, end);
    const watch = await server.watch(`${PATH}?watch=true&resourceVersion=${history[0]?.rv}`);
    const expected = history.slice(1).map(({ event }) => event);
    const events = await watch.take(expected.length);
    t.same(
      events.map(({ raw }) => raw),
      expected,
    );
    watch.close();
    const far = await server.get(listPath(PATH, { rv: `${Number(newest) + 10_000_000}` }));
    expectFailure(t, far, { code: 504, reason: 'Timeout' });
  }
});

interface Expiring {
  readonly own: Server;
  readonly rv: string;
  /** The list at that version. */
  readonly text: string;
}

async function prepareExpiring(): Promise<Expiring> {
  const own = await startServer({ test: t, args: ['--watch-history', '1s'] });
  await createNamespaceOf(own, PATH);
  for (const name of ['a', 'b', 'c', 'd']) await own.post(PATH, configMap(name));
  const { text, json } = await own.get(PATH);
  const rv = json.metadata.resourceVersion;
  for (const name of ['a', 'b']) await own.put(`${PATH}/${name}`, configMap(name, { new: '1' }));
  await own.delete(`${PATH}/c`);
  return { own, rv, text };
}

async function expectExpired(t: Test, { own, rv }: Expiring): Promise<void> {
  for (const path of [
    listPath(PATH, { match: 'Exact', rv }),
    listPath(PATH, { match: 'Exact', rv, limit: LIMIT }),
    listPath(PATH, { rv, limit: LIMIT }),
    listPath('/api/v1/configmaps', { match: 'Exact', rv }),
  ]) {
    const expired = await own.get(path);
    const message = 'The resourceVersion for the provided list is too old.';
    expectFailure(t, expired, { code: 410, reason: 'Expired', message });
    t.same(expired.json?.metadata, {}, 'no token: there is nothing to go on with');
  }
  const message = new RegExp(`^too old resource version: ${rv} \\(\\d+\\)$`);
  const watch = await own.get(`${PATH}?watch=true&resourceVersion=${rv}`);
  expectFailure(t, watch, { code: 410, reason: 'Expired', message });
  for (const match of [{}, { match: 'NotOlderThan' }]) {
    const list = await own.get(listPath(PATH, { rv, ...match }));
    t.equal(list.status, 200, 'there are versions that are not older');
    t.equal(list.json.items.length, 3);
  }
  t.equal((await own.get(`${PATH}/a?resourceVersion=${rv}`)).json?.data?.new, '1');
  // The specification lets the server refuse this one.
  const page = await own.get(listPath(PATH, { match: 'NotOlderThan', rv, limit: LIMIT }));
  if (page.status === 200) t.ok(Number(versionOf(page)) >= Number(rv));
  else expectFailure(t, page, { code: 410, reason: 'Expired' });
}

t.test('versions that have left the window are 410, also after a crash', async (t) => {
  const { own, rv, text } = await expiring;
  const deadline = Date.now() + PATIENCE_MS;
  let answer = await own.get(listPath(PATH, { match: 'Exact', rv }));
  while (answer.status === 200 && Date.now() < deadline) {
    t.equal(answer.text, text, 'the same as long as there is one');
    await sleep(100);
    answer = await own.get(listPath(PATH, { match: 'Exact', rv }));
  }
  await expectExpired(t, await expiring);
  await own.kill();
  await own.restart();
  await expectExpired(t, await expiring);
  const now = versionOf(await own.get(PATH));
  const newest = await own.get(listPath(PATH, { match: 'Exact', rv: now }));
  t.equal(versionOf(newest), now, 'the newest is always there');
});

t.end();
