import t from 'tap';
import { parseTokenFile, TokenAuthenticator } from '../../src/auth/token-authenticator.ts';

const KNOWN = 'system:authenticated';
const ADMIN = { name: 'admin', uid: '1', groups: ['system:masters', KNOWN] };
const GUEST = { name: 'guest', uid: '2', groups: [KNOWN] };

t.test('a header is worth the user of its token', async (t) => {
  const authenticator = new TokenAuthenticator();
  authenticator.add('secret', ADMIN);
  authenticator.add('other', GUEST);
  const rows: [string, unknown][] = [
    ['Bearer secret', ADMIN],
    ['bearer secret', ADMIN],
    ['BEARER  secret', ADMIN],
    ['Bearer other', GUEST],
    ['Bearer other', GUEST],
    ['Bearer secre', undefined],
    ['Bearer secrets', undefined],
    ['Bearer Secret', undefined],
    ['Bearer secret', ADMIN],
    ['', undefined],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['secret', undefined],
    ['Basic secret', undefined],
    ['XBearer secret', undefined],
    ['Bearersecret', undefined],
  ];
  for (const [header, user] of rows) t.same(authenticator.authenticate(header), user, header);
});

t.test('without tokens nobody is known', async (t) => {
  t.equal(new TokenAuthenticator().authenticate(''), undefined);
  t.equal(new TokenAuthenticator().authenticate('Bearer '), undefined);
});

t.test('a token that is added later counts, and one may be replaced', async (t) => {
  const authenticator = new TokenAuthenticator();
  t.same(authenticator.authenticate('Bearer secret'), undefined);
  t.same(authenticator.authenticate('Bearer x'), undefined);
  authenticator.add('secret', GUEST);
  t.same(authenticator.authenticate('Bearer secret'), GUEST);
  t.same(authenticator.authenticate('Bearer x'), undefined);
  authenticator.add('secret', ADMIN);
  t.same(authenticator.authenticate('Bearer secret'), ADMIN);
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
  const users = parseTokenFile(text);
  t.same(Object.fromEntries(users), {
    plain: { name: 'alice', uid: '1', groups: [] },
    grouped: { name: 'bob', uid: '2', groups: ['dev', 'ops'] },
    single: { name: 'carol', uid: '3', groups: ['dev'] },
    'quo"ted': { name: 'dan, jr', uid: '4', groups: [] },
    trailing: { name: 'erin', uid: '5', groups: [] },
    dup: { name: 'second', uid: '7', groups: [] },
    odd: { name: 'frank', uid: '', groups: [] },
  });
  t.equal(parseTokenFile('').size, 0);
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
