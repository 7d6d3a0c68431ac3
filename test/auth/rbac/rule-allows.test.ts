/** One rule of a role covers requests. */
import t from 'tap';
import type { PolicyRule } from '#messages/rbac.v1';
import type { AccessAttributes } from '../../../src/auth/authorizer.ts';
import { ruleAllows } from '../../../src/auth/rbac/rule-allows.ts';
import { access, pathAccess, person } from '../../support/rbac.ts';

const JANE = person('jane');
const PODS: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

function resource(text: string, name = ''): AccessAttributes {
  return access(JANE, text, { name });
}

const STARS = '*'.repeat(1_000_000);

function paths(verb: string, url: string): AccessAttributes {
  return pathAccess(JANE, verb, url);
}

t.test('what one rule covers', async (t) => {
  const rows: [string, PolicyRule, AccessAttributes, boolean][] = [
    ['the same', PODS, resource('get - pods'), true],
    ['another verb', PODS, resource('list - pods'), false],
    ['another group', PODS, resource('get apps pods'), false],
    ['another resource', PODS, resource('get - nodes'), false],
    ['a subresource of it', PODS, resource('get - pods/log'), false],
    ['a path', PODS, paths('get', '/pods'), false],
    ['a name, by a rule without names', PODS, resource('get - pods', 'a'), true],
    ['any verb', { ...PODS, verbs: ['*'] }, resource('drain - pods'), true],
    ['all verbs, by one', PODS, resource('* - pods'), false],
    ['all verbs, by any', { ...PODS, verbs: ['*'] }, resource('* - pods'), true],
    ['any group', { ...PODS, apiGroups: ['*'] }, resource('get apps pods'), true],
    ['any resource', { ...PODS, resources: ['*'] }, resource('get - pods/log'), true],
    ['the subresource', { ...PODS, resources: ['pods/log'] }, resource('get - pods/log'), true],
    ['not the object then', { ...PODS, resources: ['pods/log'] }, resource('get - pods'), false],
    ['it of any type', { ...PODS, resources: ['*/log'] }, resource('get - pods/log'), true],
    ['another one', { ...PODS, resources: ['*/log'] }, resource('get - pods/exec'), false],
    ['none', { ...PODS, resources: ['*/log'] }, resource('get - pods'), false],
    ['no star inside', { ...PODS, resources: ['po*'] }, resource('get - pods'), false],
    ['a name of it', { ...PODS, resourceNames: ['a', 'b'] }, resource('get - pods', 'b'), true],
    ['another name', { ...PODS, resourceNames: ['a'] }, resource('get - pods', 'b'), false],
    ['no name', { ...PODS, resourceNames: ['a'] }, resource('get - pods'), false],
    ['nothing', {}, resource('get - pods'), false],
    ['a path, exactly', urls('/healthz'), paths('get', '/healthz'), true],
    ['below it', urls('/healthz'), paths('get', '/healthz/etcd'), false],
    ['by prefix', urls('/healthz/*'), paths('get', '/healthz/etcd'), true],
    ['the prefix itself', urls('/healthz/*'), paths('get', '/healthz'), false],
    ['any path', urls('*'), paths('get', '/x'), true],
    ['another verb on a path', urls('*'), paths('post', '/x'), false],
    ['no resource by a path', urls('*'), resource('get - pods'), false],
    ['stars that end nothing', urls(`${STARS}a*`), paths('get', '/x'), false],
  ];
  for (const [what, rule, asked, expected] of rows) {
    t.equal(ruleAllows(rule, asked), expected, what);
  }
});

function urls(url: string): PolicyRule {
  return { verbs: ['get'], nonResourceURLs: [url] };
}
