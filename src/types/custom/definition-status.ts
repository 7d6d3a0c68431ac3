/**
 * The status of a definition: which of its names are accepted, whether it is served, and whether it
 * may be. Pure: the caller writes the result, one definition after the other, so that the first
 * keeps a name that two ask for.
 */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from '#messages/apiextensions.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { apiApproval, isProtectedGroup } from '../../resources/apiextensions/api-approval.ts';
import {
  isConditionTrue,
  saysCondition,
  withCondition,
  type NewCondition,
} from '../../resources/apiextensions/definition-conditions.ts';

/** Names of a group that are not to be had. */
export interface TakenNames {
  /** Plural, singular and short ones. */
  readonly resources: readonly string[];
  /** The kinds of objects and of lists. */
  readonly kinds: readonly string[];
}

export interface DefinitionSurroundings {
  /** The accepted names of the other definitions of the group. */
  readonly others: readonly CustomResourceDefinitionNames[];
  /** The names of the built-in types of the group, where it has some. */
  readonly builtIn?: TakenNames;
  /**
   * The problems of schemas that are not structural, as one message; absent or '' for none. New
   * definitions with such schemas are refused.
   */
  readonly violations?: string;
}

/**
 * The status that a definition should have; undefined when it has it already. `now` is a time of
 * metadata.
 */
export function definitionStatus(
  definition: CustomResourceDefinition,
  surroundings: DefinitionSurroundings,
  now: string,
): CustomResourceDefinitionStatus | undefined {
  const { metadata, spec = {}, status = {} } = definition;
  let next = namesChecked(status, spec.names ?? {}, surroundings, now);
  next = established(next, now);
  if (isProtectedGroup(spec.group ?? '')) {
    next = withNews(next, approvalCondition(metadata.annotations), now);
  }
  next = structureChecked(next, surroundings.violations ?? '', now);
  return next === status ? undefined : next;
}

function withNews(
  status: CustomResourceDefinitionStatus,
  news: NewCondition,
  now: string,
): CustomResourceDefinitionStatus {
  if (saysCondition(status.conditions, news)) return status;
  return { ...status, conditions: withCondition(status.conditions ?? [], news, now) };
}

const APPROVALS = {
  missing: ['False', 'MissingAnnotation'],
  approved: ['True', 'ApprovedAnnotation'],
  bypassed: ['False', 'UnapprovedAnnotation'],
  invalid: ['False', 'InvalidAnnotation'],
} as const;

function approvalCondition(annotations: Readonly<Record<string, string>> = {}): NewCondition {
  const { state, message } = apiApproval(annotations);
  const [status, reason] = APPROVALS[state];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
}

function structureChecked(
  status: CustomResourceDefinitionStatus,
  violations: string,
  now: string,
): CustomResourceDefinitionStatus {
  const type = 'NonStructuralSchema';
  if (violations !== '') {
    const news = { type, status: 'True', reason: 'Violations', message: violations } as const;
    return withNews(status, news, now);
  }
  const { conditions = [] } = status;
  const others = conditions.filter((condition) => condition.type !== type);
  return others.length === conditions.length ? status : { ...status, conditions: others };
}

function namesChecked(
  status: CustomResourceDefinitionStatus,
  asked: CustomResourceDefinitionNames,
  { others, builtIn }: DefinitionSurroundings,
  now: string,
): CustomResourceDefinitionStatus {
  const { acceptedNames: had = {}, conditions = [] } = status;
  if (haveSameNames(asked, had)) return status;
  // Own names are taken too: one of them may not serve in two places.
  const owners = [...others, had];
  const taken: Taken = {
    resources: new Set([
      ...(builtIn?.resources ?? []),
      ...owners.flatMap(({ plural = '', singular = '', shortNames = [] }) => [
        plural,
        singular,
        ...shortNames,
      ]),
    ]),
    kinds: new Set([
      ...(builtIn?.kinds ?? []),
      ...owners.flatMap(({ kind = '', listKind = '' }) => [kind, listKind]),
    ]),
  };
  const { names, conflict } = acceptNames(asked, had, taken);
  const accepted: NewCondition = {
    type: 'NamesAccepted',
    status: conflict === undefined ? 'True' : 'False',
    reason: conflict?.reason ?? 'NoConflicts',
    message: conflict?.message ?? 'no conflicts found',
  };
  if (haveSameNames(names, had) && saysCondition(conditions, accepted)) return status;
  const next = withCondition(conditions, accepted, now);
  const isOld = conditions.some(({ type }) => type === 'Established');
  return {
    ...status,
    acceptedNames: names,
    conditions: isOld ? next : withCondition(next, NOT_ESTABLISHED, now),
  };
}

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

const NOT_ESTABLISHED: NewCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

const SINGLE_NAMES = [
  ['plural', 'resources', 'PluralConflict'],
  ['singular', 'resources', 'SingularConflict'],
  ['shortNames', 'resources', 'ShortNamesConflict'],
  ['kind', 'kinds', 'KindConflict'],
  ['listKind', 'kinds', 'ListKindConflict'],
] as const;

/** Each name is accepted or stays what it was. The last one of several conflicts is told. */
function acceptNames(
  asked: CustomResourceDefinitionNames,
  had: CustomResourceDefinitionNames,
  taken: Taken,
): { names: CustomResourceDefinitionNames; conflict: Conflict | undefined } {
  const names = { ...had };
  let conflict: Conflict | undefined;
  for (const [member, of, reason] of SINGLE_NAMES) {
    const before = listOf(had[member]);
    const clashes = listOf(asked[member])
      .filter((name) => !before.includes(name) && taken[of].has(name))
      .map((name) => `${quoteText(name)} is already in use`);
    if (clashes.length === 0) setName(names, member, asked[member]);
    else {
      const [first = ''] = clashes;
      const message = clashes.length === 1 ? first : `[${[...new Set(clashes)].join(', ')}]`;
      conflict = { reason, message };
    }
  }
  setName(names, 'categories', asked.categories);
  return { names, conflict };
}

function listOf(name: string | readonly string[] = []): readonly string[] {
  return typeof name === 'string' ? [name] : name;
}

function setName<M extends keyof CustomResourceDefinitionNames>(
  names: CustomResourceDefinitionNames,
  member: M,
  value: CustomResourceDefinitionNames[M],
): void {
  if (value === undefined) delete names[member];
  else names[member] = value;
}

/** An empty list, or text, is none. */
function haveSameNames(
  one: CustomResourceDefinitionNames,
  other: CustomResourceDefinitionNames,
): boolean {
  const told = (names: CustomResourceDefinitionNames): unknown =>
    [...SINGLE_NAMES.map(([member]) => names[member]), names.categories]
      .map(listOf)
      .map((list) => list.filter((name) => name !== ''));
  return deepEqual(told(one), told(other));
}

/** Once the names are accepted it is served, and stays so whatever becomes of them. */
function established(
  status: CustomResourceDefinitionStatus,
  now: string,
): CustomResourceDefinitionStatus {
  const { conditions = [] } = status;
  if (!isConditionTrue(conditions, 'NamesAccepted')) return status;
  if (isConditionTrue(conditions, 'Established')) return status;
  const condition = {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  } as const;
  return { ...status, conditions: withCondition(conditions, condition, now) };
}
