/** Several ways of deciding, in the order of the option. */
import t from 'tap';
import type { AuthorizationMode } from '../../src/auth/authorizers.ts';
import { Authorization } from '../../src/auth/authorization.ts';
import { AuthorizerUnion } from '../../src/auth/authorizer-union.ts';
import type { Authorizer, Decision } from '../../src/auth/authorizer.ts';
import { NO_RULES } from '../../src/auth/fixed-authorizers.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { access, HandFed, person } from '../support/rbac.ts';

const JANE = person('jane');
const ROOT = person('root', 'system:masters');
const GET = access(JANE, 'get - pods');
const ALL = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

function saying(decision: Decision | Promise<Decision>): Authorizer {
  return { authorize: () => decision, rulesFor: () => NO_RULES };
}

function later(decision: Decision): Authorizer {
  return saying(Promise.resolve(decision));
}

function union(authorizers: readonly Authorizer[]): AuthorizerUnion {
  return new AuthorizerUnion(authorizers.map((authorizer) => ({ name: 'one', authorizer })));
}

t.test('the first that allows or denies decides', async (t) => {
  const yes: Decision = { verdict: 'allow', reason: 'yes' };
  const no: Decision = { verdict: 'deny', reason: 'no' };
  const hm: Decision = { verdict: 'noOpinion', reason: 'hm' };
  const oh: Decision = { verdict: 'noOpinion', reason: '', error: 'oh' };
  const rows: [string, Authorizer[], Decision][] = [
    ['nobody', [], { verdict: 'noOpinion', reason: '' }],
    ['one', [saying(yes)], yes],
    ['the second', [saying(hm), saying(yes), saying(no)], yes],
    ['a denial', [saying(oh), saying(no), saying(yes)], no],
    ['one that takes its time', [saying(hm), later(no), saying(yes)], no],
    ['none, and all reasons', [later(hm), saying(hm)], { verdict: 'noOpinion', reason: 'hm\nhm' }],
    ['none, and errors', [saying(oh), later(oh), saying(hm)], { ...hm, error: 'oh' }],
  ];
  for (const [what, authorizers, expected] of rows) {
    t.same(await union(authorizers).authorize(GET), expected, what);
  }
});

t.test('modes, and who is privileged', async (t) => {
  const of = async (...modes: AuthorizationMode[]): Promise<Authorizer> => {
    const chain = modes.map((mode) => ({ mode, name: mode, settings: DEFAULT_GATES }));
    const authorization = await Authorization.load({ chain, file: '' });
    return authorization.authorizer({ follow: new HandFed().follow });
  };
  const rows: [AuthorizationMode[], object][] = [
    [['AlwaysAllow'], { verdict: 'allow' }],
    [['AlwaysDeny'], { verdict: 'noOpinion', reason: 'Everything is forbidden.' }],
    [['AlwaysDeny', 'AlwaysAllow'], { verdict: 'allow' }],
    [['Node', 'RBAC'], { verdict: 'noOpinion', reason: '' }],
  ];
  for (const [modes, expected] of rows) {
    t.match(await (await of(...modes)).authorize(GET), expected, modes.join());
    t.match(await (await of(...modes)).authorize({ ...GET, user: ROOT }), {
      verdict: 'allow',
      reason: '',
    });
    t.match((await (await of(...modes)).rulesFor(ROOT, 'ns')).resourceRules, [ALL], 'told once');
  }
  t.same(await (await of('AlwaysDeny')).rulesFor(JANE, 'ns'), NO_RULES);
  t.match(
    await (await of('Node', 'AlwaysAllow')).rulesFor(person('system:node:n', 'system:nodes'), ''),
    {
      resourceRules: [ALL],
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    },
  );
});
