/** Checks declared rules of groups of pods and their templates (README.md#rules). */
import {
  among,
  forbiddenWithout,
  immutable,
  items,
  keyedItems,
  maximum,
  maxItems,
  message,
  minimum,
  notCleared,
  notSet,
  oneOf,
  optional,
  optionalValue,
  present,
  requiredValue,
  rules,
  sameItems,
  textForm,
  withGate,
  withMembers,
  type DeclaredRule,
  type Members,
} from '../../semantics/validation/declared-rules.ts';
import {
  dnsLabel,
  dnsSubdomain,
  pathSegment,
  qualifiedName,
} from '../../semantics/metadata/names.ts';

const TEMPLATES_MAX = 8;
const CLAIMS_MAX = 4;
const PRIORITY_MAX = 1_000_000_000;
const COUNT_MIN = 1;

const REQUIRED_LABEL = rules([requiredValue], textForm(dnsLabel));
const REQUIRED_NAME = rules([requiredValue], textForm(dnsSubdomain));
const REQUIRED_SEGMENT = rules([requiredValue], textForm(pathSegment));
export const OPTIONAL_NAME = rules([optional], textForm(dnsSubdomain));

const COUNT = rules([requiredValue], minimum(COUNT_MIN));
const FIXED_CHOICE = rules([immutable, optional]);

function chosen(gang: DeclaredRule): DeclaredRule {
  return rules([optional, notSet, notCleared], gang);
}

/** One by one or together: which of them cannot change. */
export const POLICY = message(
  { basic: FIXED_CHOICE, gang: chosen(message({ minCount: COUNT })) },
  oneOf('basic', 'gang'),
);

export const COMPOSITE_POLICY = message(
  { basic: FIXED_CHOICE, gang: chosen(message({ minGroupCount: COUNT })) },
  oneOf('basic', 'gang'),
);

export const CONSTRAINTS = message({
  topology: rules(
    [maxItems(1), optional],
    items(message({ key: rules([requiredValue], textForm(qualifiedName)) })),
  ),
});

/** Templates tell nothing where nobody does; groups have a default. */
const MODE = oneOf('single', 'all');
const TEMPLATE_MODE = rules([immutable, optional], MODE);
export const GROUP_MODE = rules([immutable, present], MODE);

const NAMED = withMembers({ name: '' });

/** The claims that pods of a group share. */
export const CLAIMS = rules(
  [maxItems(CLAIMS_MAX), optional],
  keyedItems(
    'name',
    message(
      {
        name: REQUIRED_LABEL,
        resourceClaimName: OPTIONAL_NAME,
        resourceClaimTemplateName: OPTIONAL_NAME,
      },
      oneOf('resourceClaimName', 'resourceClaimTemplateName'),
    ),
    NAMED,
  ),
);
export const FIXED_CLAIMS = rules([immutable], CLAIMS);

/** The claims that were made for a group. */
export const CLAIM_STATUSES = rules(
  [maxItems(CLAIMS_MAX), optional],
  keyedItems('name', message({ resourceClaimName: OPTIONAL_NAME }), NAMED),
);

export const CLASS_NAME = rules([immutable, optionalValue], textForm(dnsSubdomain));
export const PRIORITY = rules([immutable, optional], maximum(PRIORITY_MAX));
export const PREEMPTION = rules(
  [forbiddenWithout('PodGroupPreemptionPolicy'), immutable, optional],
  among('PreemptLowerPriority', 'Never'),
);

/** The controller of a workload. */
export const CONTROLLER = rules(
  [immutable, optional],
  message({
    apiGroup: rules([optionalValue], textForm(dnsSubdomain)),
    kind: REQUIRED_SEGMENT,
    name: REQUIRED_SEGMENT,
  }),
);

export const WORKLOAD_REFERENCE = message({
  workloadName: REQUIRED_NAME,
  templateName: REQUIRED_LABEL,
});

const TOPOLOGY_GATE = 'TopologyAwareWorkloadScheduling';

/** Where the pods of a group may be, in a template and in a group. */
export const TEMPLATE_CONSTRAINTS = rules(
  [forbiddenWithout(TOPOLOGY_GATE), immutable, optional],
  CONSTRAINTS,
);
export const GROUP_CONSTRAINTS = rules(
  [forbiddenWithout(TOPOLOGY_GATE), optional, withGate(TOPOLOGY_GATE, immutable)],
  CONSTRAINTS,
);

const TEMPLATE_MEMBERS: Readonly<Record<string, DeclaredRule>> = {
  name: REQUIRED_LABEL,
  schedulingPolicy: POLICY,
  schedulingConstraints: TEMPLATE_CONSTRAINTS,
  resourceClaims: FIXED_CLAIMS,
  disruptionMode: TEMPLATE_MODE,
  priorityClassName: CLASS_NAME,
  priority: PRIORITY,
  preemptionPolicy: PREEMPTION,
};

function templates(template: DeclaredRule, shown?: (item: Members) => object): DeclaredRule {
  const first = [maxItems(TEMPLATES_MAX), optional, sameItems('name')];
  return rules(first, keyedItems('name', template, shown));
}

/** A template as the reference writes it: one member is always there. */
export function templateShown(item: Members): object {
  const members = Object.keys(TEMPLATE_MEMBERS).map((name) => [name, item[name]] as const);
  const { schedulingConstraints = null } = item;
  return { ...Object.fromEntries(members), schedulingConstraints };
}

const TEMPLATES = templates(message(TEMPLATE_MEMBERS), templateShown);

/** A template of groups of groups has others of its kind in it. */
const COMPOSITE_TEMPLATES: DeclaredRule = templates(
  (value, check) => COMPOSITE_TEMPLATE(value, check),
  compositeShown,
);

const COMPOSITE_MEMBERS: Readonly<Record<string, DeclaredRule>> = {
  name: REQUIRED_LABEL,
  schedulingPolicy: COMPOSITE_POLICY,
  schedulingConstraints: rules([immutable, optional], CONSTRAINTS),
  disruptionMode: TEMPLATE_MODE,
  priorityClassName: CLASS_NAME,
  priority: PRIORITY,
  preemptionPolicy: PREEMPTION,
  podGroupTemplates: TEMPLATES,
  compositePodGroupTemplates: COMPOSITE_TEMPLATES,
};

const COMPOSITE_TEMPLATE = message(COMPOSITE_MEMBERS);

/** And with those in it. */
function compositeShown(item: Members): object {
  const members = Object.keys(COMPOSITE_MEMBERS).map((name) => [name, item[name]] as const);
  const { podGroupTemplates: groups, compositePodGroupTemplates: composites } = item;
  return {
    ...Object.fromEntries(members),
    podGroupTemplates: (groups as Members[] | undefined)?.map(templateShown),
    compositePodGroupTemplates: (composites as Members[] | undefined)?.map(compositeShown),
  };
}

export const WORKLOAD_SPEC = message(
  {
    controllerRef: CONTROLLER,
    podGroupTemplates: TEMPLATES,
    compositePodGroupTemplates: rules([forbiddenWithout('CompositePodGroup')], COMPOSITE_TEMPLATES),
  },
  oneOf('podGroupTemplates', 'compositePodGroupTemplates'),
);
