/**
 * Roles and bindings that come, change and go at random: a decision is what somebody says who
 * reads all objects one by one.
 */
import t from 'tap';
import type { PolicyRule, Subject } from '#messages/rbac.v1';
import type { AccessAttributes } from '../../../src/auth/authorizer.ts';
import { Random, seedFrom } from '../../support/random.ts';
import { access, pathAccess, person, rbacOf } from '../../support/rbac.ts';
import type { TestBinding, TestRole } from '../../support/rbac.ts';

const NAMESPACES = ['a', 'b', 'c'] as const;
const GROUPS = ['', 'apps', '*'] as const;
const VERBS = ['get', 'list', 'create', '*'] as const;
const RESOURCES = ['pods', 'pods/log', '*/log', 'nodes', 'nodes/status', '*/status', '*'] as const;
const ASKED = ['pods', 'pods/log', 'nodes', 'nodes/status', 'nodes/log', 'secrets'] as const;
const URLS = ['*', '/a', '/a/*', '/a*', '/b/c'] as const;
const PATHS = ['/a', '/a/b', '/ab', '/b/c', '/'] as const;
const USERS = ['u', 'v', 'system:serviceaccount:a:x', 'system:serviceaccount:b:x'] as const;
const PEOPLE_GROUPS = ['g', 'h'] as const;

type Objects = Map<string, { type: string; object: TestRole & TestBinding }>;

function ruleOf(random: Random): PolicyRule {
  const verbs = [random.pick(VERBS), random.pick(VERBS)];
  if (random.below(4) === 0) return { verbs, nonResourceURLs: [random.pick(URLS)] };
  const names = random.below(3) === 0 ? { resourceNames: ['n', ''].slice(random.below(2)) } : {};
  const resources = [random.pick(RESOURCES), random.pick(RESOURCES)];
  return { verbs, apiGroups: [random.pick(GROUPS)], resources, ...names };
}

function subjectOf(random: Random): Subject {
  const kind = random.pick(['User', 'Group', 'ServiceAccount'] as const);
  if (kind === 'User') return { kind, name: random.pick(USERS) };
  if (kind === 'Group') return { kind, name: random.pick(PEOPLE_GROUPS) };
  return { kind, name: 'x', ...(random.below(2) === 0 && { namespace: random.pick(NAMESPACES) }) };
}

function several<T>(random: Random, one: (random: Random) => T): T[] {
  return Array.from({ length: random.below(4) }, () => one(random));
}

function askedOf(random: Random): AccessAttributes {
  const user = person(random.pick(USERS), ...PEOPLE_GROUPS.filter(() => random.below(2) === 0));
  const verb = random.pick(VERBS);
  if (random.below(4) === 0) return pathAccess(user, verb, random.pick(PATHS));
  const group = random.pick(['-', 'apps', 'x'] as const);
  return access(user, `${verb} ${group} ${random.pick(ASKED)}`, {
    name: random.pick(['', 'n', 'm'] as const),
    namespace: random.pick(['', ...NAMESPACES]),
  });
}

/** As the facts say it, without any index. */
function isAllowed(objects: Objects, asked: AccessAttributes): boolean {
  const all = [...objects.values()];
  const applies = (subject: Subject, home: string): boolean => {
    if (subject.kind === 'User') return subject.name === asked.user.name;
    if (subject.kind === 'Group') return asked.user.groups.includes(subject.name ?? '');
    const namespace = subject.namespace ?? home;
    return asked.user.name === `system:serviceaccount:${namespace}:${subject.name}` && !!namespace;
  };
  return all.some(({ type, object: { namespace = '', subjects = [], roleRef } }) => {
    if (!type.endsWith('bindings')) return false;
    if (type === 'rolebindings' && namespace !== asked.namespace) return false;
    if (!subjects.some((subject) => applies(subject, namespace))) return false;
    const isRole = roleRef.kind === 'Role';
    const role = all.find(
      (one) =>
        one.type === (isRole ? 'roles' : 'clusterroles') &&
        one.object.name === roleRef.name &&
        (!isRole || one.object.namespace === namespace),
    );
    return (role?.object.rules ?? []).some((rule) => covers(rule, asked));
  });
}

function covers(rule: PolicyRule, asked: AccessAttributes): boolean {
  const has = (list: readonly string[] = [], value: string): boolean =>
    list.includes('*') || list.includes(value);
  if (!has(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith('*') ? asked.path.startsWith(url.slice(0, -1)) : url === asked.path,
    );
  }
  const { resource, subresource, group, name } = asked;
  const isWhole = subresource === '';
  const names = isWhole ? [resource] : [`${resource}/${subresource}`, `*/${subresource}`];
  const named = rule.resourceNames ?? [];
  return (
    has(rule.apiGroups, group) &&
    names.some((one) => has(rule.resources, one)) &&
    (named.length === 0 || named.includes(name))
  );
}

t.test('decisions are those of all objects together', async (t) => {
  const seed = seedFrom('RBAC_SEED');
  const random = new Random(seed);
  const { rbac, fed } = rbacOf({});
  const objects: Objects = new Map();
  let allowed = 0;
  for (let step = 0; step < 4_000; step++) {
    const isCluster = random.below(2) === 0;
    const isBinding = random.below(2) === 0;
    const name = random.pick(['k', 'l', 'm'] as const);
    const namespace = isCluster ? '' : random.pick(NAMESPACES);
    const type = `${isCluster ? 'cluster' : ''}${isBinding ? 'rolebindings' : 'roles'}`;
    const key = `${type} ${namespace} ${name}`;
    if (random.below(3) === 0) {
      objects.delete(key);
      fed.remove(type, namespace, name);
    } else {
      const kind = isCluster || random.below(2) === 0 ? 'ClusterRole' : 'Role';
      const roleRef = { kind, name: random.pick(['k', 'l', 'm'] as const) };
      const [subjects, rules] = [several(random, subjectOf), several(random, ruleOf)];
      const object = { name, ...(!isCluster && { namespace }), subjects, rules, roleRef };
      objects.set(key, { type, object });
      fed.put(type, object);
    }
    const asked = askedOf(random);
    const expected = isAllowed(objects, asked);
    const { verdict } = await rbac.authorize(asked);
    if (expected) allowed++;
    if ((verdict === 'allow') !== expected) {
      t.fail(`RBAC_SEED=${seed}, step ${step}: ${verdict}`, { asked, objects: [...objects] });
      return;
    }
  }
  t.ok(allowed > 150 && allowed < 2_000, `${allowed} of them were allowed`);
});
