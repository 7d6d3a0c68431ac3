/** How watches end whose sockets have the first byte of an event that does not come. */
import t from 'tap';
import { Setup } from '../support/fan-out.ts';

t.test('a watch ends with a bookmark or an event, or as it is where there is none', async (t) => {
  const setup = new Setup();
  const [ending, unlucky, plain] = [setup.live(), setup.live(), setup.live({ bookmarks: false })];
  for (const client of [ending, unlucky]) client.hasBegunNext = true;
  setup.publish(101);
  const ended = setup.fanout.endAll();
  t.ok(plain.ended);
  t.notOk(ending.ended, 'until its bookmark is there');
  unlucky.stalled = true;
  setup.fanout.turnEnd();
  setup.bookmark(101);
  await ended;
  t.same(ending.events, ['ADDED 101', 'BOOKMARK 101']);
  t.ok(ending.ended);
  t.ok(unlucky.ended);

  const quiet = setup.live();
  quiet.hasBegunNext = true;
  const quietEnded = setup.fanout.endAll();
  setup.bookmark(105);
  await quietEnded;
  t.same(quiet.events, ['BOOKMARK 105']);
  t.ok(quiet.ended);

  const untold = setup.live();
  untold.hasBegunNext = true;
  const untoldEnded = setup.fanout.endAll();
  setup.answer('bookmark', new Error('failed'));
  await untoldEnded;
  t.ok(untold.ended);
});

t.test('one without bookmarks whose client has named no time ends with an event', async (t) => {
  const setup = new Setup();
  const options = { bookmarks: false, timeoutMs: 1_000 };
  const asked = setup.live({ ...options, isTimeoutAsked: true });
  const left = setup.live({ ...options, isTimeoutAsked: false });
  for (const client of [asked, left]) client.hasBegunNext = true;
  setup.timers.pass(1_000);
  t.ok(asked.ended);
  t.notOk(left.ended);
  setup.publish(101);
  setup.fanout.turnEnd();
  t.same(left.events, ['ADDED 101']);
  t.ok(left.ended);
});
