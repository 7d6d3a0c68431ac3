import t from 'tap';
import { PortUsers } from '../../src/controllers/service-addresses/port-users.ts';

t.test('a node port is that of the first service that has it', async (t) => {
  const users = new PortUsers('30000-30010');
  users.change('default/b', [30_001, 29_999]);
  users.change('default/a', [30_001]);
  t.equal(users.problemOf('default/a', 30_001), undefined);
  t.equal(users.problemOf('default/b', 30_001), 'duplicate');
  t.equal(users.problemOf('default/b', 29_999), 'outOfRange');
  users.change('default/a', [], [30_001]);
  t.equal(users.problemOf('default/b', 30_001), undefined, 'the other one is gone');
});
