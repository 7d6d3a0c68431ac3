import t from 'tap';
import { parseTokenFile, StaticTokens } from '../../../src/auth/authentication/static-tokens.ts';
import { BearerTokens, tokenDigest } from '../../../src/auth/authentication/token-way.ts';

const API = ['api'];
const ADMIN = { name: 'admin', uid: '1', groups: ['system:masters'] };
const GUEST = { name: 'guest', uid: '2', groups: [] };
const users = [
  [tokenDigest('secret'), GUEST],
  [tokenDigest('other'), GUEST],
  [tokenDigest('secret'), ADMIN],
] as const;
const tokens = new BearerTokens([new StaticTokens(users, API)]);

t.test('a token is worth its user, who is one of those that are known', async (t) => {
  t.same(tokens.authenticate('secret', API), {
    user: { ...ADMIN, groups: ['system:masters', 'system:authenticated'] },
    audiences: API,
  });
  t.same(tokens.authenticate('other', API), {
    user: { ...GUEST, groups: ['system:authenticated'] },
    audiences: API,
  });
  for (const text of ['secre', 'secrets', 'Secret', 'secret ', '', 'x'.repeat(1024 * 1024)]) {
    const expected = { name: 'AuthenticationError', message: 'invalid bearer token' };
    t.throws(() => tokens.authenticate(text, API), expected, text.slice(0, 10));
  }
});

t.test('they are for this API alone', async (t) => {
  t.match(tokens.authenticate('secret', ['x', 'api']), { audiences: ['api'] });
  t.throws(() => tokens.authenticate('secret', ['x']), { message: 'invalid bearer token' });
});

t.test('a token file: columns, quotes, comments, line ends', async (t) => {
  const text = [
    'plain,alice,1',
    '',
    '# a comment,with,commas',
    'grouped,bob,2,"dev,ops"',
    'single,carol,3,dev',
    '"quo""ted","dan, jr",4,""',
    'trailing,erin,5,',
    'dup,first,6',
    'dup,second,7',
    ',nobody,8',
    'odd,frank,',
  ].join('\r\n');
  const expected = {
    plain: { name: 'alice', uid: '1', groups: [] },
    grouped: { name: 'bob', uid: '2', groups: ['dev', 'ops'] },
    single: { name: 'carol', uid: '3', groups: ['dev'] },
    'quo"ted': { name: 'dan, jr', uid: '4', groups: [] },
    trailing: { name: 'erin', uid: '5', groups: [] },
    dup: { name: 'second', uid: '7', groups: [] },
    odd: { name: 'frank', uid: '', groups: [] },
  };
  const digests = Object.entries(expected).map(([token, user]) => [tokenDigest(token), user]);
  t.same(Object.fromEntries(parseTokenFile(text)), Object.fromEntries(digests));
  t.same(parseTokenFile(''), []);
});

t.test('a line that is too short is refused by its number', async (t) => {
  for (const [line, columns] of [
    ['only', 1],
    ['token,user', 2],
    ['"token,user,uid"', 1],
  ] as const) {
    t.throws(() => parseTokenFile(`good,user,1\n${line}\n`), {
      name: 'TokenFileError',
      message:
        `line 2 of the token file has ${columns} columns: ` +
        'each needs token,user,uid and may have "group1,group2"',
    });
  }
});
