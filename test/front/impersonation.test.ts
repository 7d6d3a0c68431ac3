/** Whom headers ask to act as, and which rights that takes. */
import t from 'tap';
import { impersonationIn } from '../../src/front/impersonation.ts';
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
  t.throws(() => impersonationIn(lines(['user', ''], ['uid', ''])), { code: 400 });
  for (const header of ['group', 'uid', 'extra-a'] as const) {
    t.throws(() => impersonationIn(lines([header, 'x'])), { name: 'UnreadableRequest' }, header);
  }
});
