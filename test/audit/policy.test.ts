import t from 'tap';
import { AuditRules } from '../../src/audit/policy.ts';
import type { AuditedAttributes, AuditRule } from '../../src/audit/policy.ts';

const JANE = { name: 'jane', groups: ['dev', 'system:authenticated'] };

function asked(members: Partial<AuditedAttributes>): AuditedAttributes {
  return {
    verb: 'get',
    isResource: true,
    namespace: 'shop',
    group: '',
    resource: 'pods',
    subresource: '',
    name: 'web',
    path: '',
    ...members,
  };
}

const page = (path: string): AuditedAttributes =>
  asked({ isResource: false, namespace: '', resource: '', name: '', path });

type Row = readonly [what: string, rule: Omit<AuditRule, 'level'>, AuditedAttributes, boolean];

const ROWS: readonly Row[] = [
  ['a rule without members', {}, asked({}), true],
  ['a rule without members, of a path', {}, page('/version'), true],
  ['its user', { users: ['joe', 'jane'] }, asked({}), true],
  ['another user', { users: ['joe'] }, asked({}), false],
  ['one of the groups', { userGroups: ['ops', 'dev'] }, asked({}), true],
  ['no group', { userGroups: ['ops'] }, asked({}), false],
  ['the verb', { verbs: ['get'] }, asked({}), true],
  ['another verb', { verbs: ['list'] }, asked({}), false],
  ['the namespace', { namespaces: ['shop'] }, asked({}), true],
  ['another namespace', { namespaces: ['kube-system'] }, asked({}), false],
  ['no namespace', { namespaces: [''] }, asked({ namespace: '' }), true],
  ['a namespace, and a path', { namespaces: [''] }, page('/version'), false],
  ['the group', { resources: [{ group: '' }] }, asked({}), true],
  ['another group', { resources: [{ group: 'apps' }] }, asked({}), false],
  ['the resource', { resources: [{ resources: ['pods'] }] }, asked({}), true],
  [
    'the resource, for a subresource',
    { resources: [{ resources: ['pods'] }] },
    asked({ subresource: 'log' }),
    false,
  ],
  [
    'the subresource',
    { resources: [{ resources: ['pods/log'] }] },
    asked({ subresource: 'log' }),
    true,
  ],
  [
    'all subresources',
    { resources: [{ resources: ['pods/*'] }] },
    asked({ subresource: 'log' }),
    true,
  ],
  ['all subresources, and none', { resources: [{ resources: ['pods/*'] }] }, asked({}), true],
  [
    'a subresource of all',
    { resources: [{ resources: ['*/log'] }] },
    asked({ subresource: 'log' }),
    true,
  ],
  [
    'everything of the group',
    { resources: [{ resources: ['*'] }] },
    asked({ subresource: 'log' }),
    true,
  ],
  ['the name', { resources: [{ resources: ['pods'], resourceNames: ['web'] }] }, asked({}), true],
  ['another name', { resources: [{ resources: ['*'], resourceNames: ['db'] }] }, asked({}), false],
  ['the path', { nonResourceURLs: ['/version'] }, page('/version'), true],
  ['the start of the path', { nonResourceURLs: ['/healthz*'] }, page('/healthz/log'), true],
  ['any path', { nonResourceURLs: ['*'] }, page('/x'), true],
  ['another path', { nonResourceURLs: ['/version'] }, page('/version/'), false],
  ['a path, and a resource', { nonResourceURLs: ['*'] }, asked({}), false],
];

for (const [what, rule, attributes, isTold] of ROWS) {
  t.test(`a rule and a request: ${what}`, async (t) => {
    const rules = new AuditRules({ rules: [{ level: 'Metadata', ...rule }] });
    t.equal(rules.extentOf(attributes, JANE).level, isTold ? 'Metadata' : 'None');
  });
}

t.test('the first rule that holds counts, with what the policy omits besides', async (t) => {
  const rules = new AuditRules({
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      { level: 'None', users: ['joe'] },
      { level: 'Request', omitStages: ['Panic'], omitManagedFields: false },
      { level: 'RequestResponse' },
    ],
  });
  const extent = rules.extentOf(asked({}), JANE);
  t.equal(extent.level, 'Request');
  t.same([...extent.omitStages], ['RequestReceived', 'Panic']);
  t.equal(extent.omitManagedFields, false);
  t.equal(rules.extentOf(asked({}), { name: 'joe', groups: [] }).level, 'None');
  t.equal(rules.extentOf(asked({}), { name: 'joe', groups: [] }).omitManagedFields, true);
});
