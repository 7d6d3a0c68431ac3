/** A Secret with the token of an account has these members. */
import t from 'tap';
import { accountOf, completed, isComplete } from '../../src/controllers/accounts/token-secret.ts';

const ACCOUNT = { name: 'robot', uid: 'u1' };
const issue = (namespace: string, { name, uid }: typeof ACCOUNT, secret: string): string =>
  [namespace, name, uid, secret].join(' ');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const WITH = { authority: 'PEM', issue };
const WITHOUT = { authority: '', issue };

t.test('what is missing is filled in, and nothing else is touched', (t) => {
  const secret = {
    metadata: { namespace: 'shop', name: 'mine', annotations: { a: 'b' } },
    data: { extra: 'eA==' },
  };
  const full = completed(secret, ACCOUNT, WITH);
  t.same(full.data, {
    extra: 'eA==',
    'ca.crt': base64('PEM'),
    namespace: base64('shop'),
    token: base64('shop robot u1 mine'),
  });
  t.same(full.metadata.annotations, {
    a: 'b',
    'cluster.io/service-account.name': 'robot',
    'cluster.io/service-account.uid': 'u1',
  });
  t.same(accountOf(full), ACCOUNT);
  t.equal(full.type, 'cluster.io/service-account-token');
  t.ok(isComplete(full, WITH));
  t.same(completed(full, ACCOUNT, WITH), full);
  t.end();
});

t.test('a token that is there stays; an old authority does not', (t) => {
  const data = { token: 'dA==', namespace: 'bg==', 'ca.crt': base64('OLD') };
  const secret = { metadata: { namespace: 'shop', name: 'mine' }, data };
  t.notOk(isComplete(secret, WITH));
  t.same(completed(secret, ACCOUNT, WITH).data, { ...data, 'ca.crt': base64('PEM') });
  t.ok(isComplete(secret, WITHOUT), 'a server without one leaves it alone');
  t.same(completed(secret, ACCOUNT, WITHOUT).data, data);
  t.notOk(isComplete({ ...secret, data: { ...data, token: '' } }, WITHOUT));
  t.end();
});
