/** Stored objects as operations see them: whole lists of many pages, and types that are missing. */
import t from 'tap';
import { getStored, listStored } from '../../src/front/operations/shard-requests.ts';
import type { OperationContext } from '../../src/front/operation.ts';
import { refusal } from '../support/thrown-status.ts';

type Shards = OperationContext['shards'];
type Callback = (error: Error | undefined, header: unknown, body: Uint8Array) => void;

const ROLES = { group: 'rbac.authorization.cluster.io', resource: 'roles' };

/** A shard that answers a list with these parts of a document, one by one. */
function shardOf(parts: readonly string[], asked: string[]): Shards {
  const link = {
    ask: (verb: string, _header: unknown, _body: unknown, then: Callback) => {
      const part = parts[asked.length] ?? '';
      asked.push(verb);
      const isLast = asked.length === parts.length;
      setImmediate(() => then(undefined, isLast ? {} : { listId: 7 }, Buffer.from(part)));
    },
  };
  return new Map([['roles.rbac.authorization.cluster.io', { link }]]) as unknown as Shards;
}

t.test('a list is read to its end', async (t) => {
  const whole = '{"metadata":{},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}\n';
  for (const cuts of [[], [30], [10, 40], [1, 2, 3]]) {
    const ends = [...cuts, whole.length];
    const parts = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
    const asked: string[] = [];
    const items = await listStored(shardOf(parts, asked), ROLES, 'ns');
    t.same(items, [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }]);
    t.same(asked, ['list', ...cuts.map(() => 'listMore')]);
  }
});

t.test('a type that is not there has no objects', async (t) => {
  const none: Shards = new Map();
  t.same(await listStored(none, ROLES, 'ns'), []);
  t.match(await refusal(getStored(none, ROLES, 'ns', 'x')), {
    code: 404,
    message: 'roles.rbac.authorization.cluster.io "x" not found',
  });
});

t.test('what a shard refuses with is passed on', async (t) => {
  const link = {
    ask: () => {
      throw new Error('the mailbox is full');
    },
  };
  const full = new Map([['roles.rbac.authorization.cluster.io', { link }]]) as unknown as Shards;
  await t.rejects(getStored(full, ROLES, 'ns', 'x'), { message: 'the mailbox is full' });
});
