/** The tree of templates of a Workload (README.md#rules). */
import type {
  CompositePodGroupTemplate,
  PodGroupTemplate,
  WorkloadSpec,
} from '#messages/scheduling.v1alpha3';
import type { FeatureGates } from '../../release/feature-gates.ts';
import {
  duplicate,
  invalid,
  invalidPrinted,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dropDisabledMember } from '../disabled-members.ts';

const LEVELS_MAX = 4;
const GROUPS = 'podGroupTemplates';
const COMPOSITES = 'compositePodGroupTemplates';

type Templates = Pick<WorkloadSpec, typeof GROUPS | typeof COMPOSITES>;

/** Templates of pods are told by their place, those of groups by their names. */
export function dropDisabledOfTemplates(
  holder: Templates,
  gates: FeatureGates,
  stored: Templates = {},
): void {
  holder.podGroupTemplates?.forEach((template, index) => {
    const before = stored.podGroupTemplates?.[index];
    const drop = (
      gate: Parameters<typeof dropDisabledMember>[1],
      member: keyof PodGroupTemplate,
    ): void => {
      dropDisabledMember(gates, gate, template, before, member);
    };
    drop('TopologyAwareWorkloadScheduling', 'schedulingConstraints');
    drop('DRAWorkloadResourceClaims', 'resourceClaims');
    drop('PodGroupPreemptionPolicy', 'preemptionPolicy');
  });
  dropDisabledMember(gates, 'CompositePodGroup', holder, stored, COMPOSITES);
  for (const template of holder.compositePodGroupTemplates ?? []) {
    const before = stored.compositePodGroupTemplates?.find(({ name }) => name === template.name);
    dropDisabledMember(gates, 'PodGroupPreemptionPolicy', template, before, 'preemptionPolicy');
    dropDisabledOfTemplates(template, gates, before);
  }
}

/** The errors that are not declared: names, levels, priorities, and templates without others. */
export function templateErrors(spec: WorkloadSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { podGroupTemplates = [], compositePodGroupTemplates = [] } = spec;
  // Declared rules tell of repetitions in one list.
  const names = new Set(podGroupTemplates.map(nameOf));
  checkCompositeNames(compositePodGroupTemplates, field, names, errors);
  compositePodGroupTemplates.forEach((template, index) => {
    if (levelsOf(template) < LEVELS_MAX) return;
    const printed = compositesText(template.compositePodGroupTemplates);
    const detail = `maximum template hierarchy depth is ${LEVELS_MAX}`;
    errors.push(invalidPrinted(`${field}.${COMPOSITES}[${index}]`, printed, detail));
  });
  checkPriorities(spec, field, errors);
  checkChildren(compositePodGroupTemplates, field, errors);
  return errors;
}

function nameOf({ name = '' }: { readonly name?: string }): string {
  return name;
}

function checkNames(
  templates: readonly { readonly name?: string }[],
  field: string,
  names: Set<string>,
  errors: FieldError[],
): void {
  templates.forEach((template, index) => {
    const name = nameOf(template);
    if (names.has(name)) errors.push(duplicate(`${field}[${index}].name`, name));
  });
  for (const template of templates) names.add(nameOf(template));
}

function checkCompositeNames(
  templates: readonly CompositePodGroupTemplate[],
  field: string,
  names: Set<string>,
  errors: FieldError[],
): void {
  checkNames(templates, `${field}.${COMPOSITES}`, names, errors);
  templates.forEach(({ podGroupTemplates = [], compositePodGroupTemplates = [] }, index) => {
    const at = `${field}.${COMPOSITES}[${index}]`;
    checkNames(podGroupTemplates, `${at}.${GROUPS}`, names, errors);
    checkCompositeNames(compositePodGroupTemplates, at, names, errors);
  });
}

function levelsOf({ compositePodGroupTemplates = [] }: CompositePodGroupTemplate): number {
  return 1 + Math.max(0, ...compositePodGroupTemplates.map(levelsOf));
}

/** All templates have the same class and priority. */
function checkPriorities(spec: WorkloadSpec, field: string, errors: FieldError[]): void {
  const { podGroupTemplates = [], compositePodGroupTemplates = [] } = spec;
  const own = podGroupTemplates.map(priorityOf);
  const all = [...own, ...compositePodGroupTemplates.flatMap(prioritiesOf)];
  if (new Set(own).size > 1) {
    errors.push(invalid(field, null, 'detected multiple priority configurations'));
  } else if (new Set(all).size > 1) {
    const detail =
      'all priority and priorityClassName values must be identical, detected multiple values';
    errors.push(invalid(field, null, detail));
  }
}

function priorityOf({
  priorityClassName = '',
  priority,
}: PodGroupTemplate | CompositePodGroupTemplate): string {
  return `${priorityClassName} ${priority ?? ''}`;
}

function prioritiesOf(template: CompositePodGroupTemplate): readonly string[] {
  const { podGroupTemplates = [], compositePodGroupTemplates = [] } = template;
  return [
    priorityOf(template),
    ...compositePodGroupTemplates.flatMap(prioritiesOf),
    ...podGroupTemplates.map(priorityOf),
  ];
}

function checkChildren(
  templates: readonly CompositePodGroupTemplate[],
  field: string,
  errors: FieldError[],
): void {
  templates.forEach(({ name = '', podGroupTemplates = [], ...template }, index) => {
    const { compositePodGroupTemplates = [] } = template;
    const at = `${field}.${COMPOSITES}[${index}]`;
    if (podGroupTemplates.length + compositePodGroupTemplates.length === 0) {
      const detail = 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate';
      errors.push(invalid(at, name, detail));
    }
    checkChildren(compositePodGroupTemplates, at, errors);
  });
}

/** Templates as the reference keeps and so prints them. */
function compositesText(templates: readonly CompositePodGroupTemplate[] = []): string {
  return JSON.stringify(compositesShown(templates));
}

function compositesShown(templates: readonly CompositePodGroupTemplate[] = []): unknown {
  if (templates.length === 0) return null;
  return templates.map((template) => ({
    Name: nameOf(template),
    SchedulingPolicy: {
      Basic: template.schedulingPolicy?.basic ?? null,
      Gang: gangShown('MinGroupCount', template.schedulingPolicy?.gang?.minGroupCount),
    },
    SchedulingConstraints: constraintsShown(template),
    ...modeAndPriorityShown(template),
    PodGroupTemplates: groupsShown(template.podGroupTemplates),
    CompositePodGroupTemplates: compositesShown(template.compositePodGroupTemplates),
  }));
}

function groupsShown(templates: readonly PodGroupTemplate[] = []): unknown {
  if (templates.length === 0) return null;
  return templates.map((template) => {
    const { resourceClaims = [] } = template;
    const claims = resourceClaims.map((claim) => ({
      Name: nameOf(claim),
      ResourceClaimName: claim.resourceClaimName ?? null,
      ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null,
    }));
    return {
      Name: nameOf(template),
      SchedulingPolicy: {
        Basic: template.schedulingPolicy?.basic ?? null,
        Gang: gangShown('MinCount', template.schedulingPolicy?.gang?.minCount),
      },
      SchedulingConstraints: constraintsShown(template),
      ResourceClaims: claims.length === 0 ? null : claims,
      ...modeAndPriorityShown(template),
    };
  });
}

function gangShown(member: string, count: number | undefined): unknown {
  return count === undefined ? null : { [member]: count };
}

function constraintsShown({
  schedulingConstraints,
}: PodGroupTemplate | CompositePodGroupTemplate): unknown {
  if (schedulingConstraints === undefined) return null;
  const { topology = [] } = schedulingConstraints;
  return {
    Topology: topology.length === 0 ? null : topology.map(({ key = '' }) => ({ Key: key })),
  };
}

function modeAndPriorityShown({
  disruptionMode: mode,
  priorityClassName = '',
  priority,
  preemptionPolicy,
}: PodGroupTemplate | CompositePodGroupTemplate): object {
  return {
    DisruptionMode: mode ? { Single: mode.single ?? null, All: mode.all ?? null } : null,
    PriorityClassName: priorityClassName,
    Priority: priority ?? null,
    PreemptionPolicy: preemptionPolicy ?? null,
  };
}
