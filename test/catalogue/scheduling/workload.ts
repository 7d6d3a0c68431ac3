import type { Change, KindCases } from '../../support/kind-cases.ts';

const BASIC = { name: 'all', schedulingPolicy: { basic: {} } };
const BASIC_STORED = { ...BASIC, schedulingConstraints: null };
const GANG = { name: 'gang', schedulingPolicy: { gang: { minCount: 2 } } };
const TEMPLATE = 'spec.podGroupTemplates[0]';
const COMPOSITE = 'spec.compositePodGroupTemplates[0]';
const CHOICE = '`basic`, `gang`';
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for " +
  "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const groups = (...podGroupTemplates: Change[]): Change => ({ spec: { podGroupTemplates } });
const group = (members: Change): Change => groups({ ...BASIC, ...members });
/** A workload whose templates are of groups of groups. */
const composites = (...compositePodGroupTemplates: Change[]): Change => ({
  spec: { podGroupTemplates: undefined, compositePodGroupTemplates },
});
const composite = (name: string, members: Change): Change => ({
  name,
  schedulingPolicy: { basic: {} },
  ...members,
});
/** Templates of groups of groups within each other. */
const nested = (names: readonly string[]): Change => {
  const [name = '', ...others] = names;
  const below =
    others.length === 0
      ? { podGroupTemplates: [BASIC] }
      : { compositePodGroupTemplates: [nested(others)] };
  return composite(name, below);
};

export const CASES: KindCases = {
  release: 37,
  featureGates: [
    'GenericWorkload',
    'CompositePodGroup',
    'DRAWorkloadResourceClaims',
    'PodGroupPreemptionPolicy',
    'TopologyAwareWorkloadScheduling',
  ],
  apiVersion: 'scheduling.cluster.io/v1beta1',
  kind: 'Workload',
  minimal: { spec: { podGroupTemplates: [BASIC] } },
  minimalStored: { spec: { podGroupTemplates: [BASIC_STORED] } },
  full: {
    spec: {
      controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'train' },
      podGroupTemplates: [
        {
          name: 'workers',
          schedulingPolicy: { gang: { minCount: 4 } },
          schedulingConstraints: { topology: [{ key: 'example.com/rack' }] },
          resourceClaims: [
            { name: 'one', resourceClaimName: 'shared' },
            { name: 'two', resourceClaimTemplateName: 'made' },
          ],
          disruptionMode: { all: {} },
          priorityClassName: 'high',
          priority: 7,
          preemptionPolicy: 'Never',
        },
      ],
    },
  },
  invalid: [
    [
      'there are templates',
      { spec: { podGroupTemplates: undefined } },
      [
        'spec: Invalid value: "": must specify one of: `podGroupTemplates`, ' +
          '`compositePodGroupTemplates`',
      ],
    ],
    [
      'of one kind',
      {
        spec: {
          compositePodGroupTemplates: [composite('c', { podGroupTemplates: [GANG] })],
        },
      },
      [
        'spec: Invalid value: "{podGroupTemplates, compositePodGroupTemplates}": must specify ' +
          'exactly one of: `podGroupTemplates`, `compositePodGroupTemplates`',
      ],
    ],
    [
      'no more than eight',
      groups(...Array.from({ length: 9 }, (_, index) => ({ ...BASIC, name: `g${index}` }))),
      ['spec.podGroupTemplates: Too many: 9: must have at most 8 items'],
    ],
    ['a template has a name', group({ name: undefined }), [`${TEMPLATE}.name: Required value`]],
    ['a DNS label', group({ name: 'A' }), [`${TEMPLATE}.name: Invalid value: "A": ${LABEL}`]],
    [
      'that differs from the others',
      groups(BASIC, BASIC),
      [
        'spec.podGroupTemplates[1]: Duplicate value: {"name":"all","schedulingPolicy":' +
          '{"basic":{}},"schedulingConstraints":null}',
      ],
    ],
    [
      'a policy is needed',
      groups({ name: 'all' }),
      [`${TEMPLATE}.schedulingPolicy: Invalid value: "": must specify one of: ${CHOICE}`],
    ],
    [
      'and no second one',
      group({ schedulingPolicy: { basic: {}, gang: { minCount: 1 } } }),
      [
        `${TEMPLATE}.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: ` +
          CHOICE,
      ],
    ],
    [
      'a gang has pods',
      group({ schedulingPolicy: { gang: {} } }),
      [`${TEMPLATE}.schedulingPolicy.gang.minCount: Required value`],
    ],
    [
      'at least one',
      group({ schedulingPolicy: { gang: { minCount: -1 } } }),
      [
        `${TEMPLATE}.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or ` +
          'equal to 1',
      ],
    ],
    [
      'there is one constraint',
      group({ schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] } }),
      [`${TEMPLATE}.schedulingConstraints.topology: Too many: 2: must have at most 1 item`],
    ],
    [
      'with a key',
      group({ schedulingConstraints: { topology: [{}] } }),
      [`${TEMPLATE}.schedulingConstraints.topology[0].key: Required value`],
    ],
    [
      'a claim is of one kind',
      group({ resourceClaims: [{ name: 'a' }] }),
      [
        `${TEMPLATE}.resourceClaims[0]: Invalid value: "": must specify one of: ` +
          '`resourceClaimName`, `resourceClaimTemplateName`',
      ],
    ],
    [
      'a mode is one of two',
      group({ disruptionMode: {} }),
      [`${TEMPLATE}.disruptionMode: Invalid value: "": must specify one of: \`single\`, \`all\``],
    ],
    [
      'a priority is bounded',
      group({ priority: 1_000_000_001 }),
      [`${TEMPLATE}.priority: Invalid value: 1000000001: must be less than or equal to 1000000000`],
    ],
    [
      'a preemption policy is one of two',
      group({ preemptionPolicy: 'Always' }),
      [
        `${TEMPLATE}.preemptionPolicy: Unsupported value: "Always": supported values: "Never", ` +
          '"PreemptLowerPriority"',
      ],
    ],
    [
      'templates have one priority',
      groups(BASIC, { ...GANG, priority: 1 }),
      ['spec: Invalid value: null: detected multiple priority configurations'],
    ],
    [
      'the controller has a kind and a name',
      { spec: { controllerRef: { apiGroup: 'batch' } } },
      ['spec.controllerRef.kind: Required value', 'spec.controllerRef.name: Required value'],
    ],
    [
      'which fit into a path',
      { spec: { controllerRef: { kind: 'a/b', name: '..' } } },
      [
        'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
        'spec.controllerRef.name: Invalid value: "..": may not be \'..\'',
      ],
    ],
    ['a tree has four levels', composites(nested(['a', 'b', 'c'])), []],
    [
      'and no more',
      composites(nested(['a', 'b', 'c', 'd'])),
      [
        `${COMPOSITE}: Invalid value: [{"Name":"b","SchedulingPolicy":{"Basic":{},"Gang":null},` +
          '"SchedulingConstraints":null,"DisruptionMode":null,"PriorityClassName":"","Priority":' +
          'null,"PreemptionPolicy":null,"PodGroupTemplates":null,"CompositePodGroupTemplates":' +
          '[{"Name":"c","SchedulingPolicy":{"Basic":{},"Gang":null},"SchedulingConstraints":null,' +
          '"DisruptionMode":null,"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,' +
          '"PodGroupTemplates":null,"CompositePodGroupTemplates":[{"Name":"d","SchedulingPolicy":' +
          '{"Basic":{},"Gang":null},"SchedulingConstraints":null,"DisruptionMode":null,' +
          '"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,"PodGroupTemplates":' +
          '[{"Name":"all","SchedulingPolicy":{"Basic":{},"Gang":null},"SchedulingConstraints":null,' +
          '"ResourceClaims":null,"DisruptionMode":null,"PriorityClassName":"","Priority":null,' +
          '"PreemptionPolicy":null}],"CompositePodGroupTemplates":null}]}]}]: maximum template ' +
          'hierarchy depth is 4',
      ],
    ],
    [
      'names in it differ',
      composites(composite('all', { podGroupTemplates: [BASIC] })),
      [`${COMPOSITE}.podGroupTemplates[0].name: Duplicate value: "all"`],
    ],
    [
      'it has one priority',
      composites(composite('c', { priority: 1, podGroupTemplates: [BASIC] })),
      [
        'spec: Invalid value: null: all priority and priorityClassName values must be identical, ' +
          'detected multiple values',
      ],
    ],
    [
      'each has groups',
      composites(composite('c', {})),
      [
        `${COMPOSITE}: Invalid value: "c": must have at least one child PodGroupTemplate or ` +
          'CompositePodGroupTemplate',
      ],
    ],
    [
      'a gang of groups has some',
      composites(
        composite('c', {
          schedulingPolicy: { gang: { minGroupCount: 0 } },
          podGroupTemplates: [BASIC],
        }),
      ),
      [`${COMPOSITE}.schedulingPolicy.gang.minGroupCount: Required value`],
    ],
  ],
  updates: [
    [
      'a gang may grow',
      groups(GANG),
      groups({ ...GANG, schedulingPolicy: { gang: { minCount: 3 } } }),
      [],
    ],
    [
      'but its policy stays',
      groups(GANG),
      groups({ ...GANG, schedulingPolicy: { basic: {} } }),
      [
        `${TEMPLATE}.schedulingPolicy.basic: Invalid value: null: field is immutable`,
        `${TEMPLATE}.schedulingPolicy.gang: Invalid value: null: field cannot be cleared once set`,
      ],
    ],
    [
      'templates stay',
      groups(BASIC),
      groups(GANG),
      [
        `${TEMPLATE}: Forbidden: item may not be added`,
        'spec.podGroupTemplates: Forbidden: item may not be removed',
      ],
    ],
    [
      'and what they say',
      group({ priority: 1, disruptionMode: { all: {} } }),
      group({ priority: 2, disruptionMode: { single: {} } }),
      [
        `${TEMPLATE}.disruptionMode: Invalid value: null: field is immutable`,
        `${TEMPLATE}.priority: Invalid value: null: field is immutable`,
      ],
    ],
    [
      'the controller cannot come later',
      groups(BASIC),
      { spec: { controllerRef: { kind: 'Job', name: 'a' } } },
      ['spec.controllerRef: Invalid value: null: field is immutable'],
    ],
  ],
};
