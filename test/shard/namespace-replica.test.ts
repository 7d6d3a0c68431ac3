import t from 'tap';
import { NamespaceReplica } from '../../src/shard/namespace-replica.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const SECRETS = { group: '', resource: 'secrets' };

t.test('creates are allowed in active namespaces only', async (t) => {
  const replica = new NamespaceReplica();
  const check = (namespace: string) => () => replica.checkCreate(namespace, SECRETS, 'x');
  replica.update([
    { name: 'a', state: 'active' },
    { name: 'b', state: 'terminating' },
  ]);
  t.doesNotThrow(check('a'));
  t.match(thrownStatus(check('none')), {
    code: 404,
    reason: 'NotFound',
    message: 'namespaces "none" not found',
    details: { name: 'none', kind: 'namespaces' },
  });
  const refused = thrownStatus(check('b'));
  t.match(refused, { code: 403, reason: 'Forbidden' });
  t.equal(
    refused.message,
    'secrets "x" is forbidden: unable to create new content in namespace b ' +
      'because it is being terminated',
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: 'namespace b is being terminated',
    field: 'metadata.namespace',
  };
  t.same(refused.details, { name: 'x', kind: 'secrets', causes: [cause] });
});

t.test('the last state counts, and a namespace may come back', async (t) => {
  const replica = new NamespaceReplica();
  const check = () => replica.checkCreate('a', SECRETS, 'x');
  replica.update([{ name: 'a', state: 'active' }]);
  replica.update([{ name: 'a', state: 'terminating' }]);
  t.equal(thrownStatus(check).code, 403);
  replica.update([{ name: 'a', state: 'gone' }]);
  t.equal(thrownStatus(check).code, 404);
  replica.update([{ name: 'a', state: 'gone' }]);
  replica.update([{ name: 'a', state: 'active' }]);
  t.doesNotThrow(check);
});
