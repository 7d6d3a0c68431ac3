/** Finds the schema of a request: the first one of which a rule matches. */
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '#messages/flowcontrol.v1beta2';
import type { User } from '../semantics/user.ts';
import type { Schema } from './flow-objects.ts';

/** A request, as far as it is told apart from others by what it asks for. */
export interface Asked {
  readonly user: User;
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A schema some of whose rules are about a user. */
interface Candidate {
  readonly schema: Schema;
  /** Any request for a resource, or for a path, matches. */
  readonly hasAllResources: boolean;
  readonly hasAllPaths: boolean;
  readonly rules: readonly PolicyRulesWithSubjects[];
}

const ANY = '*';
const ACCOUNT_PREFIX = 'system:serviceaccount:';

export class Classifier {
  readonly #schemas: readonly Schema[];
  readonly #fallback: Schema;
  /** Most requests are of users who have sent some before. */
  readonly #ofUsers = new WeakMap<User, readonly Candidate[]>();

  /** `schemas` in their order; `fallback` takes what none of them takes. */
  constructor(schemas: readonly Schema[], fallback: Schema) {
    this.#schemas = schemas;
    this.#fallback = fallback;
  }

  of(asked: Asked): Schema {
    for (const candidate of this.#candidatesOf(asked.user)) {
      if (isMatched(candidate, asked)) return candidate.schema;
    }
    return this.#fallback;
  }

  #candidatesOf(user: User): readonly Candidate[] {
    let candidates = this.#ofUsers.get(user);
    if (candidates === undefined) {
      candidates = this.#schemas.flatMap((schema) => candidateOf(schema, user) ?? []);
      this.#ofUsers.set(user, candidates);
    }
    return candidates;
  }
}

function candidateOf(schema: Schema, user: User): Candidate | undefined {
  const rules = schema.rules.filter(({ subjects = [] }) =>
    subjects.some((subject) => isSubject(subject, user)),
  );
  if (rules.length === 0) return undefined;
  return {
    schema,
    hasAllResources: rules.some(({ resourceRules = [] }) => resourceRules.some(isOfAllResources)),
    hasAllPaths: rules.some(({ nonResourceRules = [] }) => nonResourceRules.some(isOfAllPaths)),
    rules,
  };
}

function isMatched({ hasAllResources, hasAllPaths, rules }: Candidate, asked: Asked): boolean {
  if (asked.isResource) {
    return (
      hasAllResources ||
      rules.some(({ resourceRules = [] }) => resourceRules.some((rule) => isOf(rule, asked)))
    );
  }
  return (
    hasAllPaths ||
    rules.some(({ nonResourceRules = [] }) => nonResourceRules.some((rule) => isAt(rule, asked)))
  );
}

function isSubject({ kind, user, group, serviceAccount }: Subject, who: User): boolean {
  switch (kind) {
    case 'User':
      return user?.name === ANY || user?.name === who.name;
    case 'Group':
      return group?.name === ANY || who.groups.includes(group?.name ?? '');
    case 'ServiceAccount': {
      const { namespace = '', name = '' } = serviceAccount ?? {};
      const prefix = `${ACCOUNT_PREFIX}${namespace}:`;
      return name === ANY ? who.name.startsWith(prefix) : who.name === prefix + name;
    }
    default:
      return false;
  }
}

function isOfAllResources(rule: ResourcePolicyRule): boolean {
  const { verbs, apiGroups, resources, namespaces, clusterScope } = rule;
  const isOfAll = [verbs, apiGroups, resources, namespaces].every((list) => hasAny(list));
  return isOfAll && clusterScope === true;
}

function isOfAllPaths({ verbs, nonResourceURLs }: NonResourcePolicyRule): boolean {
  return hasAny(verbs) && hasAny(nonResourceURLs);
}

function isOf(rule: ResourcePolicyRule, asked: Asked): boolean {
  const { resource, subresource } = asked;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  if (!has(rule.verbs, asked.verb)) return false;
  if (!has(rule.resources, whole) || !has(rule.apiGroups, asked.group)) return false;
  if (asked.namespace === '') return rule.clusterScope === true;
  return has(rule.namespaces, asked.namespace);
}

function isAt({ verbs, nonResourceURLs = [] }: NonResourcePolicyRule, asked: Asked): boolean {
  return has(verbs, asked.verb) && nonResourceURLs.some((url) => isBelow(url, asked.path));
}

/** A path itself, or one below it, with or without the star at its end. */
function isBelow(url: string, path: string): boolean {
  if (url === ANY || url === path) return true;
  const prefix = url.endsWith(ANY) ? url.slice(0, -1) : url;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return hasAny(list) || (list?.includes(value) ?? false);
}

function hasAny(list: readonly string[] = []): boolean {
  return list.length === 1 && list[0] === ANY;
}
