/** Streaming lists: `sendInitialEvents`, and what a watch refuses (2.3, 7.2). */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { WatchEvent } from '../support/watch-stream.ts';

const server = await sharedServer();
const STREAMED = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

async function newNamespace(name: string): Promise<string> {
  await server.post('/api/v1/namespaces', { metadata: { name } });
  return `/api/v1/namespaces/${name}/configmaps`;
}

async function currentVersion(path: string): Promise<string> {
  return (await server.get(path)).json.metadata.resourceVersion;
}

function closing(version: string): string {
  return (
    '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{' +
    `"resourceVersion":"${version}","creationTimestamp":null,` +
    '"annotations":{"cluster.io/initial-events-end":"true"}}}}'
  );
}

function raws(events: readonly WatchEvent[]): string[] {
  return events.map(({ raw }) => raw);
}

t.test('the state, its closing bookmark, then changes', async (t) => {
  const path = await newNamespace('streamed');
  const bodies: string[] = [];
  for (const name of ['a', 'b']) bodies.push((await server.post(path, configMap(name))).text);
  const added = bodies.map((body) => `{"type":"ADDED","object":${body.trimEnd()}}`);
  const version = await currentVersion(path);
  const rows = ['', '&resourceVersion=', '&resourceVersion=0', '&resourceVersion=1'];
  for (const row of [...rows, `&resourceVersion=${version}`, '&allowWatchBookmarks=true']) {
    const watch = await server.watch(`${path}?${STREAMED}${row}`);
    t.same(raws(await watch.take(3)), [...added, closing(version)], row);
    watch.close();
  }
  const selected = await server.watch(`${path}?${STREAMED}&fieldSelector=metadata.name%3Db`);
  t.same(raws(await selected.take(2)), [added[1], closing(version)]);
  const changed = await server.put(`${path}/b`, configMap('b', { key: 'new' }));
  t.same(raws(await selected.take(1)), [`{"type":"MODIFIED","object":${changed.text.trimEnd()}}`]);
  selected.close();
});

t.test('an empty state has its bookmark at once', async (t) => {
  const path = await newNamespace('empty');
  const watch = await server.watch(`${path}?${STREAMED}`);
  const [bookmark] = await watch.take(1);
  t.equal(bookmark?.raw, closing(bookmark?.object.metadata.resourceVersion));
  watch.close();
});

t.test('a long state while others write: state and changes make up what is there', async (t) => {
  const path = await newNamespace('long');
  const filler = 'x'.repeat(100_000);
  for (let at = 0; at < 60; at += 1) await server.post(path, configMap(`o-${at}`, { filler }));
  let writing = true;
  const writer = (async () => {
    for (let round = 0; writing; round += 1) {
      await server.put(`${path}/o-${round % 60}`, configMap(`o-${round % 60}`, { filler }));
      if (round % 10 === 9) await server.delete(`${path}/o-${round % 60}`);
    }
  })();
  const watches = await Promise.all(
    Array.from({ length: 5 }, async () => server.watch(`${path}?${STREAMED}`)),
  );
  const bookmarks: string[] = [];
  const states = watches.map(() => new Map<string, string>());
  const apply = (state: Map<string, string>, { type, object }: WatchEvent): void => {
    const { name, resourceVersion } = object.metadata;
    if (type === 'DELETED') state.delete(name);
    else state.set(name, resourceVersion);
  };
  for (const [index, watch] of watches.entries()) {
    for (;;) {
      const [event] = await watch.take(1);
      if (event?.type === 'BOOKMARK') {
        bookmarks.push(event.object.metadata.resourceVersion);
        break;
      }
      t.equal(event?.type, 'ADDED');
      apply(states[index]!, event!);
    }
  }
  writing = false;
  await writer;
  const marker = await server.post(path, configMap('marker'));
  const items = (await server.get(path)).json.items as { metadata: Record<string, string> }[];
  const expected = new Map(
    items.map(({ metadata }) => [metadata['name'], metadata['resourceVersion']]),
  );
  for (const [index, watch] of watches.entries()) {
    const state = states[index]!;
    const values = [...state.values()].map(Number);
    t.ok(Math.max(...values) <= Number(bookmarks[index]), 'the state is not newer than its mark');
    for (let version = ''; version !== marker.json.metadata.resourceVersion;) {
      const [event] = await watch.take(1);
      version = event?.object.metadata.resourceVersion;
      t.not(event?.type, 'BOOKMARK', 'one only');
      t.ok(Number(version) > Number(bookmarks[index]));
      apply(state, event!);
    }
    t.same(state, expected);
    watch.close();
  }
});

t.test('without initial events: only what changes', async (t) => {
  const path = await newNamespace('changes');
  const first = await server.post(path, configMap('a'));
  const second = await server.put(`${path}/a`, configMap('a', { key: '2' }));
  const query = 'watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
  const from = first.json.metadata.resourceVersion;
  const watches = await Promise.all(
    ['', '&resourceVersion=0', `&resourceVersion=${from}`].map(async (row) =>
      server.watch(`${path}?${query}${row}`),
    ),
  );
  const third = await server.put(`${path}/a`, configMap('a', { key: '3' }));
  const [now, zero, exact] = watches;
  const modified = ({ text }: { text: string }): string =>
    `{"type":"MODIFIED","object":${text.trimEnd()}}`;
  t.same(raws(await now!.take(1)), [modified(third)]);
  t.same(raws(await zero!.take(1)), [modified(third)]);
  t.same(raws(await exact!.take(2)), [modified(second), modified(third)]);
  for (const watch of watches) watch.close();
});

t.test('a version that is yet to come: too large for a state', async (t) => {
  const future = Number(await currentVersion(CONFIG_MAPS)) + 100_000;
  const answer = await server.get(`${CONFIG_MAPS}?${STREAMED}&resourceVersion=${future}`);
  expectFailure(t, answer, {
    code: 504,
    reason: 'Timeout',
    message: new RegExp(`^Timeout: Too large resource version: ${future}, current: \\d+$`),
  });
});

const FIELD = 'resourceVersionMatch';
const NEEDS = `${FIELD}: Forbidden: sendInitialEvents requires setting ${FIELD} to NotOlderThan`;
const UNSUPPORTED = `${FIELD}: Unsupported value: "Exact": supported values: "NotOlderThan"`;

t.test('combinations that are refused', async (t) => {
  const rows: [query: string, text: string][] = [
    [
      `watch=true&${FIELD}=NotOlderThan&resourceVersion=0`,
      `${FIELD}: Forbidden: ${FIELD} is forbidden for watch`,
    ],
    [
      `watch=true&${FIELD}=Exact`,
      `[${FIELD}: Forbidden: ${FIELD} is forbidden for watch, ` +
        `${FIELD}: Forbidden: ${FIELD} is forbidden unless resourceVersion is provided]`,
    ],
    ['watch=true&sendInitialEvents=true', NEEDS],
    ['watch=true&sendInitialEvents=false&resourceVersion=0', NEEDS],
    ['watch=true&sendInitialEvents', NEEDS],
    [`watch=true&sendInitialEvents=true&${FIELD}=Exact`, `[${NEEDS}, ${UNSUPPORTED}]`],
    [
      `${STREAMED}&continue=x`,
      `${FIELD}: Forbidden: ${FIELD} is forbidden when continue is provided`,
    ],
    [
      'sendInitialEvents=true',
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ];
  for (const [query, text] of rows) {
    expectFailure(t, await server.get(`${CONFIG_MAPS}?${query}`), {
      code: 422,
      reason: 'Invalid',
      message: `ListOptions.meta.cluster.io "" is invalid: ${text}`,
    });
  }
});

t.test('a name in the path of a watch, and a selector beside it', async (t) => {
  const path = await newNamespace('named');
  const body = (await server.post(path, configMap('one'))).text;
  await server.post(path, configMap('two'));
  const named = '/api/v1/watch/namespaces/named/configmaps/one';
  const rows = ['', '?fieldSelector=metadata.name%3Done', '?fieldSelector=metadata.name%3D%3Done'];
  const both = '?fieldSelector=metadata.name%3Done%2Cmetadata.namespace%3Dnamed';
  for (const row of [...rows, '?fieldSelector=', both]) {
    const watch = await server.watch(`${named}${row}`);
    t.same(raws(await watch.take(1)), [`{"type":"ADDED","object":${body.trimEnd()}}`], row);
    watch.close();
  }
  const others = ['metadata.name%3Dtwo', 'metadata.name!%3Done', 'metadata.namespace%3Dnamed'];
  for (const selector of others) {
    expectFailure(t, await server.get(`${named}?fieldSelector=${selector}`), {
      code: 400,
      reason: 'BadRequest',
      message: "fieldSelector metadata.name doesn't match requested name",
    });
  }
  const odd = await server.watch(
    '/api/v1/watch/namespaces/named/configmaps/a%2Cb?timeoutSeconds=1',
  );
  t.equal(odd.status, 200, 'a name that cannot be has no objects');
  await odd.end();
  t.same(odd.events, []);
});

t.test('parameters that are no numbers', async (t) => {
  for (const parameter of ['timeoutSeconds', 'limit']) {
    expectFailure(t, await server.get(`${CONFIG_MAPS}?watch=true&${parameter}=x`), {
      code: 400,
      reason: 'BadRequest',
      message: /strconv\.ParseInt: parsing "x": invalid syntax/,
    });
  }
});
