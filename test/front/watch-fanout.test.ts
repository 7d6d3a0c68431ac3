import t from 'tap';
import {
  CHANNEL_RING_FRAMES_MAX,
  WATCHES_OPENED_AT_ONCE,
  WATCHES_TO_OPEN_MAX,
} from '../../src/front/limits.ts';
import { expired } from '../../src/semantics/errors/status.ts';
import { RingBuffer } from '../../src/base/ring-buffer.ts';
import { EventAges } from '../../src/front/watch/event-ages.ts';
import { event, overflow, Setup } from '../support/fan-out.ts';

t.test('a bookmark about once a minute, to those who want it', async (t) => {
  const setup = new Setup();
  const wants = setup.live();
  const doesNot = setup.live({ bookmarks: false });
  setup.timers.pass(49_000);
  t.same(setup.asks, []);
  setup.timers.pass(1_000);
  t.same(setup.verbs(), ['bookmark']);
  setup.bookmark(170);
  t.same(wants.events, ['BOOKMARK 170']);
  for (let minute = 0; minute < 4; minute++) {
    setup.timers.pass(50_000);
    setup.bookmark(171 + minute);
  }
  t.same(wants.events.slice(1), ['BOOKMARK 171', 'BOOKMARK 172', 'BOOKMARK 173', 'BOOKMARK 174']);
  t.same(doesNot.events, []);
});

t.test('each at its own second of the minute, all of a second by one question', async (t) => {
  let next = 0;
  const setup = new Setup(() => (next++ % 100) / 100);
  const clients = Array.from({ length: 1_000 }, () => setup.live());
  let questions = 0;
  for (let second = 1; second <= 60; second++) {
    setup.timers.pass(1_000);
    if (setup.asks.length === 0) continue;
    t.equal(setup.asks.length, 1);
    questions++;
    setup.bookmark(100 + second);
  }
  t.equal(questions, 11, 'spread over 50 to 60 s');
  t.ok(clients.every(({ events }) => events.length === 1));
});

t.test('10,000 watches cost one timer more than themselves', async (t) => {
  const setup = new Setup();
  const clients = Array.from({ length: 10_000 }, () => setup.open());
  t.equal(setup.timers.size, 10_001);
  for (const client of clients) client.abort();
  t.equal(setup.timers.size, 0, 'and nothing when they are gone');
});

t.test('one as the last event, when the time is over', async (t) => {
  const setup = new Setup();
  const client = setup.live({ timeoutMs: 30_000 });
  setup.timers.pass(29_999);
  t.same(setup.verbs(), []);
  setup.timers.pass(1);
  t.notOk(client.ended);
  setup.bookmark(150);
  t.same(client.events, ['BOOKMARK 150']);
  t.ok(client.ended);
  t.equal(setup.timers.size, 0);
});

t.test('what was published before a bookmark is sent before it', async (t) => {
  const setup = new Setup();
  const client = setup.live();
  setup.timers.pass(50_000);
  setup.publish(101);
  setup.publish(102);
  setup.bookmark(103);
  t.same(client.events, ['ADDED 101', 'ADDED 102', 'BOOKMARK 103']);
  setup.publish(104);
  setup.fanout.turnEnd();
  t.same(client.events.slice(3), ['ADDED 104']);
});

t.test('a watch that lags gets none before it is up to date, but soon after', async (t) => {
  const setup = new Setup();
  const slow = setup.live();
  const catchingUp = setup.open();
  const page = setup.asks.pop()!;
  slow.stalled = true;
  setup.publish(101);
  setup.fanout.turnEnd();
  setup.publish(102);
  setup.fanout.turnEnd();
  setup.timers.pass(50_000);
  setup.bookmark(110);
  t.same(slow.events, ['ADDED 101'], 'its cursor is before 102');
  t.equal(catchingUp.text, '');
  slow.resume();
  page.answer(undefined, { rv: 111, channel: 1 }, event('ADDED', 108));
  setup.timers.pass(1_000);
  setup.bookmark(112);
  t.same(slow.events, ['ADDED 101', 'ADDED 102', 'BOOKMARK 112']);
  t.same(catchingUp.events, ['ADDED 108', 'BOOKMARK 112']);
});

t.test(
  'a bookmark that the socket does not take makes a watch slow, and is sent once',
  async (t) => {
    const setup = new Setup();
    const client = setup.live();
    client.stalled = true;
    setup.timers.pass(50_000);
    setup.bookmark(110);
    setup.publish(111);
    setup.fanout.turnEnd();
    t.same(client.events, ['BOOKMARK 110']);
    client.resume();
    t.same(client.events, ['BOOKMARK 110', 'ADDED 111']);
  },
);

t.test('a watch from a version that is yet to come is not told of earlier ones', async (t) => {
  const setup = new Setup();
  const client = setup.live({}, 500);
  setup.timers.pass(50_000);
  setup.publish(300);
  setup.bookmark(499);
  setup.timers.pass(49_000);
  t.same(client.events, []);
  setup.timers.pass(1_000);
  setup.publish(501);
  setup.bookmark(501);
  t.same(client.events, ['ADDED 501', 'BOOKMARK 501']);
});

t.test('a question that cannot be asked or answered is asked again', async (t) => {
  const setup = new Setup();
  const client = setup.live();
  setup.mailboxFull = true;
  setup.timers.pass(50_000);
  setup.mailboxFull = false;
  setup.timers.pass(1_000);
  setup.answer('bookmark', new Error('failed'));
  t.same(client.events, []);
  setup.timers.pass(1_000);
  setup.bookmark(120);
  t.same(client.events, ['BOOKMARK 120']);
});

t.test('watches that end while a bookmark is asked for leave nothing behind', async (t) => {
  const setup = new Setup();
  const clients = [setup.live(), setup.live()];
  setup.timers.pass(50_000);
  clients[0]?.abort();
  clients[1]?.abort();
  setup.bookmark(120);
  t.equal(setup.timers.size, 0);
  t.same(
    clients.map(({ text }) => text),
    ['', ''],
  );
});

t.test('off the ring it catches up from its bookmark, without state', async (t) => {
  const setup = new Setup();
  const client = setup.live();
  setup.timers.pass(50_000);
  client.stalled = true;
  setup.bookmark(900);
  overflow(setup, 901);
  client.resume();
  const { header } = setup.answer('watch', { rv: 7_000, channel: 2 }, event('ADDED', 7_000));
  t.match(header, { resourceVersion: '900', initialEvents: '' });
  t.same(client.events, ['BOOKMARK 900', 'ADDED 7000']);
  t.ok(setup.told.includes('watchClosed'));
});

t.test(
  'a turn that is more than the ring does not send a quiet watch to old history',
  async (t) => {
    const setup = new Setup();
    const client = setup.live({ bookmarks: false });
    overflow(setup, 90_000);
    t.match(setup.asks[0]?.header, { resourceVersion: '89999' }, 'all before the turn was sent');
    setup.answer('watch', { rv: 95_000, channel: 2 });
    setup.publish(95_001, [2]);
    setup.fanout.turnEnd();
    t.same(client.events, ['ADDED 95001']);
  },
);

t.test('one that has not been read for a while asks for all that it missed', async (t) => {
  const setup = new Setup();
  const client = setup.live({ bookmarks: false });
  client.stalled = true;
  setup.publish(101);
  setup.fanout.turnEnd();
  setup.publish(102);
  setup.fanout.turnEnd();
  overflow(setup, 103);
  overflow(setup, 9_000);
  t.same(setup.asks, [], 'it waits for its reader');
  client.resume();
  t.match(setup.asks[0]?.header, { resourceVersion: '101' });
});

t.test('a watch that ends while its bookmark is sent is not scheduled again', async (t) => {
  const setup = new Setup();
  const client = setup.live();
  setup.timers.pass(50_000);
  for (let count = 0; count <= CHANNEL_RING_FRAMES_MAX; count++) setup.publish(101 + count);
  setup.mailboxFull = true;
  setup.bookmark(9_000);
  t.equal(client.ended, true, 'it cannot catch up');
  t.equal(setup.timers.size, 0);
});

t.test('it is known when all have been sent what was published, or have gone', async (t) => {
  const setup = new Setup();
  const live = setup.live();
  const slow = setup.live();
  const leaving = setup.live();
  const opening = setup.open();
  const page = setup.asks.pop()!;
  slow.stalled = true;
  leaving.stalled = true;
  for (const rv of [101, 102]) {
    setup.publish(rv);
    setup.fanout.turnEnd();
  }
  let isKnown = false;
  const known = setup.fanout.whenSentAll(5_000).then(() => (isKnown = true));
  const look = async (): Promise<void> => {
    setup.bookmark(110);
    await new Promise(setImmediate);
    setup.timers.pass(50);
  };
  await look();
  page.answer(undefined, { rv: 109, channel: 1 }, event('DELETED', 109));
  await look();
  slow.resume();
  await look();
  t.equal(isKnown, false, 'one is behind');
  leaving.abort();
  await look();
  t.same(live.events, ['ADDED 101', 'ADDED 102'], 'and no bookmark');
  t.same(slow.events, ['ADDED 101', 'ADDED 102']);
  t.same(opening.events, ['DELETED 109']);
  await known;
});

t.test('who takes nothing is waited for so long and no longer', async (t) => {
  const setup = new Setup();
  const client = setup.live();
  client.stalled = true;
  for (const rv of [101, 102]) {
    setup.publish(rv);
    setup.fanout.turnEnd();
  }
  const known = setup.fanout.whenSentAll(100);
  for (let asked = 0; asked < 2; asked++) {
    setup.bookmark(110);
    setup.timers.pass(50);
  }
  await known;
  t.same(setup.asks, []);
  t.same(client.events, ['ADDED 101']);
});

t.test('history that is gone ends a stream with an ERROR event', async (t) => {
  const setup = new Setup();
  const client = setup.open();
  setup.answer('watch', { rv: 50 }, event('ADDED', 50));
  setup.answer('watchMore', expired('too old resource version: 50 (<60>)'));
  const [, last] = client.text.split('\n');
  t.equal(
    last,
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},' +
      '"status":"Failure","message":"too old resource version: 50 (\\u003c60\\u003e)",' +
      '"reason":"Expired","code":410}}',
  );
  t.equal(client.ended, true);
  t.equal(setup.timers.size, 0);
});

t.test('what is refused before the stream is a Status', async (t) => {
  const setup = new Setup();
  const client = setup.open();
  setup.answer('watch', expired('too old resource version: 1 (2)'));
  t.match(client.status, { code: 410, reason: 'Expired' });
  t.equal(client.began, false);
  t.equal(setup.timers.size, 0);
});

t.test('few are opened at a time, and none whose client is gone', async (t) => {
  const setup = new Setup();
  const clients = Array.from({ length: WATCHES_OPENED_AT_ONCE + 2 }, () => setup.open());
  t.equal(setup.asks.length, WATCHES_OPENED_AT_ONCE);
  clients.at(-2)?.abort();
  setup.answer('watch', { rv: 100, channel: 1 });
  t.equal(setup.asks.length, WATCHES_OPENED_AT_ONCE - 1, 'sockets are looked at first');
  await new Promise(setImmediate);
  t.equal(setup.asks.length, WATCHES_OPENED_AT_ONCE, 'the next one is asked for');
  setup.answer('watch', new Error('refused'));
  t.equal(setup.asks.length, WATCHES_OPENED_AT_ONCE - 1, 'there is none left');
  setup.mailboxFull = true;
  const refused = setup.open();
  t.equal(refused.status?.code, 429);
});

t.test('more than may wait to be opened are refused', async (t) => {
  const setup = new Setup();
  const most = WATCHES_OPENED_AT_ONCE + WATCHES_TO_OPEN_MAX;
  for (let watch = 0; watch < most; watch++) setup.open({ bookmarks: false });
  t.throws(() => setup.open(), { code: 429 });
});

t.test('how old the oldest event is that a watch lacks', async (t) => {
  const channelOf = (id: number) => {
    return { id, ring: new RingBuffer(10, 1_000), watches: new Set<never>(), turnRv: 0 };
  };
  const [channel, other] = [channelOf(1), channelOf(2)];
  const [quick, slow] = [
    { channel, cursor: 0 },
    { channel, cursor: 0 },
  ];
  const [behind, history] = [
    { channel: other, cursor: 0 },
    { channel: undefined, cursor: 0 },
  ];
  const watches = new Set<Parameters<EventAges['left']>[0]>([quick, slow, behind, history]);
  const ages = new EventAges();
  const push = (): void => void channel.ring.push(Uint8Array.of(0));
  t.equal(ages.oldestMs(watches, 1_000), 0, 'there is nothing that they lack');
  push();
  quick.cursor = 1;
  t.equal(ages.oldestMs(watches, 2_000), 0, 'it has come since the last look');
  push();
  quick.cursor = 2;
  t.equal(ages.oldestMs(watches, 3_000), 1_000);
  slow.cursor = 1;
  t.equal(ages.oldestMs(watches, 4_000), 1_000, 'the first has been sent, the second not');
  ages.left(slow);
  Object.assign(slow, { channel: undefined });
  t.equal(ages.oldestMs(watches, 5_000), 2_000, 'it is to come from history');
  Object.assign(slow, { channel, cursor: 2 });
  t.equal(ages.oldestMs(watches, 6_000), 0, 'it has come');
});
