/** Which requests the audit log tells of, and how much (README.md#policy). */
import { trimEndOf } from '../base/text/trim-end.ts';

/** From nothing to everything. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** The stages of a request, in order; one that breaks down ends with a panic. */
export const AUDIT_STAGES = [
  'RequestReceived',
  'ResponseStarted',
  'ResponseComplete',
  'Panic',
] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

interface GroupResources {
  /** '' or absent for the core group. */
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A rule holds for requests that agree with all members that it has. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  /** '' is what has no namespace. */
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** As its file says it. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** The attributes that rules look at. */
export interface AuditedAttributes {
  readonly verb: string;
  readonly isResource: boolean;
  readonly namespace: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly path: string;
}

/** The extent to which a request is told of. */
export interface AuditExtent {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

export class AuditRules {
  readonly #rules: readonly (readonly [rule: AuditRule, extent: AuditExtent])[];
  readonly #otherwise: AuditExtent;

  constructor({ rules, omitStages = [], omitManagedFields = false }: AuditPolicy) {
    this.#rules = rules.map((rule) => [
      rule,
      {
        level: rule.level,
        omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
        omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
      },
    ]);
    this.#otherwise = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  }

  /** The extent of the first rule that holds for a request; nothing is told where none does. */
  extentOf(attributes: AuditedAttributes, user: User): AuditExtent {
    for (const [rule, extent] of this.#rules) if (holds(rule, attributes, user)) return extent;
    return this.#otherwise;
  }
}

function holds(rule: AuditRule, asked: AuditedAttributes, user: User): boolean {
  const { users = [], userGroups = [], verbs = [] } = rule;
  if (users.length > 0 && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && !user.groups.some((group) => userGroups.includes(group))) {
    return false;
  }
  if (verbs.length > 0 && !verbs.includes(asked.verb)) return false;
  const { namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  if (namespaces.length > 0 || resources.length > 0) {
    if (!asked.isResource) return false;
    if (namespaces.length > 0 && !namespaces.includes(asked.namespace)) return false;
    return resources.length === 0 || resources.some((one) => names(one, asked));
  }
  if (nonResourceURLs.length === 0) return true;
  return !asked.isResource && nonResourceURLs.some((url) => leadsTo(url, asked.path));
}

function names(
  { group = '', resources = [], resourceNames = [] }: GroupResources,
  asked: AuditedAttributes,
): boolean {
  if (group !== asked.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(asked.name)) return false;
  const { resource, subresource } = asked;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const choices = [
    '*',
    whole,
    `${resource}/*`,
    ...(subresource === '' ? [] : [`*/${subresource}`]),
  ];
  return resources.some((one) => choices.includes(one));
}

/** `*` at the end stands for anything. */
function leadsTo(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(trimEndOf(url, '*')));
}
