/** DELETE on a collection. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import {
  KINDS,
  collectionPath,
  configMap,
  kindNamed,
  minimalObject,
  typePath,
} from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { newerVersion } from '../support/recorded-history.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';
import { listPath, namesOf, newCollection, tokenOf, versionOf } from '../support/whole-list.ts';

const HOLD = 'example.com/hold';
const OTHER_UID = '11111111-1111-4111-8111-111111111111';
const ALL = '/api/v1/configmaps';

const server = await startServer({ test: t });

async function collection(names: readonly string[]): Promise<string> {
  return newCollection(server, names);
}

/** Checks the answer of a successful one. */
function expectDeleted(t: Test, answer: Answer, kind = 'ConfigMap'): void {
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  const head = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"';
  t.equal(answer.text, `${head},"details":{"kind":"${kind}"},"code":200}\n`);
}

async function names(path: string): Promise<string[]> {
  return namesOf(await server.get(path));
}

async function watchFromNow(path: string): Promise<WatchStream> {
  const rv = await newerVersion(server);
  return server.watch(`${path}?watch=true&resourceVersion=${rv}`);
}

/** All events until the one of an object that is created now. */
async function eventsSoFar(watch: WatchStream, path: string): Promise<WatchEvent[]> {
  const last = await server.post(path, { metadata: { generateName: 'last-' } });
  const { name } = last.json.metadata;
  const events: WatchEvent[] = [];
  for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
    if (event.object.metadata.name === name) break;
    events.push(event);
  }
  watch.close();
  await server.delete(`${path}/${name}`);
  return events;
}

function shown({ type, object }: WatchEvent): string {
  return `${type} ${object.metadata.name}`;
}

t.test('all objects of a namespace go, each with one event, and no others', async (t) => {
  const path = await collection(['a', 'b', 'c']);
  const neighbour = await collection(['a', 'b', 'c']);
  const secrets = path.replace('configmaps', 'secrets');
  await server.post(secrets, minimalObject(kindNamed('Secret'), 'a'));
  const states = new Map<string, string>();
  for (const name of ['a', 'b', 'c']) states.set(name, (await server.get(`${path}/${name}`)).text);
  const before = await newerVersion(server);
  const watch = await watchFromNow(ALL);
  expectDeleted(t, await server.delete(path));
  t.same(await names(path), []);
  t.same(await names(neighbour), ['a', 'b', 'c']);
  t.same(await names(secrets), ['a']);
  const events = await eventsSoFar(watch, neighbour);
  t.same(events.map(shown), ['DELETED a', 'DELETED b', 'DELETED c']);
  const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
  t.ok(
    versions.every((rv, at) => rv > (versions[at - 1] ?? Number(before))),
    'a version for each',
  );
  for (const { object, raw } of events) {
    const text = states.get(object.metadata.name) ?? '';
    const old = JSON.parse(text).metadata.resourceVersion;
    const rv = `"resourceVersion":"${object.metadata.resourceVersion}"`;
    const last = text.trimEnd().replace(`"resourceVersion":"${old}"`, rv);
    t.equal(raw, `{"type":"DELETED","object":${last}}`, 'with the last state');
  }
  t.equal((await server.post(path, configMap('a'))).status, 201, 'names are free again');
});

t.test('an empty collection and a missing namespace', async (t) => {
  expectDeleted(t, await server.delete(await collection([])));
  expectDeleted(t, await server.delete('/api/v1/namespaces/no-such-namespace/configmaps'));
  const path = await collection(['a']);
  expectDeleted(t, await server.delete(listPath(path, { labels: 'nothing=here' })));
  t.same(await names(path), ['a']);
});

for (const kind of KINDS) {
  t.test(`${kind.kind}: deletecollection where it is served`, async (t) => {
    const label = { labels: { collected: 'yes' } };
    const options = { labels: 'collected=yes' };
    const made = await server.post(typePath(kind), minimalObject(kind, 'collected', {}, label));
    t.equal(made.status, 201, made.text);
    const refused = [
      ...(kind.namespaced ? [collectionPath(kind)] : []),
      ...(kind.kind === 'Namespace' ? [typePath(kind)] : []),
    ];
    for (const path of refused) {
      const answer = await server.delete(listPath(path, options));
      expectFailure(t, answer, {
        code: 405,
        reason: 'MethodNotAllowed',
        message: 'the server does not allow this method on the requested resource',
        details: {},
      });
    }
    const before = await server.get(listPath(collectionPath(kind), options));
    t.same(namesOf(before), ['collected'], 'a refusal deletes nothing');
    if (kind.kind === 'Namespace') return;
    expectDeleted(t, await server.delete(listPath(typePath(kind), options)), kind.kind);
    t.same(namesOf(await server.get(listPath(collectionPath(kind), options))), []);
  });
}

t.test('selectors choose', async (t) => {
  for (const [options, left] of [
    [{ labels: 'x=1' }, ['a', 'd']],
    [{ labels: '!x' }, ['b-x', 'c-x']],
    [{ labels: 'x in (1,2)', fields: 'metadata.name!=b-x' }, ['a', 'b-x', 'd']],
    [{ fields: 'metadata.name=d' }, ['a', 'b-x', 'c-x']],
    [{ fields: 'metadata.name=d,metadata.name=a' }, ['a', 'b-x', 'c-x', 'd']],
    [{ fields: 'metadata.namespace=other' }, ['a', 'b-x', 'c-x', 'd']],
  ] as const) {
    const path = await collection(['a', 'b-x', 'c-x', 'd']);
    expectDeleted(t, await server.delete(listPath(path, options)));
    t.same(await names(path), left, JSON.stringify(options));
  }
  const secret = kindNamed('Secret');
  const path = typePath(secret, 'cluster-public');
  await server.post(path, minimalObject(secret, 'a', { type: 'example.com/a' }));
  await server.post(path, minimalObject(secret, 'b', { type: 'example.com/b' }));
  expectDeleted(t, await server.delete(listPath(path, { fields: 'type=example.com/a' })), 'Secret');
  t.same(await names(path), ['b']);
});

t.test('limit takes some, in the order of lists, and the token goes on', async (t) => {
  const path = await collection(['a', 'b', 'c', 'd', 'e']);
  const watch = await watchFromNow(path);
  const first = await server.delete(listPath(path, { limit: 2 }));
  t.equal(first.status, 200);
  const token = tokenOf(first);
  t.same(first.json, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: { continue: token },
    status: 'Success',
    details: { kind: 'ConfigMap' },
    code: 200,
  });
  t.same(await names(path), ['c', 'd', 'e']);
  await server.delete(`${path}/c`);
  await server.post(path, configMap('b-2'));
  await server.post(path, configMap('d-2'));
  await server.put(`${path}/d`, configMap('d', { changed: 'yes' }));
  const second = await server.delete(listPath(path, { limit: 2, token: token ?? '' }));
  t.equal(second.status, 200, 'what is gone by then does not disturb');
  t.same(await names(path), ['b-2', 'd-2', 'e']);
  const third = await server.delete(listPath(path, { limit: 2, token: tokenOf(second) ?? '' }));
  expectDeleted(t, third);
  t.same(await names(path), ['b-2', 'd-2'], 'what came later is not of that list');
  expectDeleted(t, await server.delete(listPath(path, { limit: 2 })));
  const expected = ['DELETED a', 'DELETED b', 'DELETED c', 'ADDED b-2', 'ADDED d-2', 'MODIFIED d'];
  expected.push('DELETED d', 'DELETED e', 'DELETED b-2', 'DELETED d-2');
  t.same((await eventsSoFar(watch, path)).map(shown), expected);
});

t.test('a dry run deletes nothing, asked for by query or by body', async (t) => {
  const path = await collection(['a', 'b', 'c']);
  await server.post(path, configMap('held', {}, { finalizers: [HOLD] }));
  const before = await server.get(path);
  const watch = await watchFromNow(path);
  expectDeleted(t, await server.delete(`${path}?dryRun=All`));
  expectDeleted(t, await server.delete(path, { dryRun: ['All'] }));
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] };
  expectDeleted(t, await server.delete(path, body));
  const limited = await server.delete(`${path}?dryRun=All&limit=2`);
  t.equal(limited.status, 200);
  t.type(tokenOf(limited), 'string');
  const wrong = { dryRun: ['All'], preconditions: { uid: OTHER_UID } };
  expectFailure(t, await server.delete(path, wrong), { code: 409, reason: 'Conflict' });
  const after = await server.get(path);
  t.same(after.json.items, before.json.items);
  t.same(await eventsSoFar(watch, path), []);
});

t.test('a bare dryRun is none', async (t) => {
  for (const query of ['dryRun', 'dryRun=']) {
    const path = await collection(['a']);
    expectDeleted(t, await server.delete(`${path}?${query}`));
    t.same(await names(path), []);
  }
});

t.test('what a body does not say, the query says', async (t) => {
  const path = await collection(['a-x', 'b']);
  const labels = listPath(path, { labels: 'x=1' });
  expectDeleted(t, await server.delete(labels, { propagationPolicy: 'Background' }));
  t.same(await names(path), ['b'], 'the selector holds');
  // Clients name whatever version they otherwise speak of.
  const versions = ['v1', 'meta.cluster.io/v1', 'autoscaling/v1', undefined];
  for (const apiVersion of versions) {
    const body = { kind: 'DeleteOptions', ...(apiVersion === undefined ? {} : { apiVersion }) };
    expectDeleted(t, await server.delete(`${path}?dryRun=All`, body));
    t.same(await names(path), ['b'], `a dry run with options of ${apiVersion}`);
    expectDeleted(t, await server.delete(path, body));
    t.same(await names(path), []);
    await server.post(path, configMap('b'));
  }
  const yaml = await server.delete(`${path}?dryRun=All`, 'kind: DeleteOptions\n', {
    'content-type': 'application/yaml',
  });
  expectDeleted(t, yaml);
  t.same(await names(path), ['b']);
});

t.test('it stops at the first object that does not meet the preconditions', async (t) => {
  const path = await collection(['a', 'b', 'c']);
  const [a, b, c] = (await server.get(path)).json.items;
  const watch = await watchFromNow(path);
  const conflict = (name: string, why: string): object => ({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ConfigMap "${name}": ${why}`,
    details: { name, kind: 'ConfigMap' },
  });
  const { uid, resourceVersion } = a.metadata;
  const byUid = await server.delete(path, { preconditions: { uid: OTHER_UID } });
  const wrongUid = (given: string, own: string): string =>
    `the UID in the precondition (${given}) does not match the UID in record (${own}). ` +
    'The object might have been deleted and then recreated';
  expectFailure(t, byUid, { code: 409, ...conflict('a', wrongUid(OTHER_UID, uid)) });
  const ofC = await server.delete(path, { preconditions: { uid: c.metadata.uid } });
  expectFailure(t, ofC, { code: 409, ...conflict('a', wrongUid(c.metadata.uid, uid)) });
  const byVersion = await server.delete(path, { preconditions: { resourceVersion: '1' } });
  const wrongVersion =
    'the ResourceVersion in the precondition (1) does not match the ResourceVersion in ' +
    `record (${resourceVersion}). The object might have been modified`;
  expectFailure(t, byVersion, { code: 409, ...conflict('a', wrongVersion) });
  t.same(await names(path), ['a', 'b', 'c']);
  const ofA = { preconditions: { uid, resourceVersion } };
  const second = await server.delete(path, ofA);
  expectFailure(t, second, { code: 409, ...conflict('b', wrongUid(uid, b.metadata.uid)) });
  t.same(await names(path), ['b', 'c'], 'the first was deleted, nothing after the error');
  const ofB = { preconditions: { uid: b.metadata.uid } };
  expectDeleted(t, await server.delete(listPath(path, { fields: 'metadata.name=b' }), ofB));
  t.same((await eventsSoFar(watch, path)).map(shown), ['DELETED a', 'DELETED b']);
});

t.test('objects with finalizers are marked once, and go with the last one', async (t) => {
  const path = await collection(['a', 'c']);
  const held = await server.post(path, configMap('b', {}, { finalizers: [HOLD] }));
  const watch = await watchFromNow(path);
  expectDeleted(t, await server.delete(path));
  const marked = await server.get(`${path}/b`);
  t.equal(marked.json.metadata.uid, held.json.metadata.uid);
  t.type(marked.json.metadata.deletionTimestamp, 'string');
  expectDeleted(t, await server.delete(path));
  expectDeleted(t, await server.delete(path));
  t.equal((await server.get(`${path}/b`)).text, marked.text, 'marked only once');
  const { metadata } = marked.json;
  await server.put(`${path}/b`, { ...marked.json, metadata: { ...metadata, finalizers: [] } });
  t.equal((await server.get(`${path}/b`)).status, 404);
  const events = await eventsSoFar(watch, path);
  t.same(events.map(shown), ['DELETED a', 'MODIFIED b', 'DELETED c', 'DELETED b']);
  t.equal(events[1]?.raw, `{"type":"MODIFIED","object":${marked.text.trimEnd()}}`);
});

t.test('whatever the propagation policy, objects without dependents go', async (t) => {
  for (const policy of ['Foreground', 'Orphan', 'Background']) {
    const path = await collection(['a', 'b']);
    expectDeleted(t, await server.delete(`${path}?propagationPolicy=${policy}`));
    const deadline = Date.now() + PATIENCE_MS;
    while ((await names(path)).length > 0 && Date.now() < deadline) await sleep(10);
    t.same(await names(path), [], policy);
  }
});

t.test('the version and its match choose what is listed', async (t) => {
  const path = await collection(['a', 'b']);
  const rv = versionOf(await server.get(path));
  await server.put(`${path}/b`, configMap('b', { changed: 'yes' }));
  await server.post(path, configMap('a-2'));
  expectDeleted(t, await server.delete(listPath(path, { match: 'Exact', rv })));
  t.same(await names(path), ['a-2'], 'what was there at that version');
  await server.post(path, configMap('b'));
  expectDeleted(t, await server.delete(listPath(path, { match: 'NotOlderThan', rv })));
  t.same(await names(path), []);
  for (const options of [{ rv: '0' }, { rv }, { match: 'NotOlderThan', rv: '0' }]) {
    await server.post(path, configMap('a'));
    expectDeleted(t, await server.delete(listPath(path, options)));
    t.same(await names(path), [], JSON.stringify(options));
  }
});

t.test('creates meanwhile: what was there before goes, and all is told once', async (t) => {
  const path = await collection([]);
  const watch = await watchFromNow(path);
  let writing = true;
  const created: string[] = [];
  const someMore = async (): Promise<void> => {
    for (const enough = created.length + 40; created.length < enough;) await sleep(1);
  };
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let at = 0; writing; at += 1) {
      const answer = await server.post(path, configMap(`w${writer}-${at}`));
      if (answer.status !== 201) t.fail(answer.text);
      created.push(answer.json.metadata.name);
    }
  });
  for (let round = 0; round < 10; round += 1) {
    await someMore();
    const before = [...created];
    const answers = await Promise.all([server.delete(path), server.delete(path)]);
    for (const answer of answers) expectDeleted(t, answer);
    const left = new Set(await names(path));
    t.same(
      before.filter((name) => left.has(name)),
      [],
      'acknowledged before, so deleted',
    );
  }
  writing = false;
  await Promise.all(writers);
  const left = await names(path);
  const events = (await eventsSoFar(watch, path)).map(shown);
  const added = created.map((name) => `ADDED ${name}`).sort();
  t.same(events.filter((event) => event.startsWith('ADDED')).sort(), added);
  const deleted = created.filter((name) => !left.includes(name)).map((name) => `DELETED ${name}`);
  t.same(events.filter((event) => !event.startsWith('ADDED')).sort(), deleted.sort());
});

t.test('2,000 at once, while others write', async (t) => {
  const path = await collection(Array.from({ length: 2_000 }, (_, at) => `n-${at}`));
  const other = await collection(['a']);
  const watch = await watchFromNow(path);
  let deleting = true;
  let writes = 0;
  const writer = (async () => {
    for (; deleting; writes += 1) {
      const put = await server.put(`${other}/a`, configMap('a', { writes: `${writes}` }));
      if (put.status !== 200) t.fail(put.text);
    }
  })();
  expectDeleted(t, await server.delete(path));
  deleting = false;
  await writer;
  t.same(await names(path), []);
  t.ok(writes > 0);
  const events = await eventsSoFar(watch, path);
  t.equal(events.length, 2_000);
  t.equal(new Set(events.map(shown)).size, 2_000, 'one for each');
  t.ok(events.every(({ type }) => type === 'DELETED'));
  await server.kill();
  await server.restart();
  t.same(await names(path), [], 'and it stays so');
  t.same(await names(other), ['a']);
});

t.end();
