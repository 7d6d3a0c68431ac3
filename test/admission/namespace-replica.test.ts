import t from 'tap';
import { NamespaceReplica } from '../../src/admission/namespace-replica.ts';
import { HandFed } from '../support/rbac.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const SECRETS = { group: '', resource: 'secrets' };

function newReplica() {
  const fed = new HandFed();
  const replica = new NamespaceReplica(fed.follow);
  const put = (name: string, phase: string): void =>
    fed.putObject('namespaces', { metadata: { name }, status: { phase } });
  const check = (namespace: string) => () => replica.checkCreate(namespace, SECRETS, 'x');
  return { fed, put, check };
}

t.test('creates are allowed in active namespaces only', async (t) => {
  const { put, check } = newReplica();
  put('a', 'Active');
  put('b', 'Terminating');
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
  const { fed, put, check } = newReplica();
  put('a', 'Active');
  put('a', 'Terminating');
  t.equal(thrownStatus(check('a')).code, 403);
  fed.remove('namespaces', '', 'a');
  t.equal(thrownStatus(check('a')).code, 404);
  put('a', 'Active');
  t.doesNotThrow(check('a'));
});
