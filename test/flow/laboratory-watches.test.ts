/** Watches that go wrong: what a client is sent of the same events under each fault. */
import t, { type Test } from 'tap';
import { configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { WatchStream } from '../support/watch-stream.ts';

const FAULTS = '/shardplane/lab/v1/faults';
const VICTIM = { 'user-agent': 'victim/1.0' };
const WHO = { userAgents: ['victim/*'] };

const server = await sharedServer('--laboratory');

async function ownNamespace(name: string): Promise<string> {
  await server.post('/api/v1/namespaces', { metadata: { name } });
  return `/api/v1/namespaces/${name}/configmaps`;
}

async function watchOf(test: Test, path: string, headers = VICTIM): Promise<WatchStream> {
  const { json } = await server.get(path);
  const version = json.metadata.resourceVersion;
  const query = `watch=true&resourceVersion=${version}&allowWatchBookmarks=true`;
  const watch = await server.watch(`${path}?${query}`, headers);
  test.teardown(() => watch.close());
  return watch;
}

async function addFault(test: Test, name: string, watch: string, members = {}): Promise<void> {
  const then = { watch, ...members };
  const what = { verbs: ['watch'], resources: ['configmaps'] };
  const answer = await server.post(FAULTS, { name, who: WHO, what, then });
  test.equal(answer.status, 201, answer.text);
  test.teardown(() => server.delete(`${FAULTS}/${name}`));
}

async function change(path: string, name: string, value: string): Promise<void> {
  await server.put(`${path}/${name}`, configMap(name, { value }));
}

const told = ({ events }: WatchStream): string =>
  events
    .filter(({ type }) => type !== 'BOOKMARK')
    .map(({ type, object }) => `${type} ${object.metadata.name} ${object.data?.value ?? ''}`.trim())
    .join(', ');

t.test('a watch is held, also one that was open before', async (t) => {
  const path = await ownNamespace('holding');
  const watch = await watchOf(t, path);
  const other = await watchOf(t, path, { 'user-agent': 'other/1.0' });
  await addFault(t, 'hold', 'hold');
  await server.post(path, configMap('a', { value: '1' }));
  await change(path, 'a', '2');
  await other.take(2);
  t.equal(told(watch), '', 'others were sent what is held here');
  await server.post(`${FAULTS}/hold/release`, {});
  await watch.take(2);
  t.equal(told(watch), 'ADDED a 1, MODIFIED a 2');
  await server.delete(`${path}/a`);
  await other.take(1);
  t.equal(told(watch), 'ADDED a 1, MODIFIED a 2', 'what follows is held again');
  await server.delete(`${FAULTS}/hold`);
  t.match(await watch.next(), { type: 'DELETED' });
});

t.test('a watch is told that its version is too old, or ends', async (t) => {
  const path = await ownNamespace('ending');
  await addFault(t, 'expire', 'expire');
  const expired = await watchOf(t, path);
  await expired.end();
  t.match(expired.events[0]?.object ?? JSON.parse(expired.rest), { code: 410, reason: 'Expired' });
  await server.delete(`${FAULTS}/expire`);
  const open = await watchOf(t, path);
  await addFault(t, 'close', 'close');
  await open.end();
  t.equal(open.events.length, 0, 'without an event');
});

t.test('each event comes with the next one', async (t) => {
  const path = await ownNamespace('late');
  await addFault(t, 'late', 'late');
  const watch = await watchOf(t, path);
  await server.post(path, configMap('a', { value: '1' }));
  await change(path, 'a', '2');
  await watch.take(1);
  t.equal(told(watch), 'ADDED a 1');
  await change(path, 'a', '3');
  await watch.take(1);
  t.equal(told(watch), 'ADDED a 1, MODIFIED a 2');
});

t.test('events of one object become one', async (t) => {
  const path = await ownNamespace('coalesce');
  await server.post(path, configMap('old', { value: '0' }));
  await addFault(t, 'coalesce', 'coalesce', { ms: 60_000 });
  const watch = await watchOf(t, path);
  await server.post(path, configMap('new', { value: '1' }));
  await change(path, 'new', '2');
  await change(path, 'old', '1');
  await change(path, 'old', '2');
  await server.post(path, configMap('gone', { value: '1' }));
  await server.delete(`${path}/gone`);
  const other = await watchOf(t, path, { 'user-agent': 'other/1.0' });
  await change(path, 'old', '3');
  await other.take(1);
  t.equal(told(watch), '');
  await server.post(`${FAULTS}/coalesce/release`, {});
  await watch.take(2);
  t.equal(told(watch), 'ADDED new 2, MODIFIED old 3');
});

t.test('in protobuf as well', async (t) => {
  const path = await ownNamespace('binary');
  await addFault(t, 'binary', 'coalesce', { ms: 60_000 });
  const { json } = await server.get(path);
  const query = `watch=true&resourceVersion=${json.metadata.resourceVersion}`;
  const frames: Buffer[] = [];
  const response = await fetch(`http://127.0.0.1:${server.port}${path}?${query}`, {
    headers: {
      ...VICTIM,
      authorization: `Bearer ${server.token}`,
      accept: 'application/vnd.cluster.protobuf;stream=watch',
    },
  });
  const reader = response.body!.getReader();
  await server.post(path, configMap('binary-a', { value: 'first' }));
  await change(path, 'binary-a', 'second');
  await until(async () => (await server.get(`${FAULTS}/binary`)).json.watches === 1);
  await server.post(`${FAULTS}/binary/release`, {});
  while (!Buffer.concat(frames).includes('second')) {
    const { value, done } = await reader.read();
    if (done) break;
    frames.push(Buffer.from(value));
  }
  await reader.cancel();
  const sent = Buffer.concat(frames);
  t.notOk(sent.includes('MODIFIED') || sent.includes('first'));
  const frame = sent.subarray(4, 4 + sent.readUInt32BE(0));
  t.ok(frame.includes('ADDED') && frame.includes('second'), 'one whole frame');
});

t.test('there are no bookmarks but the one that ends the state', async (t) => {
  const path = await ownNamespace('bookmarks');
  await addFault(t, 'bookmarks', 'noBookmarks');
  const streamed = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  const watch = await server.watch(`${path}?${streamed}&allowWatchBookmarks=true`, VICTIM);
  t.teardown(() => watch.close());
  await until(async () => watch.events.some(({ type }) => type === 'BOOKMARK'));
  await server.post(path, configMap('a', { value: '1' }));
  await until(async () => told(watch).includes('ADDED a 1'));
});

t.end();
