import t from 'tap';
import { PAGE_BYTES_TARGET } from '../../src/limits.ts';
import { HeldLog } from '../support/held-log.ts';
import { turns } from '../support/gate.ts';
import { configMap } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { answered, listRequest, ShardUnderTest } from '../support/shard-under-test.ts';

/** A page holds two or three of it. */
const BULK = 'x'.repeat(0.38 * PAGE_BYTES_TARGET);

const REQUEST = listRequest();

function named(list: TestObject): string[] {
  return list.items.map(({ metadata }: TestObject) => `${metadata.namespace}/${metadata.name}`);
}

async function filled(log = new HeldLog()): Promise<ShardUnderTest> {
  const subject = new ShardUnderTest({ log });
  for (const [name, namespace, app] of [
    ['z', 'a', 'web'],
    ['x', 'b', 'web'],
    ['x', 'a', 'db'],
    ['y', 'a', 'web'],
  ] as const) {
    await subject.create(configMap(name, {}, { namespace, labels: { app } }));
  }
  return subject;
}

t.test('an empty list', async (t) => {
  t.same(await new ShardUnderTest().list(), {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '100' },
    items: [],
  });
});

t.test('by namespace and name, with what the selectors leave', async (t) => {
  const subject = await filled();
  const list = (options: object) => subject.list(options).then(named);
  t.same(await list({}), ['a/x', 'a/y', 'a/z', 'b/x']);
  t.same(await list({ namespace: 'a' }), ['a/x', 'a/y', 'a/z']);
  t.same(await list({ namespace: 'none' }), []);
  t.same(await list({ labelSelector: 'app=web' }), ['a/y', 'a/z', 'b/x']);
  t.same(await list({ fieldSelector: 'metadata.name=x' }), ['a/x', 'b/x']);
  t.same(await list({ namespace: 'a', fieldSelector: 'metadata.name=x' }), ['a/x']);
  t.same(await list({ namespace: 'a', fieldSelector: 'metadata.name=none' }), []);
  const both = { labelSelector: 'app=web', fieldSelector: 'metadata.name=x' };
  t.same(await list({ ...both, namespace: 'a' }), [], 'the name is there, the label is not');
  const { items } = await subject.list({ namespace: 'b' });
  t.equal(items[0].kind, undefined, 'items carry no kind');
  t.equal(items[0].metadata.resourceVersion, '102');
});

t.test('all pages of a list are of one version, whatever is written meanwhile', async (t) => {
  const subject = new ShardUnderTest();
  const names = ['n', 'o', 'p', 'q', 'r', 's', 't', 'u'];
  for (const name of names) await subject.create(configMap(name, { bulk: BULK, step: '1' }));
  let page = await answered<{ listId?: number }>((answer) => subject.lists.list(REQUEST, answer));
  t.not(page.reply.listId, undefined);
  t.equal(subject.lists.openCount, 1);
  const parts = [page.body];
  for (const name of names) await subject.update(configMap(name, { step: '2' }));
  await subject.delete('u');
  await subject.create(configMap('v'));
  while (page.reply.listId !== undefined) {
    const { listId } = page.reply;
    page = await answered((answer) => subject.lists.more(listId, answer));
    parts.push(page.body);
  }
  t.ok(parts.length > 2, `${parts.length} pages`);
  const { metadata, items } = JSON.parse(Buffer.concat(parts).toString());
  t.same(metadata, { resourceVersion: '108' });
  t.same(
    items.map(({ metadata: { name, resourceVersion }, data }: TestObject) => [
      name,
      resourceVersion,
      data.step,
    ]),
    names.map((name, at) => [name, String(101 + at), '1']),
  );
  t.equal(subject.lists.openCount, 0);
});

t.test('a list that is closed has no more pages', async (t) => {
  const subject = new ShardUnderTest();
  for (const name of ['p', 'q', 'r', 's']) await subject.create(configMap(name, { bulk: BULK }));
  const { reply } = await answered<{ listId?: number }>((answer) =>
    subject.lists.list(REQUEST, answer),
  );
  const listId = reply.listId ?? 0;
  subject.lists.close(listId);
  subject.lists.close(listId);
  t.equal(subject.lists.openCount, 0);
  await t.rejects(
    answered((answer) => subject.lists.more(listId, answer)),
    { name: 'StatusError' },
  );
});

t.test('what is not committed is not listed, and the list is older than it', async (t) => {
  const log = new HeldLog();
  const subject = await filled(log);
  log.hold();
  const writes = [
    subject.create(configMap('new', {}, { namespace: 'a' })),
    subject.update(configMap('x', { step: '2' }, { namespace: 'a' })),
    subject.delete('z', { namespace: 'a' }),
  ];
  await turns();
  const list = await subject.list();
  t.same(named(list), ['a/x', 'a/y', 'a/z', 'b/x']);
  t.equal(list.metadata.resourceVersion, '104');
  log.release();
  await Promise.all(writes);
  const after = await subject.list();
  t.same(named(after), ['a/new', 'a/x', 'a/y', 'b/x']);
  t.equal(after.metadata.resourceVersion, '107');
});

t.test('not older than a version waits until it is there', async (t) => {
  const log = new HeldLog();
  const subject = await filled(log);
  log.hold();
  const write = subject.create(configMap('new', {}, { namespace: 'a' }));
  let answers = 0;
  const waiting = ['105', '105'].map(async (resourceVersion) => {
    const list = await subject.list({ resourceVersion, resourceVersionMatch: 'NotOlderThan' });
    answers++;
    return list;
  });
  const got = subject.get('new', 'a', '105');
  await turns();
  t.equal(answers, 0);
  t.equal(
    (await subject.list({ resourceVersion: '104' })).items.length,
    4,
    'an older one does not',
  );
  t.equal((await subject.list({ resourceVersion: '0' })).items.length, 4);
  log.release();
  for (const list of await Promise.all(waiting)) {
    t.equal(list.metadata.resourceVersion, '105');
    t.equal(list.items.length, 5);
  }
  t.equal((await got).object.metadata.name, 'new');
  await write;
});

t.test('waiting for a version ends when the commit fails', async (t) => {
  const log = new HeldLog();
  const subject = await filled(log);
  log.hold();
  const write = subject.create(configMap('new', {}, { namespace: 'a' }));
  const waiting = subject.list({ resourceVersion: '105' });
  await turns();
  log.fail('no space left');
  await t.rejects(write);
  t.same(named(await waiting), ['a/x', 'a/y', 'a/z', 'b/x']);
});

t.test('a version that was never issued is too large', async (t) => {
  const subject = await filled();
  const tooLarge = {
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: Too large resource version: 999, current: 104',
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
  };
  t.match(await refusal(subject.list({ resourceVersion: '999' })), tooLarge);
  t.match(await refusal(subject.get('x', 'a', '999')), tooLarge);
});

t.test('exact: as it was at that version', async (t) => {
  const subject = await filled();
  const exact = { resourceVersionMatch: 'Exact' };
  const list = await subject.list({ ...exact, resourceVersion: '104' });
  t.equal(list.metadata.resourceVersion, '104');
  const earlier = await subject.list({ ...exact, resourceVersion: '102' });
  t.equal(earlier.metadata.resourceVersion, '102');
  t.same(named(earlier), ['a/z', 'b/x']);
});

t.test('combinations that are refused', async (t) => {
  const subject = await filled();
  const invalid = (message: RegExp) => ({ code: 422, reason: 'Invalid', message });
  const table: [string, string, object][] = [
    ['', 'Exact', invalid(/resourceVersionMatch is forbidden unless resourceVersion is provided/)],
    ['', 'NotOlderThan', invalid(/forbidden unless/)],
    ['0', 'Exact', invalid(/"exact" is forbidden for resourceVersion "0"/)],
    [
      '5',
      'Wrong',
      invalid(/Unsupported value: "Wrong": supported values: "Exact", "NotOlderThan"/),
    ],
    ['abc', '', { code: 400 }],
    ['abc', 'NotOlderThan', { code: 400 }],
  ];
  for (const [resourceVersion, resourceVersionMatch, expected] of table) {
    const status = await refusal(subject.list({ resourceVersion, resourceVersionMatch }));
    t.match(status, expected, `${resourceVersion} ${resourceVersionMatch}`);
  }
});
