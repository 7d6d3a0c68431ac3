/** Watches: every change, in order, exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { WatchEvent } from '../support/watch-stream.ts';

const server = await sharedServer();

async function currentVersion(): Promise<string> {
  return (await server.get(CONFIG_MAPS)).json.metadata.resourceVersion;
}

function versionOf(event: WatchEvent): number {
  return Number(event.object.metadata.resourceVersion);
}

t.test('a stream of JSON lines, its head sent at once', async (t) => {
  const watch = await server.watch(
    `${CONFIG_MAPS}?watch=true&resourceVersion=${await currentVersion()}`,
  );
  t.equal(watch.status, 200);
  t.equal(watch.headers['content-type'], 'application/json');
  t.equal(watch.headers['transfer-encoding'], 'chunked');
  t.equal(watch.events.length, 0, 'the head came without an event');
  watch.close();
});

t.test('created, changed and deleted, with exact bytes', async (t) => {
  const watch = await server.watch(
    `${CONFIG_MAPS}?watch=true&resourceVersion=${await currentVersion()}`,
  );
  const created = await server.post(CONFIG_MAPS, configMap('seen', { a: '<1>' }));
  const changed = await server.put(`${CONFIG_MAPS}/seen`, configMap('seen', { a: '2' }));
  await server.delete(`${CONFIG_MAPS}/seen`);
  const [added, modified, deleted] = await watch.take(3);
  t.equal(added?.raw, `{"type":"ADDED","object":${created.text.trimEnd()}}`);
  t.equal(modified?.raw, `{"type":"MODIFIED","object":${changed.text.trimEnd()}}`);
  t.equal(deleted?.type, 'DELETED');
  t.same(deleted?.object.data, { a: '2' }, 'the last state');
  t.ok(versionOf(deleted!) > Number(changed.json.metadata.resourceVersion), 'its own version');
  const last = changed.json.metadata.resourceVersion;
  t.equal(
    deleted?.raw.replace(
      `"resourceVersion":"${versionOf(deleted)}"`,
      `"resourceVersion":"${last}"`,
    ),
    `{"type":"DELETED","object":${changed.text.trimEnd()}}`,
    'and otherwise the bytes of the last state',
  );
  watch.close();
});

t.test('without a version it begins with what is there', async (t) => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'initial' } });
  const path = '/api/v1/namespaces/initial/configmaps';
  const bodies = [];
  for (const name of ['b', 'a', 'c']) bodies.push((await server.post(path, configMap(name))).text);
  for (const query of ['', '&resourceVersion=0', '&resourceVersion=']) {
    const watch = await server.watch(`${path}?watch=true${query}`);
    const initial = await watch.take(3);
    t.same(
      initial.map((event) => event.raw).sort(),
      bodies.map((body) => `{"type":"ADDED","object":${body.trimEnd()}}`).sort(),
      `all of it, once (${query})`,
    );
    const next = await server.post(path, { metadata: { generateName: 'next-' } });
    t.equal((await watch.next())?.raw, `{"type":"ADDED","object":${next.text.trimEnd()}}`);
    await server.delete(`${path}/${next.json.metadata.name}`);
    t.equal((await watch.next())?.type, 'DELETED');
    watch.close();
  }
});

t.test('a get with `watch` is a watch of that object', async (t) => {
  const one = `${CONFIG_MAPS}/watched-one`;
  const { json: first } = await server.post(CONFIG_MAPS, configMap('watched-one'));
  const { resourceVersion } = first.metadata;
  const streams = await Promise.all(
    [
      `${one}?watch=true`,
      `${one}?watch`,
      `${one}?watch=1&fieldSelector=metadata.name%3Dwatched-one`,
      `${one}?watch=1&resourceVersion=0`,
    ].map((path) => server.watch(path)),
  );
  const later = await server.watch(`${one}?watch=1&resourceVersion=${resourceVersion}`);
  await server.post(CONFIG_MAPS, configMap('watched-another'));
  await server.put(one, configMap('watched-one', { key: 'changed' }));
  for (const stream of streams) {
    const [added, modified] = await stream.take(2);
    t.match([added?.type, added?.object.metadata], ['ADDED', { name: 'watched-one' }]);
    t.match([modified?.type, modified?.object.data], ['MODIFIED', { key: 'changed' }]);
    stream.close();
  }
  t.equal((await later.next())?.type, 'MODIFIED', 'what came after the version');
  later.close();
  for (const query of ['watch=false', 'watch=0']) {
    t.equal((await server.get(`${one}?${query}`)).json.kind, 'ConfigMap', query);
  }
  const status = await server.get('/api/v1/namespaces/default/status?watch=true');
  t.equal(status.json.kind, 'Namespace', 'a subresource is only read');
  const other = await server.get(`${one}?watch=1&fieldSelector=metadata.name%3Dother`);
  const message = "fieldSelector metadata.name doesn't match requested name";
  expectFailure(t, other, { code: 400, reason: 'BadRequest', message });
  const missing = await server.get(`${CONFIG_MAPS}/watched-none?watch=1&timeoutSeconds=1`);
  t.same([missing.status, missing.text.trim()], [200, ''], 'nothing there yet');
});

t.test('only what is in its scope', async (t) => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'scope-a' } });
  await server.post('/api/v1/namespaces', { metadata: { name: 'scope-b' } });
  const from = await currentVersion();
  const inA = '/api/v1/namespaces/scope-a/configmaps';
  const inB = '/api/v1/namespaces/scope-b/configmaps';
  const [all, a, b, one] = await Promise.all(
    [
      `/api/v1/configmaps?watch=true`,
      `${inA}?watch=1`,
      `${inB}?watch`,
      `${inA}?watch=true&fieldSelector=metadata.name%3Dx2`,
    ].map(async (path) => server.watch(`${path}&resourceVersion=${from}`)),
  );
  for (const name of ['x1', 'x2', 'x3']) {
    await server.post(inA, configMap(name));
    await server.post(inB, configMap(name));
  }
  const names = (events: WatchEvent[]): string[] =>
    events.map(({ object }) => `${object.metadata.namespace}/${object.metadata.name}`);
  t.same(names(await a!.take(3)), ['scope-a/x1', 'scope-a/x2', 'scope-a/x3']);
  t.same(names(await b!.take(3)), ['scope-b/x1', 'scope-b/x2', 'scope-b/x3']);
  t.same(
    names(await all!.take(6)).filter((name) => name.endsWith('x2')),
    ['scope-a/x2', 'scope-b/x2'],
  );
  t.same(names(await one!.take(1)), ['scope-a/x2']);
  await server.delete(`${inA}/x3`);
  t.equal((await a!.next())?.type, 'DELETED');
  for (const watch of [all, a, b, one]) {
    t.ok(watch!.events.length <= 7, 'nothing more');
    watch!.close();
  }
});

t.test('concurrent writers: each change once, by rising version, the same for all', async (t) => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'busy' } });
  const path = '/api/v1/namespaces/busy/configmaps';
  const from = await currentVersion();
  const query = `?watch=true&resourceVersion=${from}`;
  const early = await Promise.all([1, 2, 3].map(async () => server.watch(`${path}${query}`)));
  const expected: string[] = [];
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let round = 0; round < 15; round += 1) {
      const name = `w${writer}-${round}`;
      const created = await server.post(path, configMap(name));
      t.equal(created.status, 201);
      expected.push(`ADDED ${created.json.metadata.resourceVersion}`);
      const changed = await server.put(`${path}/${name}`, configMap(name, { round: `${round}` }));
      expected.push(`MODIFIED ${changed.json.metadata.resourceVersion}`);
      await server.delete(`${path}/${name}`);
    }
  });
  await sleep(20);
  const late = await server.watch(`${path}${query}`);
  await Promise.all(writers);
  const total = 8 * 15 * 3;
  const streams = await Promise.all([...early, late].map(async (watch) => watch.take(total)));
  const after = await server.watch(`${path}${query}`);
  streams.push(await after.take(total));
  const [first = []] = streams;
  const versions = first.map(versionOf);
  t.ok(
    versions.every((version, at) => at === 0 || version > versions[at - 1]!),
    'versions rise strictly',
  );
  const seen = first
    .filter(({ type }) => type !== 'DELETED')
    .map((event) => `${event.type} ${versionOf(event)}`);
  t.same(new Set(seen), new Set(expected), 'what was acknowledged is what was seen');
  t.equal(first.filter(({ type }) => type === 'DELETED').length, 8 * 15);
  for (const stream of streams) {
    t.same(
      stream.map(({ raw }) => raw),
      first.map(({ raw }) => raw),
      'the same lines for every watch',
    );
  }
  const marker = await server.post(path, configMap('marker'));
  for (const watch of [...early, late, after]) {
    t.equal(versionOf((await watch.next())!), Number(marker.json.metadata.resourceVersion));
    watch.close();
  }
});

t.test('a list and a watch from its version miss nothing', async (t) => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'handover' } });
  const path = '/api/v1/namespaces/handover/configmaps';
  const total = 120;
  const writing = Array.from({ length: 6 }, async (_, writer) => {
    for (let at = writer; at < total; at += 6) await server.post(path, configMap(`h-${at}`));
  });
  const followers = Array.from({ length: 12 }, async (_, follower) => {
    await sleep(follower * 5);
    const list = (await server.get(path)).json;
    const names = list.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    const from = list.metadata.resourceVersion;
    const watch = await server.watch(`${path}?watch=true&resourceVersion=${from}`);
    const events = await watch.take(total - names.length);
    watch.close();
    return [...names, ...events.map((event) => event.object.metadata.name)];
  });
  await Promise.all(writing);
  for (const names of await Promise.all(followers)) {
    t.equal(names.length, total);
    t.equal(new Set(names).size, total, 'list and events together are everything, once');
  }
});

t.test('an update that changes nothing is no event', async (t) => {
  const created = await server.post(CONFIG_MAPS, configMap('calm'));
  const from = created.json.metadata.resourceVersion;
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);
  await server.put(`${CONFIG_MAPS}/calm`, created.json);
  await server.put(`${CONFIG_MAPS}/calm?dryRun=All`, configMap('calm', { other: 'x' }));
  const changed = await server.put(`${CONFIG_MAPS}/calm`, configMap('calm', { key: 'x' }));
  const next = await watch.next();
  t.equal(versionOf(next!), Number(changed.json.metadata.resourceVersion));
  watch.close();
});

t.test('timeoutSeconds ends the stream cleanly', async (t) => {
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1`);
  t.equal(watch.status, 200);
  await watch.end();
  t.equal(watch.rest, '', 'no half line');
  t.ok(
    watch.events.every(({ type }) => type === 'ADDED'),
    'and no event about it',
  );
});

t.test('a version in the future waits', async (t) => {
  const from = Number(await currentVersion()) + 100_000;
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);
  t.equal(watch.status, 200);
  await server.post(CONFIG_MAPS, configMap('before-the-future'));
  await sleep(50);
  t.equal(watch.events.length, 0);
  watch.close();
});

t.test('a version that is too old is 410 Expired', async (t) => {
  const own = await startServer({ test: t, args: ['--watch-history', '1s'] });
  const first = await own.post(CONFIG_MAPS, configMap('old'));
  const from = first.json.metadata.resourceVersion;
  const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`;
  const deadline = Date.now() + PATIENCE_MS;
  let status = 200;
  for (let round = 0; status === 200 && Date.now() < deadline; round += 1) {
    await own.put(`${CONFIG_MAPS}/old`, configMap('old', { round: `${round}` }));
    await sleep(200);
    const watch = await own.watch(path);
    status = watch.status;
    watch.close();
  }
  expectFailure(t, await own.get(path), {
    code: 410,
    reason: 'Expired',
    message: new RegExp(`^too old resource version: ${from} \\(\\d+\\)$`),
  });
  const list = (await own.get(CONFIG_MAPS)).json.metadata.resourceVersion;
  const fresh = await own.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${list}`);
  t.equal(fresh.status, 200, 'a new list and a watch from it go on');
  fresh.close();
});

t.test('a watch goes on from its last version over a restart', async (t) => {
  const own = await startServer({ test: t });
  const first = await own.post(CONFIG_MAPS, configMap('one'));
  const second = await own.post(CONFIG_MAPS, configMap('two'));
  await own.kill();
  await own.restart();
  const from = first.json.metadata.resourceVersion;
  const watch = await own.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);
  t.equal(watch.status, 200);
  t.equal((await watch.next())?.raw, `{"type":"ADDED","object":${second.text.trimEnd()}}`);
  watch.close();
});

t.test('a hundred watches of one namespace each get everything', async (t) => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'crowd' } });
  const path = '/api/v1/namespaces/crowd/configmaps';
  const query = `?watch=true&resourceVersion=${await currentVersion()}`;
  const watches = await Promise.all(
    Array.from({ length: 100 }, async () => server.watch(`${path}${query}`)),
  );
  for (let at = 0; at < 20; at += 1) {
    await server.post(path, configMap(`c-${at}`, { filler: 'x'.repeat(10_000) }));
  }
  for (const watch of watches) {
    const events = await watch.take(20);
    t.same(
      events.map((event) => event.object.metadata.name),
      Array.from({ length: 20 }, (_, at) => `c-${at}`),
    );
    watch.close();
  }
});
