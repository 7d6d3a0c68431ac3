import type { Change, KindCases } from '../../support/kind-cases.ts';

const BASIC = { name: 'all', policy: { basic: {} } };
const GROUP = 'spec.podGroups[0]';
const ONE_OF = 'exactly one of `basic`, `gang` is required';

const groups = (...podGroups: Change[]): Change => ({ spec: { podGroups } });
const policy = (members: Change): Change => groups({ name: 'all', policy: members });

export const CASES: KindCases = {
  release: 35,
  featureGates: ['GenericWorkload'],
  apiVersion: 'scheduling.cluster.io/v1alpha1',
  kind: 'Workload',
  minimal: { spec: { podGroups: [BASIC] } },
  minimalStored: { spec: { podGroups: [BASIC] } },
  full: {
    spec: {
      controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'train' },
      podGroups: [
        { name: 'leader', policy: { basic: {} } },
        { name: 'workers', policy: { gang: { minCount: 4 } } },
      ],
    },
  },
  invalid: [
    ['there is a group', groups(), ['spec.podGroups: Required value: must have at least one item']],
    [
      'there are no more than eight',
      groups(...Array.from({ length: 9 }, (_, index) => ({ ...BASIC, name: `g${index}` }))),
      ['spec.podGroups: Too many: 9: must have at most 8 items'],
    ],
    ['names differ', groups(BASIC, BASIC), ['spec.podGroups[1].name: Duplicate value: "all"']],
    ['a policy is needed', groups({ name: 'all' }), [`${GROUP}.policy: Required value: ${ONE_OF}`]],
    [
      'and no second one',
      policy({ basic: {}, gang: { minCount: 1 } }),
      [
        `${GROUP}.policy: Invalid value: "{\`basic\`, \`gang\`}": ${ONE_OF}, ` +
          'but multiple fields are set',
      ],
    ],
    [
      'a gang has pods',
      policy({ gang: {} }),
      [`${GROUP}.policy.gang.minCount: Invalid value: 0: must be greater than 0`],
    ],
    [
      'the controller has a kind and a name',
      { spec: { controllerRef: { apiGroup: 'batch' }, podGroups: [BASIC] } },
      ['spec.controllerRef.kind: Required value', 'spec.controllerRef.name: Required value'],
    ],
    [
      'which fit into a path',
      { spec: { controllerRef: { kind: 'a/b', name: '..' }, podGroups: [BASIC] } },
      [
        'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
        'spec.controllerRef.name: Invalid value: "..": may not be \'..\'',
      ],
    ],
  ],
  updates: [
    [
      'groups stay',
      groups(BASIC),
      policy({ gang: { minCount: 2 } }),
      [
        'podGroups: Invalid value: [{"Name":"all","Policy":{"Basic":null,"Gang":{"MinCount":2}}}]: ' +
          'field is immutable',
      ],
    ],
  ],
};
