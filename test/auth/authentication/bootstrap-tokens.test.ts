/** Tokens by which nodes join, and all that makes one worthless. */
import t from 'tap';
import { BootstrapTokens } from '../../../src/auth/authentication/bootstrap-tokens/bootstrap-tokens.ts';
import { BearerTokens } from '../../../src/auth/authentication/token-way.ts';
import { FakeAccountFacts } from '../../support/account-facts.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const API = ['api'];
const ID = 'abc123';
const SECRET = '0123456789abcdef';
const TYPE = 'bootstrap.cluster.io/token';
const DATA = {
  'token-id': ID,
  'token-secret': SECRET,
  'usage-bootstrap-authentication': 'true',
};

function scene(data: Record<string, string>, type = TYPE, deletedMs?: number) {
  const facts = new FakeAccountFacts();
  facts.putSecret(`cluster-system/bootstrap-token-${ID}`, type, data, deletedMs);
  const way = new BootstrapTokens({ facts, apiAudiences: API, nowMs: () => NOW_MS });
  const bearer = new BearerTokens([way]);
  return (token: string, audiences = API) => bearer.authenticate(token, audiences);
}

t.test('the user is the token, in groups', async (t) => {
  t.same(scene(DATA)(`${ID}.${SECRET}`), {
    user: {
      name: `system:bootstrap:${ID}`,
      uid: '',
      groups: ['system:bootstrappers', 'system:authenticated'],
    },
    audiences: API,
  });
  const extra = 'system:bootstrappers:z,system:bootstrappers:a,system:bootstrappers:z';
  const known = scene({ ...DATA, 'auth-extra-groups': extra, expiration: '2024-01-01T00:00:01Z' });
  t.match(known(`${ID}.${SECRET}`), {
    user: {
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:a',
        'system:bootstrappers:z',
        'system:authenticated',
      ],
    },
  });
});

t.test('what makes it worthless', async (t) => {
  const refused = { name: 'AuthenticationError', message: 'invalid bearer token' };
  const rows: [string, Record<string, string>][] = [
    ['another secret', { ...DATA, 'token-secret': 'fedcba9876543210' }],
    ['no secret', { ...DATA, 'token-secret': '' }],
    ['another id', { ...DATA, 'token-id': 'xyz123' }],
    ['expired', { ...DATA, expiration: '2024-01-01T00:00:00Z' }],
    ['expired elsewhere', { ...DATA, expiration: '2024-01-01T01:00:00+01:00' }],
    ['no time', { ...DATA, expiration: 'tomorrow' }],
    ['half a time', { ...DATA, expiration: '2030-01-01' }],
    ['no usage', { ...DATA, 'usage-bootstrap-authentication': '' }],
    ['another usage', { ...DATA, 'usage-bootstrap-authentication': 'True' }],
    ['foreign groups', { ...DATA, 'auth-extra-groups': 'system:masters' }],
    ['an empty group', { ...DATA, 'auth-extra-groups': 'system:bootstrappers:a,' }],
    ['no data', {}],
  ];
  for (const [what, data] of rows) {
    t.throws(() => scene(data)(`${ID}.${SECRET}`), refused, what);
  }
  const token = `${ID}.${SECRET}`;
  t.throws(() => scene(DATA, 'Opaque')(token), refused, 'a Secret of another type');
  t.throws(() => scene(DATA, TYPE, NOW_MS)(token), refused, 'it is terminating');
  t.throws(() => scene(DATA)(token, ['x']), refused, 'for another API');
  for (const other of [`${ID}.${SECRET}x`, `${ID}${SECRET}`, `xyz123.${SECRET}`, `${token}\n`]) {
    t.throws(() => scene(DATA)(other), refused, other);
  }
});
