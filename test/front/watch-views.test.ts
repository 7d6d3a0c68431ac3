/** Watches in different views: their bookmarks, and the columns of tables. */
import t from 'tap';
import { WatchViews } from '../../src/front/watch/watch-views.ts';
import type { View } from '../../src/protocol/shard-protocol.ts';
import type { FakeExchange } from '../support/fake-exchange.ts';
import { event, overflow, Setup } from '../support/fan-out.ts';

const TABLE: View = { form: { encoding: 'json', as: 'Table', metaVersion: 'v1' } };
const BINARY: View = { form: { encoding: 'protobuf' } };

t.test('each watch gets the bookmark of its view', async (t) => {
  const setup = new Setup();
  const plain = setup.liveIn({}, { channel: 1 });
  const old = setup.liveIn({ version: 1 }, { channel: 2 });
  const binary = [1, 2].map(() => setup.liveIn({ ...BINARY }, { channel: 3 }));
  setup.timers.pass(50_000);
  t.same(setup.asks[0]?.header.views, [{ version: 0 }, { version: 1 }, { version: 0, ...BINARY }]);
  const parts = ['a', 'bb', 'ccc'];
  setup.answer('bookmark', { rv: 170, lengths: [1, 2, 3] }, Buffer.from(parts.join('')));
  const sent = [plain, old, ...binary].map(({ text }) => text);
  t.same(sent, ['a', 'bb', 'ccc', 'ccc']);
});

t.test('a view that was not asked for has its turn soon', async (t) => {
  const setup = new Setup();
  const first = setup.live();
  setup.timers.pass(10_000);
  const second = setup.liveIn(BINARY, { channel: 2 });
  const third = setup.live();
  setup.timers.pass(40_000);
  const late = setup.asks.shift()!;
  setup.timers.pass(10_000);
  t.same(setup.asks, [], 'a question is under way');
  const body = event('BOOKMARK', 170);
  late.answer(undefined, { rv: 170, lengths: [body.length] }, body);
  t.same(first.events, ['BOOKMARK 170']);
  t.same(third.events, ['BOOKMARK 170'], 'due meanwhile, in the same view');
  t.equal(second.text, '');
  setup.timers.pass(1_000);
  t.same(setup.asks[0]?.header.views, [{ version: 0, ...BINARY }]);
  setup.bookmark(171);
  t.same(second.events, ['BOOKMARK 171']);
});

/** A frame of a Table's channel. */
function row(rv: number): Uint8Array {
  const named = '\\"columnDefinitions\\":null,"columnDefinitions":null';
  return Buffer.from(`{"kind":"Table","columnDefinitions":null,"rows":["${rv}",${named}]}\n`);
}

/** Gives the columns in each event to the client. */
function columnsOf(client: FakeExchange): string[] {
  return [...client.text.matchAll(/^\{"kind":"Table","columnDefinitions":(.*?),"rows"/gm)].map(
    ([, columns = '']) => columns,
  );
}

t.test('the first event of a table says its columns', async (t) => {
  const setup = new Setup();
  const columns = '[{"name":"$&"}]';
  const told = setup.liveIn(TABLE, { channel: 1 });
  const untold = setup.liveIn(TABLE, { channel: 1, columns });
  const publish = (rv: number): void => setup.fanout.published({ channels: [1], rv }, row(rv));
  publish(101);
  publish(102);
  setup.fanout.turnEnd();
  publish(103);
  setup.fanout.turnEnd();
  t.same(columnsOf(told), ['null', 'null', 'null']);
  t.same(columnsOf(untold), [columns, 'null', 'null']);
  t.equal(untold.text.replace(columns, 'null'), told.text, 'and nothing else is changed');
});

t.test('a bookmark says them too', async (t) => {
  const setup = new Setup();
  const client = setup.liveIn(TABLE, { channel: 1, columns: '[1]' });
  setup.timers.pass(50_000);
  setup.answer('bookmark', { rv: 110, lengths: [row(110).length] }, row(110));
  setup.fanout.published({ channels: [1], rv: 111 }, row(111));
  setup.fanout.turnEnd();
  t.same(columnsOf(client), ['[1]', 'null']);
});

t.test('who catches up again says whether it was told the columns', async (t) => {
  const setup = new Setup();
  const told = setup.liveIn(TABLE, { channel: 1, columns: '[1]' });
  setup.fanout.published({ channels: [1], rv: 101 }, row(101));
  setup.fanout.turnEnd();
  const untold = setup.liveIn(TABLE, { channel: 1, columns: '[1]' });
  const plain = setup.live();
  overflow(setup, 200);
  const asked = setup.asks.splice(0);
  t.same(
    asked.map(({ header }) => header.columnsTold),
    [true, false, undefined],
  );
  asked[1]?.answer(undefined, { rv: 9_000, channel: 2 }, row(9_000));
  setup.fanout.published({ channels: [2], rv: 9_001 }, row(9_001));
  setup.fanout.turnEnd();
  t.same(columnsOf(untold), ['null', 'null'], 'the page has them, so that the next event has not');
  t.same(columnsOf(told), ['[1]']);
  t.equal(plain.text, '');
});

t.test('views in different words are the same', async (t) => {
  const views = new WatchViews();
  t.equal(views.of({}), views.of({ version: 0 }));
  t.equal(views.of({ ...TABLE }), views.of({ version: 0, form: { ...TABLE.form! } }));
  const table = TABLE.form!;
  const different = [
    {},
    { version: 1 },
    TABLE,
    { form: { ...table, metaVersion: 'v1beta1' as const } },
    { form: { ...table, includeObject: 'None' as const } },
    { form: { ...table, as: 'PartialObjectMetadata' as const } },
    BINARY,
  ];
  t.equal(new Set(different.map((view) => views.of(view))).size, different.length);
});
