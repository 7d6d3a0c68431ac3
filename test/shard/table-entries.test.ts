import t from 'tap';
import { SHARED_VALUES, TableEntries } from '../../src/shard/table/table-entries.ts';

function podOf(app: string, ip: string) {
  return { key: `default/${app}-${ip}`, labels: { app, tier: 'web' }, fields: ['Running', ip] };
}

t.test('what objects have alike is held once', (t) => {
  const entries = new TableEntries(false);
  const [one, same, other] = [
    entries.of(podOf('shop', '10.0.0.1'), 1),
    entries.of(podOf('shop', '10.0.0.1'), 2),
    entries.of(podOf('blog', '10.0.0.2'), 3),
  ];
  t.equal(same.labels, one.labels);
  t.equal(same.fields, one.fields);
  t.same(other, { ...podOf('blog', '10.0.0.2'), rv: 3 });
  t.end();
});

t.test('sets that only look alike are told apart', (t) => {
  const entries = new TableEntries(false);
  const pod = { key: 'a', labels: { a: 'b', c: '' }, fields: ['x', '', 'y'] };
  entries.of(pod, 1);
  const like = { key: 'b', labels: { a: '', bc: '' }, fields: ['x', 'y', ''] };
  t.same(entries.of(like, 2), { ...like, rv: 2 });
  t.end();
});

t.test('more of them than are known are all right', (t) => {
  const entries = new TableEntries(false);
  const pods = Array.from({ length: 2 * SHARED_VALUES + 2 }, (_, at) =>
    podOf(`app-${at}`, `${at}`),
  );
  t.same(
    pods.map((pod, at) => entries.of(pod, at)),
    pods.map((pod, rv) => ({ ...pod, rv })),
  );
  t.end();
});

t.test('owners, and what an object waits for, are there where garbage is collected', (t) => {
  const owned = { ...podOf('shop', ''), owners: [{ uid: 'u', blocks: true }], awaits: 1 };
  t.same(new TableEntries(true).of(owned, 1), { ...owned, rv: 1 });
  t.same(new TableEntries(false).of(owned, 1), { ...podOf('shop', ''), rv: 1 });
  t.notOk('awaits' in new TableEntries(true).of({ ...podOf('shop', ''), awaits: 0 }, 1));
  t.end();
});
