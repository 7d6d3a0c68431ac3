/** Acting as others by rights that say for what, in the newest release. */
import '../support/newest-release.ts';
import t from 'tap';
import type { Authorizer } from '../../src/auth/authorizer.ts';
import { NO_RULES } from '../../src/auth/fixed-authorizers.ts';
import {
  ConstrainedImpersonation,
  wantedUser,
} from '../../src/front/requests/constrained-impersonation.ts';
import { NamedUser } from '../../src/front/requests/impersonation.ts';
import type { User } from '../../src/semantics/user.ts';
import { access, person } from '../support/rbac.ts';
import { refusal } from '../support/thrown-status.ts';

const JANE = person('jane');
const AGENT: User = {
  ...person('system:serviceaccount:ns:agent', 'system:serviceaccounts'),
  extra: { 'authentication.cluster.io/node-name': ['n'], other: ['x'] },
};

/** Asked for, in one text: the verb, the resource and the name. */
class Rights implements Authorizer {
  readonly asked: string[] = [];
  readonly extras: User['extra'][] = [];
  readonly #allowed: readonly string[];
  readonly rulesFor = () => NO_RULES;

  constructor(...allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  authorize: Authorizer['authorize'] = ({ user, verb, resource, subresource, name }) => {
    const what = subresource === '' ? resource : `${resource}/${subresource}`;
    const asked = `${verb} ${what} ${name}`;
    this.asked.push(asked);
    this.extras.push(user.extra);
    return { verdict: this.#allowed.includes(asked) ? 'allow' : 'noOpinion', reason: '' };
  };
}

const GET_POD = { name: 'p' };

function named(headers: Readonly<Record<string, string | readonly string[]>>): User | undefined {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name: `impersonate-${name}`, value })),
  );
  return wantedUser(new NamedUser(lines));
}

async function actAs(
  rights: Rights,
  headers: Parameters<typeof named>[0],
  requestor = JANE,
  modes = new ConstrainedImpersonation(),
) {
  const wanted = named(headers) ?? person('nobody');
  return modes.find(wanted, access(requestor, 'get - pods', GET_POD), rights);
}

const ON = (mode: string) => `impersonate-on:${mode}:get pods p`;

t.test('each mode has rights of its own', async (t) => {
  const account = 'system:serviceaccount:ns:robot';
  const known = 'system:authenticated';
  const rows: [string, Parameters<typeof named>[0], string[], readonly string[]][] = [
    ['user-info', { user: 'bob' }, ['users bob'], [known]],
    [
      'user-info',
      { user: 'bob', group: ['dev'], uid: 'u', 'extra-a.b%2fc': 'd' },
      ['users bob', 'uids u', 'groups dev', 'userextras/a.b/c d'],
      ['dev', known],
    ],
    [
      'user-info',
      { user: 'bob', group: ['a', 'b', 'c', 'd'] },
      ['users bob', 'groups *'],
      ['a', 'b', 'c', 'd', known],
    ],
    [
      'user-info',
      { user: 'system:anonymous' },
      ['users system:anonymous'],
      ['system:unauthenticated'],
    ],
    [
      'serviceaccount',
      { user: account },
      ['serviceaccounts robot'],
      ['system:serviceaccounts', 'system:serviceaccounts:ns', known],
    ],
    ['arbitrary-node', { user: 'system:node:n' }, ['nodes n'], ['system:nodes', known]],
  ];
  for (const [mode, headers, parts, groups] of rows) {
    const all = [ON(mode), ...parts.map((part) => `impersonate:${mode} ${part}`)];
    const rights = new Rights(...all);
    const { user, constraint } = await actAs(rights, headers);
    t.equal(constraint, `impersonate:${mode}`);
    t.same(user.groups, groups);
    t.same(rights.asked, all, 'and nothing else is asked for');
    for (const lacking of all) {
      const others = new Rights(...all.filter((right) => right !== lacking));
      await refusal(actAs(others, headers));
      t.ok(others.asked.includes(lacking));
    }
  }
});

t.test('an account acts as the node of its pod, whichever that is', async (t) => {
  const mine = 'impersonate:associated-node nodes *';
  const rights = new Rights(ON('associated-node'), mine);
  const { user, constraint } = await actAs(rights, { user: 'system:node:n' }, AGENT);
  t.same([user.name, constraint], ['system:node:n', 'impersonate:associated-node']);
  const keys = ['authentication.cluster.io/node-name', 'other'];
  t.same(rights.extras[0], { 'authentication.cluster.io/associated-node-keys': keys });
  await refusal(actAs(rights, { user: 'system:node:o' }, AGENT));
  await refusal(actAs(rights, { user: 'system:node:n' }, JANE));
});

t.test('the right of old counts at last, and the mode that let comes first then', async (t) => {
  const rights = new Rights('impersonate users bob', 'impersonate groups system:masters');
  const modes = new ConstrainedImpersonation();
  const { constraint, user } = await actAs(
    rights,
    { user: 'bob', group: 'system:masters' },
    JANE,
    modes,
  );
  t.same([constraint, user.groups], ['', ['system:masters', 'system:authenticated']]);
  rights.asked.length = 0;
  await actAs(rights, { user: 'bob' }, JANE, modes);
  t.same(rights.asked, ['impersonate users bob']);
  const lacks = async (who: ConstrainedImpersonation) =>
    (await refusal(actAs(rights, { user: 'carl' }, JANE, who))).message;
  t.match(
    await lacks(modes),
    /^users "carl" is forbidden: User "jane" cannot impersonate resource/,
  );
  t.match(
    await lacks(new ConstrainedImpersonation()),
    /^pods "p" is forbidden: User "jane" cannot impersonate-on:user-info:get resource "pods"/,
  );
});

t.test('whom nobody may be', async (t) => {
  const rights = new Rights(ON('user-info'), 'impersonate:user-info users bob');
  const why = async (headers: Parameters<typeof named>[0]) =>
    (await refusal(actAs(rights, { user: 'bob', ...headers }))).message ?? '';
  const rows: [Parameters<typeof named>[0], string][] = [
    [{ group: 'system:masters' }, 'impersonating the system:masters group is not allowed'],
    [{ group: ['a', ''] }, 'impersonating the empty string group is not allowed'],
    [
      { 'extra-scope': 'v' },
      'impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scope": ' +
        'must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [{ 'extra-a.b%2fc': '' }, 'impersonating the empty string value in extra is not allowed'],
    [
      { 'extra-a.b%2fC': 'd' },
      'impersonating a non-lowercase key in extra is not allowed: "a.b/C"',
    ],
  ];
  for (const [headers, expected] of rows) t.ok((await why(headers)).endsWith(expected), expected);
  t.equal(named({}), undefined);
  t.throws(() => named({ group: 'a', 'extra-k': 'v' }), {
    code: 400,
    status: {
      message:
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, ' +
        'Extra:map[string][]string{"k":[]string{"v"}}} without impersonating a user name',
    },
  });
});
