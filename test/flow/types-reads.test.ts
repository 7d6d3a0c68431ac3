/** Lists and watches are the same for built-in and custom types, and after a crash. */
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { sharedServer } from '../support/shared-server.ts';
import { startServer } from '../support/server.ts';
import { forEachType, type TypeUnderTest } from '../support/type-under-test.ts';
import { listPath, namesOf, readPages, versionOf } from '../support/whole-list.ts';
import type { WatchStream } from '../support/watch-stream.ts';

const server = await sharedServer();
const NAMES = ['a', 'b', 'c', 'd', 'e'];

async function createAll(type: TypeUnderTest): Promise<void> {
  for (const [at, name] of NAMES.entries()) {
    const created = await type.create(name, 'one', { labels: { odd: `${at % 2}` } });
    if (created.status !== 201) throw new Error(created.text);
  }
}

async function deleteAll(t: Test, type: TypeUnderTest): Promise<void> {
  const answer = await server.delete(`${type.path}?labelSelector=${type.selector}`);
  t.match(answer.json, { kind: 'Status', status: 'Success' }, answer.text);
  const left = await server.get(listPath(type.path, { labels: type.selector }));
  t.same(namesOf(left), []);
}

/** Events in short: `ADDED a one`. */
async function told(type: TypeUnderTest, watch: WatchStream, count: number): Promise<string[]> {
  const events = await watch.take(count);
  return events.map(({ type: what, object }) => {
    t.equal(object.kind, type.facts.kind);
    t.equal(object.apiVersion, type.facts.apiVersion);
    return `${what} ${String(object.metadata.name)} ${String(type.textOf(object))}`;
  });
}

await forEachType(t, server, 'pages and exact lists', async (t, type) => {
  await createAll(type);
  const labels = type.selector;
  const whole = await server.get(listPath(type.path, { labels }));
  const { kind, apiVersion } = type.facts;
  t.match(whole.json, { kind: `${kind}List`, apiVersion });
  t.same(namesOf(whole), NAMES);
  const isTyped = whole.json.items.every((item: { kind?: string }) => item.kind === kind);
  t.equal(isTyped, type.facts.isCustom, 'items of custom types say what they are');

  const pages = await readPages(t, server, type.path, { labels, limit: 2 }, async () => {
    await type.patch('e', 'merge', type.part('later'));
  });
  t.same(pages.map(namesOf), [['a', 'b'], ['c', 'd'], ['e']]);
  const last = pages.at(-1)?.json.items[0];
  t.equal(type.textOf(last), 'one', 'as it was when the first page was read');
  await server.delete(type.at('a'));
  const rv = versionOf(whole);
  const exact = await server.get(listPath(type.path, { labels, rv, match: 'Exact' }));
  t.equal(exact.text, whole.text);
  const newer = await server.get(listPath(type.path, { labels, rv, match: 'NotOlderThan' }));
  t.same(namesOf(newer), NAMES.slice(1));
  const bad = await server.get(listPath(type.path, { rv, token: 'abc' }));
  expectFailure(t, bad, { code: 400, reason: 'BadRequest' });
  await deleteAll(t, type);
});

await forEachType(t, server, 'selectors', async (t, type) => {
  await createAll(type);
  const named = async (labels: string, fields?: string) => {
    const all = `${type.selector}${labels}`;
    const options = { labels: all, ...(fields !== undefined && { fields }) };
    return namesOf(await server.get(listPath(type.path, options)));
  };
  t.same(await named(',odd=1'), ['b', 'd']);
  t.same(await named(',odd!=1'), ['a', 'c', 'e']);
  t.same(await named(',odd in (0,2)'), ['a', 'c', 'e']);
  t.same(await named(',!odd'), []);
  t.same(await named('', 'metadata.name=c'), ['c']);
  t.same(await named('', 'metadata.name!=c,metadata.name!=d'), ['a', 'b', 'e']);
  if (type.facts.namespaced) {
    t.same(await named('', `metadata.namespace=${type.namespace}`), NAMES);
    t.same(await named('', 'metadata.namespace=default'), []);
  }
  const unknown = await server.get(listPath(type.path, { fields: 'spec.text=one' }));
  expectFailure(t, unknown, { code: 400, reason: 'BadRequest' });
  await deleteAll(t, type);
});

await forEachType(t, server, 'watches', async (t, type) => {
  const from = await type.version();
  const chosen = `labelSelector=${type.selector},odd%3D1`;
  const all = await type.watch(`resourceVersion=${from}`);
  const some = await type.watch(`resourceVersion=${from}&${chosen}`);
  const one = await type.watch(`resourceVersion=${from}&fieldSelector=metadata.name%3Db`);
  await type.create('a', 'one', { labels: { odd: '1' } });
  await type.create('b', 'one', { labels: { odd: '0' } });
  await type.patch('a', 'merge', type.part('two'));
  await type.patch('a', 'merge', { metadata: { labels: { odd: '0' } } });
  await type.patch('b', 'merge', { metadata: { labels: { odd: '1' } } });
  await server.delete(type.at('b'));
  t.same(await told(type, some, 5), [
    'ADDED a one',
    'MODIFIED a two',
    'DELETED a two',
    'ADDED b one',
    'DELETED b one',
  ]);
  t.same(await told(type, one, 3), ['ADDED b one', 'MODIFIED b one', 'DELETED b one']);
  t.same(await told(type, all, 6), [
    'ADDED a one',
    'ADDED b one',
    'MODIFIED a two',
    'MODIFIED a two',
    'MODIFIED b one',
    'DELETED b one',
  ]);
  for (const watch of [all, some, one]) watch.close();
  await deleteAll(t, type);
});

await forEachType(t, server, 'bookmarks and initial events', async (t, type) => {
  await type.create('a');
  const { kind, apiVersion } = type.facts;
  const streamed = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  const selected = `labelSelector=${type.selector}`;
  const watch = await type.watch(`${streamed}&${selected}&allowWatchBookmarks=true`);
  t.same(await told(type, watch, 1), ['ADDED a one']);
  const [closing] = await watch.take(1);
  t.equal(closing?.type, 'BOOKMARK');
  const annotations = { 'cluster.io/initial-events-end': 'true' };
  t.match(closing?.object, { kind, apiVersion, metadata: { annotations } });
  await type.patch('a', 'merge', type.part('two'));
  t.same(await told(type, watch, 1), ['MODIFIED a two']);
  watch.close();

  const rv = await type.version();
  const short = await type.watch(`resourceVersion=${rv}&timeoutSeconds=1&allowWatchBookmarks=true`);
  await short.end();
  const [bookmark] = short.events;
  t.match(bookmark, { type: 'BOOKMARK', object: { kind, apiVersion } }, 'one before the end');
  t.ok(Number(bookmark?.object.metadata.resourceVersion) >= Number(rv));
  await deleteAll(t, type);
});

t.test('a crash', async (t) => {
  const crashed = await startServer({ test: t });
  const facts: { type: TypeUnderTest; from: string; whole: string; rv: string }[] = [];
  await forEachType(t, crashed, 'before a crash', async (t, type) => {
    const from = await type.version();
    await type.create('a');
    await type.create('b');
    const whole = await crashed.get(listPath(type.path, { labels: type.selector }));
    await type.patch('a', 'merge', type.part('two'));
    const removed = await crashed.delete(type.at('b'));
    t.equal(removed.status, 200);
    facts.push({ type, from, whole: whole.text, rv: versionOf(whole) });
  });
  await crashed.kill();
  await crashed.restart();
  for (const { type, from, whole, rv } of facts) {
    t.equal(type.textOf((await type.get('a')).json), 'two');
    const exact = listPath(type.path, { labels: type.selector, rv, match: 'Exact' });
    t.equal((await crashed.get(exact)).text, whole, 'the past is known');
    const watch = await type.watch(`resourceVersion=${from}&labelSelector=${type.selector}`);
    const events = await told(type, watch, 4);
    t.same(events, ['ADDED a one', 'ADDED b one', 'MODIFIED a two', 'DELETED b one']);
    watch.close();
  }
});
