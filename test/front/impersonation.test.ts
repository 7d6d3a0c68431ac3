/** Whom headers ask to act as, and which rights that takes. */
import t from 'tap';
import { impersonationIn } from '../../src/front/requests/impersonation.ts';
import type { HeaderLine } from '../../src/front/http.ts';

function lines(...headers: [string, string][]): HeaderLine[] {
  return headers.map(([name, value]) => ({ name: `impersonate-${name}`, value }));
}

t.test('groups that nobody has to ask for', async (t) => {
  const account = 'system:serviceaccount:ns:sa';
  const ofAccount = ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'];
  const rows: [HeaderLine[], string[]][] = [
    [lines(['user', 'jane']), ['system:authenticated']],
    [lines(['user', 'jane'], ['group', 'a'], ['group', 'b']), ['a', 'b', 'system:authenticated']],
    [lines(['group', 'system:unauthenticated'], ['user', 'jane']), ['system:unauthenticated']],
    [lines(['user', account]), ofAccount],
    [lines(['user', account], ['group', 'a']), ['a', 'system:authenticated']],
    [lines(['user', 'system:anonymous']), ['system:unauthenticated']],
    [
      lines(['user', 'system:anonymous'], ['group', 'system:authenticated']),
      ['system:authenticated', 'system:unauthenticated'],
    ],
  ];
  for (const [headers, groups] of rows) t.same(impersonationIn(headers)?.user.groups, groups);
});

t.test('each that is asked for takes a right of its own', async (t) => {
  const found = impersonationIn(
    lines(
      ['extra-Scopes%2fa', 'view'],
      ['uid', 'u'],
      ['group', 'g'],
      ['user', 'system:serviceaccount:ns:sa'],
      ['extra-Scopes%2fa', '__proto__'],
    ).map(({ name, value }) => ({ name: name.toLowerCase(), value })),
  );
  t.same(
    found?.asked.map(({ resource, subresource, namespace, name }) =>
      [resource, subresource, namespace, name].join(' '),
    ),
    [
      'serviceaccounts  ns sa',
      'groups   g',
      'userextras scopes/a  view',
      'userextras scopes/a  __proto__',
      'uids   u',
    ],
  );
  t.equal(found?.user.uid, 'u');
  t.same({ ...found?.user.extra }, { 'scopes/a': ['view', '__proto__'] });
});

t.test('headers that ask for nothing, and without a user', async (t) => {
  t.equal(impersonationIn(lines(['uid', ''])), undefined);
  for (const more of [[], [['uid', '']], [['user', 'jane']]] as [string, string][][]) {
    const headers = lines(['user', ''], ...more);
    t.throws(() => impersonationIn(headers), { code: 400 }, 'it may be what is left of a name');
    t.equal(impersonationIn(headers, true), undefined, 'an empty name is none');
  }
  for (const header of ['group', 'uid', 'extra-a'] as const) {
    t.throws(() => impersonationIn(lines([header, 'x'])), { name: 'UnreadableRequest' }, header);
    const withoutName = lines(['user', ''], [header, 'x']);
    t.throws(() => impersonationIn(withoutName, true), { name: 'UnreadableRequest' }, header);
  }
  // An empty one of these asks for something.
  const unnamed = lines(['group', ''], ['extra-a', '']);
  t.throws(() => impersonationIn(unnamed, true), {
    message: /^requested \[\{Group {6}\} \{UserExtra {4}authentication\.\S+\/v1 {2}a\}\] without /,
  });
});

t.test('what is empty beside a user, and what comes twice', async (t) => {
  const found = impersonationIn([
    ...lines(['user', 'jane'], ['user', ''], ['group', '']),
    ...lines(['extra-a', ''], ['extra-', 'x'], ['uid', '']),
  ]);
  t.same(
    found?.asked.map(({ resource, subresource, name }) => [resource, subresource, name].join(' ')),
    ['users  jane', 'groups  ', 'userextras a ', 'userextras  x'],
  );
  t.match(found?.user, { uid: '', groups: ['', 'system:authenticated'] });
  t.equal(impersonationIn(lines(['user', 'jane'], ['uid', ''], ['uid', 'u']))?.user.uid, '');
});
