/** Lists in protobuf, which say how long they are before their first item. */
import t from 'tap';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { LIST_MADE_BYTES_MAX, PAGE_BYTES_TARGET } from '../../src/limits.ts';
import { EncodingCache } from '../../src/shard/representation/encoding-cache.ts';
import { CacheBudget } from '../../src/shard/representation/cache-budget.ts';
import type { ListPage } from '../../src/protocol/shard-protocol.ts';
import { configMap } from '../support/kinds.ts';
import { readBinaryList } from '../support/representations.ts';
import { answered, listRequest, ShardUnderTest } from '../support/shard-under-test.ts';

const REQUEST = { ...listRequest(), form: { encoding: 'protobuf' } as const };
const BULK = 'x'.repeat(PAGE_BYTES_TARGET / 2);

/** `keptBytes` is the room for what outlives a list. */
async function filled(names: readonly string[], keptBytes = 0): Promise<ShardUnderTest> {
  const encodings = new EncodingCache(new CacheBudget(new SharedArrayBuffer(12), keptBytes));
  const subject = new ShardUnderTest({ encodings });
  for (const name of names) await subject.create(configMap(name, { bulk: BULK, step: '1' }));
  return subject;
}

function first(subject: ShardUnderTest): Promise<{ reply: ListPage; body: Buffer }> {
  return answered((answer) => subject.lists.list(REQUEST, answer));
}

/** All pages, the first of which is there. */
async function whole(
  { lists }: ShardUnderTest,
  page: { reply: ListPage; body: Buffer },
): Promise<Buffer> {
  const parts = [page.body];
  for (let { listId } = page.reply; listId !== undefined;) {
    const next = await answered<ListPage>((answer) => lists.more(listId as number, answer));
    parts.push(next.body);
    ({ listId } = next.reply);
  }
  return Buffer.concat(parts);
}

/** Name and step of each item, in the order of the list. */
function itemsOf(bytes: Buffer): string[] {
  return readBinaryList(bytes).items.map((item) => {
    const text = item.toString('latin1');
    // oxlint-disable-next-line no-control-regex -- tag and length of the value in the message
    return `${/cm-\d+/.exec(text)?.[0]} ${/step\x12\x01(.)/.exec(text)?.[1]}`;
  });
}

t.test('a list is of one version, longer than what is kept of it or not', async (t) => {
  const count = (2 * LIST_MADE_BYTES_MAX) / PAGE_BYTES_TARGET + 4;
  const names = Array.from({ length: count }, (_, at) => `cm-${100 + at}`);
  const subject = await filled(names);
  const { lists } = subject;
  const page = await first(subject);
  t.ok(lists.madeBytes > LIST_MADE_BYTES_MAX / 2, 'what was measured is kept');
  t.ok(lists.madeBytes <= LIST_MADE_BYTES_MAX, 'and no more');
  const second = await first(subject);
  t.ok(lists.madeBytes <= LIST_MADE_BYTES_MAX, 'by all lists together');
  for (const name of names.slice(-3)) await subject.update(configMap(name, { step: '2' }));
  const bytes = await whole(subject, page);
  t.same(
    itemsOf(bytes),
    names.map((name) => `${name} 1`),
  );
  t.equal(unwrapProtobuf(bytes).raw.length > LIST_MADE_BYTES_MAX, true, 'and says how long it is');
  t.ok((await whole(subject, second)).equals(bytes), 'the other list is the same');
  t.equal(lists.openCount, 0);
  t.equal(lists.madeBytes, 0);
});

t.test('of what is kept anyway a list holds nothing', async (t) => {
  const names = Array.from({ length: 12 }, (_, at) => `cm-${100 + at}`);
  const subject = await filled(names, 3.5 * PAGE_BYTES_TARGET);
  const { lists } = subject;
  // The first six find room, and three of them give it up when they are replaced.
  const page = await first(subject);
  t.ok(lists.madeBytes > 2.5 * PAGE_BYTES_TARGET, 'what found no room is held');
  t.ok(lists.madeBytes < 3.5 * PAGE_BYTES_TARGET, 'and no more');
  for (const at of [0, 2, 4]) {
    await subject.update(configMap(names[at] as string, { bulk: BULK, step: '2' }));
  }
  const second = await first(subject);
  const bytes = await whole(subject, page);
  const stepsAt = (step: (at: number) => string): string[] =>
    names.map((name, at) => `${name} ${step(at)}`);
  t.same(
    itemsOf(bytes),
    stepsAt(() => '1'),
  );
  t.same(
    itemsOf(await whole(subject, second)),
    stepsAt((at) => (at < 6 && at % 2 === 0 ? '2' : '1')),
    'kept and made items stand between each other',
  );
  t.equal(lists.madeBytes, 0);
});

t.test('what was made for a list that is closed is dropped', async (t) => {
  const subject = await filled(['cm-1', 'cm-2', 'cm-3', 'cm-4']);
  const { lists } = subject;
  const { reply } = await first(subject);
  t.not(lists.madeBytes, 0);
  lists.close(reply.listId ?? 0);
  t.equal(lists.madeBytes, 0);
});

t.test('a list of nothing', async (t) => {
  const subject = new ShardUnderTest();
  const { reply, body } = await first(subject);
  t.same(reply, {});
  t.same(readBinaryList(body).items, []);
  t.equal(subject.lists.madeBytes, 0);
});
