/** Where a watch begins, and the bookmarks that say how far it is. */
import t from 'tap';
import { PERSISTENT_VOLUME } from '../../src/resources/core/volumes/persistent-volume.ts';
import { bookmark } from '../../src/shard/watch/bookmark.ts';
import { turns } from '../support/gate.ts';
import { thrownStatus } from '../support/thrown-status.ts';
import { answered, ShardUnderTest } from '../support/shard-under-test.ts';
import { brief, EVERYTHING, labelled, newShard } from './watch-model.ts';
import type { Asked } from './watch-model.ts';

const STREAMED: Asked = { ...EVERYTHING, initialEvents: 'true' };
const INITIAL_END = '{"cluster.io/initial-events-end":"true"}';

t.test('a streaming list: the state, a bookmark of its version, then changes', async (t) => {
  const { subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  await subject.create(labelled('w', 'db'));
  const expected = {
    '': ['ADDED a/w 102 db ', 'ADDED a/x 101 web '],
    '0': ['ADDED a/w 102 db ', 'ADDED a/x 101 web '],
    '000': ['ADDED a/w 102 db ', 'ADDED a/x 101 web '],
    '1': ['ADDED a/w 102 db ', 'ADDED a/x 101 web '],
    '102': ['ADDED a/w 102 db ', 'ADDED a/x 101 web '],
  };
  for (const [resourceVersion, state] of Object.entries(expected)) {
    const [, reader] = front.open({ ...STREAMED, resourceVersion });
    t.not(reader.channel, undefined, 'live at once');
    t.same(brief(reader.events), [...state, `BOOKMARK 102 ${INITIAL_END}`], resourceVersion);
  }
  const [, selected] = front.open({ ...STREAMED, app: 'web' });
  t.same(brief(selected.events), ['ADDED a/x 101 web ', `BOOKMARK 102 ${INITIAL_END}`]);
  const [, empty] = front.open({ ...STREAMED, namespace: 'b' });
  t.same(brief(empty.events), [`BOOKMARK 102 ${INITIAL_END}`], 'an empty state ends too');
  await subject.update(labelled('x', 'web', 'new'));
  t.same(brief(selected.events.slice(2)), ['MODIFIED a/x 103 web new']);
});

t.test('a streaming list waits for a version that is being committed', async (t) => {
  const { log, subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  log.hold();
  const writing = subject.update(labelled('x', 'web', 'new'));
  await turns();
  const [, waiting] = front.open({ ...STREAMED, resourceVersion: '102' });
  const [gone, closed] = front.open({ ...STREAMED, resourceVersion: '102' });
  const [, older] = front.open({ ...STREAMED, resourceVersion: '101' });
  front.close(gone);
  t.same(waiting.events, []);
  t.same(brief(older.events), ['ADDED a/x 101 web ', `BOOKMARK 101 ${INITIAL_END}`]);
  log.release();
  await writing;
  t.same(brief(waiting.events), ['ADDED a/x 102 web new', `BOOKMARK 102 ${INITIAL_END}`]);
  t.same(brief(older.events.slice(2)), ['MODIFIED a/x 102 web new']);
  t.same([closed.events.length, closed.failure?.name], [0, 'StatusError'], 'the client left');
  t.equal(subject.shard.hub.channelCount, 1);
});

t.test('a streaming list at a version that was never issued is refused', async (t) => {
  const { subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  const asked = { ...STREAMED, resourceVersion: '102' };
  const status = thrownStatus(() => front.open(asked));
  t.match(status, { code: 504, details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } });
  t.equal(subject.shard.hub.channelCount, 0);
});

t.test('without initial events it begins with changes', async (t) => {
  const { subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  await subject.update(labelled('x', 'web', 'new'));
  const start = (resourceVersion: string) =>
    front.open({ ...EVERYTHING, resourceVersion, initialEvents: 'false' })[1];
  const readers = [start(''), start('0'), start('101')];
  await subject.delete('x', { namespace: 'a' });
  t.same(
    readers.map(({ events }) => brief(events)),
    [
      ['DELETED a/x 103 web new'],
      ['DELETED a/x 103 web new'],
      ['MODIFIED a/x 102 web new', 'DELETED a/x 103 web new'],
    ],
  );
});

t.test('a bookmark is of a version up to which all was published, and no later one', async (t) => {
  const { log, subject, front } = newShard();
  const bookmarkNow = async () => {
    const { reply, body } = await answered<{ rv: number }>((answer) =>
      bookmark(subject.shard, { views: [{}] }, answer),
    );
    return { rv: reply.rv, text: body.toString() };
  };
  await subject.create(labelled('x', 'web'));
  const [, quiet] = front.open({ ...EVERYTHING, app: 'none' });
  t.same(await bookmarkNow(), {
    rv: 101,
    text:
      '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1",' +
      '"metadata":{"resourceVersion":"101","creationTimestamp":null}}}\n',
  });
  subject.clock.take();
  t.equal((await bookmarkNow()).rv, 102, 'versions of other types count');
  log.hold();
  const writing = subject.update(labelled('x', 'web', 'new'));
  await turns();
  t.equal((await bookmarkNow()).rv, 102, 'what is being written is still to come');
  log.release();
  await writing;
  t.equal((await bookmarkNow()).rv, 103, 'and for a quiet watch it moves on all the same');
  t.same(quiet.events, []);
});

t.test('bookmarks show nothing but their metadata', async (t) => {
  const subject = new ShardUnderTest({ definition: PERSISTENT_VOLUME });
  const { body } = await answered<{ rv: number }>((answer) =>
    bookmark(subject.shard, { views: [{}] }, answer),
  );
  t.equal(
    body.toString(),
    '{"type":"BOOKMARK","object":{"kind":"PersistentVolume","apiVersion":"v1",' +
      '"metadata":{"resourceVersion":"100","creationTimestamp":null}}}\n',
  );
});
