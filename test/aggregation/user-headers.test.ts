/** How another server is told who asks. */
import t from 'tap';
import { userHeaders } from '../../src/aggregation/user-headers.ts';

const USER = { name: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'scopes/of': ['x', 'y'] } };

t.test('each group and each value has a header of its own', async (t) => {
  t.same(userHeaders(USER, false), [
    ['X-Remote-User', 'jane'],
    ['X-Remote-Group', 'a'],
    ['X-Remote-Group', 'b'],
    ['X-Remote-Extra-scopes%2Fof', 'x'],
    ['X-Remote-Extra-scopes%2Fof', 'y'],
  ]);
});

t.test('the uid where the release tells it', async (t) => {
  t.same(userHeaders(USER, true)[1], ['X-Remote-Uid', '7']);
  t.same(userHeaders({ ...USER, uid: '' }, true)[1], ['X-Remote-Group', 'a']);
});

t.test('keys that no header can have are escaped by their bytes', async (t) => {
  const extra = { 'a%b ü': ['1'] };
  const [, header] = userHeaders({ name: 'a', uid: '', groups: [], extra }, false);
  t.same(header, ['X-Remote-Extra-a%25b%20%C3%BC', '1']);
});

t.end();
