import { bytesOf, keysOf, put, remove, write } from '../support/etcd/requests.ts';
import { until } from '../support/owned-objects.ts';
import { WatchRecord } from '../support/etcd/watch-record.ts';
import type { Scenario } from '../support/etcd/under-test.ts';

export const WATCH_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'events of a revision come together and in order': async (t, client) => {
    const watch = new WatchRecord(client, { ...keysOf('w1/*'), prevKv: true });
    await watch.untilRunning();
    const first = await write(client, put('w1/b', '1'), put('other', 'x'), put('w1/a', '1'));
    const second = await write(client, put('w1/a', '2'), remove('w1/b'), put('w1/c', '1'));
    await write(client, remove('w1/none'));
    const third = await write(client, remove('w1/*'));
    await watch.untilEvents(7);
    t.same(watch.lines, [
      `${first} put w1/b=1`,
      `${first} put w1/a=1`,
      `${second} put w1/a=2 (1)`,
      `${second} delete w1/b (1)`,
      `${second} put w1/c=1`,
      `${third} delete w1/a (2)`,
      `${third} delete w1/c (1)`,
    ]);
    t.same(
      watch.calls.map(({ revision }) => revision),
      [first, second, third],
    );
    t.match(watch.events[0]?.kv, { createRevision: first, version: 1, lease: 0n });
    t.match(watch.events[3]?.kv, { createRevision: 0, version: 0, value: Buffer.alloc(0) });
  },

  'a watch begins at a revision of the past': async (t, client) => {
    const first = await write(client, put('w2/a', '1'));
    const second = await write(client, put('w2/a', '2'), put('w2/b', '1'));
    const third = await write(client, remove('w2/a'));
    const whole = new WatchRecord(client, { ...keysOf('w2/*'), startRevision: first });
    const later = new WatchRecord(client, { ...keysOf('w2/*'), startRevision: second });
    const one = new WatchRecord(client, { ...keysOf('w2/b'), startRevision: first, prevKv: true });
    const last = await write(client, put('w2/b', '2'));
    const lines = [
      `${first} put w2/a=1`,
      `${second} put w2/a=2`,
      `${second} put w2/b=1`,
      `${third} delete w2/a`,
      `${last} put w2/b=2`,
    ];
    for (const [watch, wanted] of [
      [whole, lines],
      [later, lines.slice(1)],
      [one, [`${second} put w2/b=1`, `${last} put w2/b=2 (1)`]],
    ] as const) {
      await watch.untilEvents(wanted.length);
      t.same(watch.lines, wanted);
    }
  },

  'a watch may begin in the future': async (t, client) => {
    const now = await write(client, put('w3', '1'));
    const watch = new WatchRecord(client, { ...keysOf('w3'), startRevision: now + 3 });
    await watch.untilRunning();
    for (let count = 2; count <= 4; count += 1) await write(client, put('w3', String(count)));
    await watch.untilEvents(1);
    t.same(watch.lines, [`${now + 3} put w3=4`]);
  },

  'thousands of revisions are caught up with': async (t, client) => {
    const revisions: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const made = Array.from({ length: 60 }, (_, at) => write(client, put(`w4/${at}`, 'v')));
      revisions.push(...(await Promise.all(made)));
    }
    revisions.sort((a, b) => a - b);
    const startRevision = revisions[0] as number;
    const watch = new WatchRecord(client, { ...keysOf('w4/*'), startRevision });
    const last = await write(client, put('w4/last', 'v'));
    await watch.untilEvents(revisions.length + 1);
    t.same(
      watch.events.map(({ kv }) => kv.modRevision),
      [...revisions, last],
    );
  },

  'what is too long for one answer comes in one call': async (t, client) => {
    const value = (text: string): Buffer => Buffer.alloc(140_000, text);
    const keys = Array.from({ length: 10 }, (_, at) => bytesOf(`w5/${at}`));
    const watch = new WatchRecord(client, { ...keysOf('w5/*'), prevKv: true });
    await watch.untilRunning();
    const revisions: number[] = [];
    for (const text of ['a', 'b', 'c']) {
      const success = keys.map((key) => ({ put: { key, value: value(text) } }));
      revisions.push((await client.txn({ success })).revision);
    }
    await watch.untilEvents(30);
    const shapes = watch.calls.map(({ revision, events }) => [revision, events.length]);
    t.same(
      shapes,
      revisions.map((revision) => [revision, 10]),
    );
    for (const { kv, prevKv } of watch.calls[2]?.events ?? []) {
      t.ok(Buffer.compare(kv.value, value('c')) === 0);
      t.ok(Buffer.compare(prevKv?.value ?? kv.value, value('b')) === 0);
    }
    const again = new WatchRecord(client, { ...keysOf('w5/*'), startRevision: revisions[0] ?? 0 });
    await again.untilEvents(30);
    t.equal(again.events.length, 30);
  },

  'progress is told when it is asked for': async (t, client) => {
    const watch = new WatchRecord(client, keysOf('w6/*'));
    const other = new WatchRecord(client, keysOf('w6other'));
    await Promise.all([watch.untilRunning(), other.untilRunning()]);
    await write(client, put('w6/a', '1'));
    const revision = await write(client, put('elsewhere', '1'));
    await watch.untilProgress(revision);
    t.equal(watch.progress.at(-1), revision);
    t.equal(watch.events.length, 1, 'events come before the progress that counts them');
    await other.untilProgress(revision);
    const last = await write(client, put('elsewhere', '2'));
    const late = new WatchRecord(client, { ...keysOf('w6/*'), startRevision: last + 1 });
    await late.untilProgress(last);
    t.equal(late.progress.at(-1), last, 'of a watch that waits for the next revision, too');
  },

  'history that is gone ends a watch': async (t, client) => {
    const old = await write(client, put('w7', '1'));
    const gone = await write(client, put('w7', '2'), put('w7other', '1'));
    const deleted = await write(client, remove('w7'));
    const last = await write(client, put('w7', '3'));
    await client.compact(deleted);
    for (const startRevision of [1, old, gone]) {
      const watch = new WatchRecord(client, { ...keysOf('w7'), startRevision });
      const failure = await watch.untilEnded();
      t.match(failure, { sort: 'refused', reason: 'compacted', compactRevision: deleted });
      t.same(watch.lines, []);
    }
    const watch = new WatchRecord(client, { ...keysOf('w7'), startRevision: deleted });
    await watch.untilEvents(2);
    t.same(watch.lines, [`${deleted} delete w7`, `${last} put w7=3`], 'the first that is there');
    await watch.untilProgress(last);
    t.equal(watch.ended, undefined);
  },

  'what was replaced is not told where it is gone': async (t, client) => {
    await write(client, put('w8', '1'));
    const replaced = await write(client, put('w8', '2'));
    await client.compact(replaced);
    const watch = new WatchRecord(client, {
      ...keysOf('w8'),
      startRevision: replaced,
      prevKv: true,
    });
    const last = await write(client, put('w8', '3'));
    await watch.untilEvents(2);
    t.same(watch.lines, [`${replaced} put w8=2`, `${last} put w8=3 (2)`]);
  },

  'a watch that is closed hears nothing more': async (t, client) => {
    const closed = new WatchRecord(client, keysOf('w9'));
    const open = new WatchRecord(client, keysOf('w9'));
    await Promise.all([closed.untilRunning(), open.untilRunning()]);
    await write(client, put('w9', '1'));
    await Promise.all([closed.untilEvents(1), open.untilEvents(1)]);
    closed.running.close();
    const revision = await write(client, put('w9', '2'));
    await open.untilProgress(revision);
    t.equal(open.events.length, 2);
    t.equal(closed.events.length, 1);
    open.running.close();
    const again = new WatchRecord(client, keysOf('w9'));
    await again.untilRunning();
    await write(client, put('w9', '3'));
    await again.untilEvents(1);
    t.match(again.lines, [/ put w9=3$/]);
  },

  'a range that holds nothing is refused': async (t, client) => {
    const good = new WatchRecord(client, keysOf('w10'));
    const bad = new WatchRecord(client, { key: bytesOf('b'), rangeEnd: bytesOf('a') });
    const failure = await bad.untilEnded();
    t.match(failure, { sort: 'refused', message: 'mvcc: watcher range is empty' });
    await good.untilRunning();
    await write(client, put('w10', '1'));
    await good.untilEvents(1);
    t.equal(good.broken.length, 0);
    await until(async () => good.ended === undefined);
  },
};
