import fc from 'fast-check';
import t from 'tap';
import { WATCH_WRITE_BYTES_MAX } from '../../src/limits.ts';
import type { WatchRequest } from '../../src/protocol/shard-protocol.ts';
import { turns } from '../support/gate.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import { thrownStatus } from '../support/thrown-status.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';
import {
  brief,
  EVERYTHING,
  expectedEvents,
  labelled,
  newShard,
  WatchFront,
  wrongBookmarks,
} from './watch-model.ts';

t.test('without a version: the present state, then changes', async (t) => {
  const { subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  await subject.create(labelled('w', 'web'));
  for (const resourceVersion of ['', '0']) {
    const [, reader] = front.open({ ...EVERYTHING, resourceVersion });
    t.not(reader.channel, undefined, 'live at once');
    t.same(brief(reader.events), ['ADDED a/w 102 web ', 'ADDED a/x 101 web ']);
    const [first] = reader.events;
    t.same([first?.object.kind, first?.object.apiVersion], ['ConfigMap', 'v1']);
  }
  await subject.update(labelled('x', 'web', 'new'));
  await subject.delete('w', { namespace: 'a' });
  for (const reader of front.readers.values()) {
    t.same(brief(reader.events.slice(2)), ['MODIFIED a/x 103 web new', 'DELETED a/w 104 web ']);
  }
});

t.test('with a version: what came after it, and nothing else', async (t) => {
  const { subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  await subject.update(labelled('x', 'other'));
  await subject.update(labelled('x', 'web', 'again'));
  const after = (resourceVersion: string, app = '') =>
    brief(front.open({ namespace: 'a', app, resourceVersion })[1].events);
  t.same(after('103'), []);
  t.same(after('102'), ['MODIFIED a/x 103 web again']);
  t.same(after('100'), [
    'ADDED a/x 101 web ',
    'MODIFIED a/x 102 other ',
    'MODIFIED a/x 103 web again',
  ]);
  t.same(after('101', 'web'), ['DELETED a/x 102 web ', 'ADDED a/x 103 web again']);
  t.same(after('1', 'other'), ['ADDED a/x 102 other ', 'DELETED a/x 103 other ']);
});

t.test('a version that is yet to come is accepted', async (t) => {
  const { subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  const [, reader] = front.open({ ...EVERYTHING, resourceVersion: '90000' });
  t.not(reader.channel, undefined);
  t.equal(reader.rv, 90000, 'the front leaves out what comes before it');
  t.same(reader.events, []);
});

t.test('nothing is sent before its commit, and nothing of a failed one', async (t) => {
  const { log, subject, front } = newShard();
  await subject.create(labelled('x', 'web'));
  log.hold();
  const failing = subject.update(labelled('x', 'web', 'lost'));
  await turns();
  const [, reader] = front.open(EVERYTHING);
  t.same(brief(reader.events), ['ADDED a/x 101 web ']);
  t.equal(reader.rv, 101, 'a change in flight is still to come');
  log.fail('no space left');
  await t.rejects(failing, { message: /no space left/ });
  t.equal(reader.events.length, 1);
  await subject.update(labelled('x', 'web', 'kept'));
  t.same(brief(reader.events.slice(1)), ['MODIFIED a/x 103 web kept']);
});

t.test('a commit that the log holds but is not applied yet is sent once', async (t) => {
  // LMDB shows a commit to readers before its promise resolves.
  class EarlyLog extends HeldLog {
    override async append(entries: Parameters<HeldLog['append']>[0]): Promise<void> {
      await super.append(entries);
      await early.whenVisible();
    }
  }
  const early = { whenVisible: async (): Promise<void> => undefined };
  const subject = new ShardUnderTest({ log: new EarlyLog() });
  const front = new WatchFront(subject);
  await subject.create(labelled('x', 'web'));
  early.whenVisible = async () => {
    for (const resourceVersion of ['', '100', '101'])
      front.open({ ...EVERYTHING, resourceVersion });
  };
  await subject.update(labelled('x', 'web', 'new'));
  for (const reader of front.readers.values()) {
    t.same(brief(reader.events), brief(expectedEvents(subject.log, reader)));
  }
  t.equal(front.readers.size, 3);
});

t.test('bad requests are refused, and open nothing', async (t) => {
  const { subject, front } = newShard();
  const rows = [
    ...['abc', '-1', '1.5', ' 1'].map((resourceVersion) => ({ resourceVersion })),
    { labelSelector: 'a in' },
    { fieldSelector: 'spec.x=1' },
  ];
  for (const row of rows) {
    const status = thrownStatus(() => front.open(EVERYTHING, row));
    t.match(status, { code: 400, reason: 'BadRequest' }, JSON.stringify(row));
  }
  t.equal(subject.shard.hub.channelCount, 0);
});

t.test('long selectors are read in turns, and who is gone by then opens nothing', async (t) => {
  const { subject, front } = newShard();
  const { hub } = subject.shard;
  const long = Array.from({ length: 500 }, (_, index) => `!z${index}`).join(',');
  const ids = Array.from({ length: 20 }, (_, index) => {
    const [id] = front.open(EVERYTHING, { labelSelector: `!of-${index},${long}` });
    return id;
  });
  const atOnce = hub.channelCount;
  t.ok(atOnce > 0 && atOnce < 10, `${atOnce} are open in the same turn`);
  front.close(ids.at(-1) ?? 0);
  await turns(20);
  t.equal(hub.channelCount, 19);
  for (const id of ids) front.close(id);
  t.equal(hub.channelCount, 0);
});

/** A page holds two or three of it. */
const BULK = 'x'.repeat(0.38 * WATCH_WRITE_BYTES_MAX);

t.test('a long state comes page by page, and what changes meanwhile after it', async (t) => {
  const { subject, front } = newShard();
  for (const name of ['p', 'q', 'r', 's', 't', 'u']) {
    await subject.create(configMap(name, { bulk: BULK }, { namespace: 'a' }));
  }
  const [id, reader] = front.open({ ...EVERYTHING, initialEvents: 'true' });
  t.equal(reader.channel, undefined);
  const firstPage = reader.events.length;
  t.ok(firstPage > 0 && firstPage < 6, `${firstPage} in the first page`);
  await subject.update(configMap('p', { mark: 'late' }, { namespace: 'a' }));
  await subject.delete('u', { namespace: 'a' });
  await subject.create(configMap('v', {}, { namespace: 'a' }));
  while (reader.channel === undefined) front.more(id);
  t.same(brief(reader.events), brief(expectedEvents(subject.log, reader)));
  t.equal(reader.events.length, 10);
  t.equal(reader.events[6]?.type, 'BOOKMARK', 'after the state, before what changed since');
  t.equal(subject.shard.hub.channelCount, 1);
});

t.test('a long history is looked at in steps, even by a watch that gets none of it', async (t) => {
  const { subject, front } = newShard();
  for (const mark of ['1', '2', '3', '4', '5', '6']) {
    await subject
      .update(configMap('x', { mark, bulk: BULK }))
      .catch(() => subject.create(configMap('x', { mark, bulk: BULK })));
  }
  const [id, reader] = front.open({ namespace: '', app: 'none', resourceVersion: '100' });
  t.equal(reader.channel, undefined, 'others have their turn before the rest');
  let pages = 1;
  for (; reader.channel === undefined && pages < 10; pages++) front.more(id);
  t.ok(pages > 1 && pages < 6, `${pages} pages`);
  t.same(reader.events, []);
});

t.test('a watch leaves its channel when it is closed, catching up or live', async (t) => {
  const { subject, front } = newShard();
  for (const name of ['p', 'q', 'r', 's']) {
    await subject.create(configMap(name, { bulk: BULK }, { namespace: 'a' }));
  }
  const [live] = front.open({ ...EVERYTHING, resourceVersion: '104' });
  const [catchingUp, reader] = front.open(EVERYTHING);
  t.equal(reader.channel, undefined);
  t.equal(subject.shard.hub.channelCount, 1);
  front.close(catchingUp);
  front.close(live);
  front.close(live);
  t.equal(subject.shard.hub.channelCount, 0);
  front.readers.set(catchingUp, reader);
  front.more(catchingUp);
  t.match(reader.failure, { status: { code: 400 } }, 'what is closed has no more pages');
});

interface WriteStep {
  readonly do: 'create' | 'update' | 'delete';
  readonly name: string;
  readonly namespace: string;
  readonly app: string;
}

interface WatchStep {
  readonly do: 'watch';
  readonly namespace: string;
  readonly app: string;
  readonly back: number;
  readonly initialEvents: WatchRequest['initialEvents'];
}

interface OtherStep {
  readonly do: 'more' | 'turn' | 'settle' | 'hold' | 'release' | 'fail';
}

type Step = WriteStep | WatchStep | OtherStep;

const namespaces = fc.constantFrom('a', 'b');
const apps = fc.constantFrom('web', 'db');
const STEPS: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'create' as const,
        'update' as const,
        'update' as const,
        'delete' as const,
      ),
      name: fc.constantFrom('x', 'y', 'z'),
      namespace: namespaces,
      app: apps,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      namespace: fc.option(namespaces, { nil: '' }),
      app: fc.option(apps, { nil: '' }),
      // How many versions ago it begins; -1 for the present state.
      back: fc.integer({ min: -1, max: 12 }),
      initialEvents: fc.constantFrom('' as const, '' as const, 'true' as const, 'false' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['more', 'turn', 'settle', 'hold', 'release', 'release', 'fail'] as const),
      ),
    }),
  },
);

class Run {
  readonly log = new HeldLog();
  readonly subject = new ShardUnderTest({ log: this.log });
  readonly front = new WatchFront(this.subject);
  readonly #writes: Promise<unknown>[] = [];
  #mark = 0;

  async step(step: Step): Promise<void> {
    switch (step.do) {
      case 'watch':
        this.#watch(step);
        break;
      case 'more':
        this.#more();
        break;
      case 'turn':
        await turns(1);
        break;
      case 'settle':
        await turns(4);
        break;
      case 'hold':
        this.log.hold();
        break;
      case 'release':
        this.log.release();
        break;
      case 'fail':
        this.log.fail('failed');
        break;
      default:
        this.#write(step);
    }
  }

  /** Enough of everything that a watch needs several pages. */
  async begin(): Promise<void> {
    for (const name of ['x', 'y', 'z']) {
      for (const namespace of ['a', 'b']) {
        this.#write({ do: 'create', name, namespace, app: name === 'x' ? 'web' : 'db' });
      }
    }
    await Promise.all(this.#writes);
  }

  /** Lets everything end: all commits are in, all watches are live. */
  async end(): Promise<void> {
    this.log.release();
    await Promise.all(this.#writes);
    await this.subject.shard.pipeline.idle();
    for (let round = 0; round < 50; round++) {
      this.#more();
      await turns(1);
    }
  }

  #write({ do: verb, name, namespace, app }: WriteStep): void {
    const data = { mark: String(this.#mark++), bulk: BULK };
    const object = configMap(name, data, { namespace, labels: { app } });
    const { subject } = this;
    const write =
      verb === 'create'
        ? subject.create(object)
        : verb === 'update'
          ? subject.update(object)
          : subject.delete(name, { namespace });
    // Some meet what is there or gone already, some fail with their commit.
    this.#writes.push(write.catch(() => undefined));
  }

  #watch({ namespace, app, back, initialEvents }: WatchStep): void {
    const current = this.subject.shard.pipeline.listVersion();
    const resourceVersion = back < 0 ? '' : String(Math.max(1, current - back));
    this.front.open({ namespace, app, resourceVersion, initialEvents });
  }

  #more(): void {
    for (const id of this.front.readers.keys()) this.front.more(id);
  }
}

t.test('who goes leaves all channels, and the others stay', async (t) => {
  const { subject, front } = newShard();
  const other = new WatchFront(subject);
  const [, reader] = other.open(EVERYTHING);
  for (const app of ['', 'web', 'db']) front.open({ ...EVERYTHING, app });
  t.equal(subject.shard.hub.channelCount, 4);
  front.leave();
  t.equal(subject.shard.hub.channelCount, 1);
  await subject.create(labelled('x', 'web'));
  t.same(brief(reader.events), ['ADDED a/x 101 web ']);
});

t.test('any watch under any interleaving sees each change once, in order', async (t) => {
  let watches = 0;
  let paged = 0;
  let bookmarks = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEPS, { minLength: 10, maxLength: 45 }), async (steps) => {
      const run = new Run();
      await run.begin();
      for (const step of steps) {
        await run.step(step);
        run.front.bookmark();
        for (const { channel } of run.front.readers.values()) if (channel === undefined) paged++;
      }
      await run.end();
      for (const reader of run.front.readers.values()) {
        watches++;
        if (reader.channel === undefined) throw new Error('a watch did not become live');
        t.same(brief(reader.events), brief(expectedEvents(run.log, reader)));
        bookmarks += reader.bookmarks.length;
        t.same(wrongBookmarks(reader), []);
      }
    }),
    { numRuns: 25 },
  );
  t.ok(watches > 50, `${watches} watches`);
  t.ok(bookmarks > 50, `${bookmarks} bookmarks`);
  t.ok(paged > 0, 'some were still catching up while others wrote');
});
