// Rows of kind Pod on the node that it is to run on.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT, NAME_PART_HINT } from '../../support/name-hints.ts';
import {
  CONTAINER,
  CONTAINER_DEFAULTS,
  MINIMAL,
  MINIMAL_STORED,
  POD_DEFAULTS,
  spec,
} from '../../support/pod-cases.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

type Row = KindCases['invalid'][number];

const affinity = (rule: string, member: string, change: Change, ...errors: string[]): Row => [
  `affinity: ${rule}`,
  spec({ affinity: { [member]: change } }),
  errors.map((error) => `spec.affinity.${member}.${error}`),
];

const toleration = (rule: string, change: Change, ...errors: string[]): Row => [
  `tolerations: ${rule}`,
  spec({ tolerations: [change] }),
  errors.map((error) => `spec.tolerations[0].${error}`),
];

const zone = { key: 'zone', operator: 'In', values: ['a'] };
const podTerm = {
  labelSelector: { matchLabels: { app: 'db' } },
  namespaces: ['other'],
  topologyKey: 'zone',
  namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
};
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };

const FULL = {
  affinity: {
    nodeAffinity: {
      [REQUIRED]: {
        nodeSelectorTerms: [
          {
            matchExpressions: [zone, { key: 'size', operator: 'Gt', values: ['3'] }],
            matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }],
          },
        ],
      },
      [PREFERRED]: [{ weight: 100, preference: { matchExpressions: [zone] } }],
    },
    podAffinity: { [REQUIRED]: [podTerm], [PREFERRED]: [{ weight: 1, podAffinityTerm: podTerm }] },
    podAntiAffinity: { [REQUIRED]: [{ topologyKey: 'host' }] },
  },
  tolerations: [
    { operator: 'Exists' },
    { key: 'a', value: 'b', effect: 'NoSchedule' },
    { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: -1 },
  ],
  topologySpreadConstraints: [
    { ...spread, labelSelector: { matchLabels: { app: 'db' } } },
    { ...spread, whenUnsatisfiable: 'ScheduleAnyway' },
  ],
};

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: { spec: { containers: [CONTAINER], ...FULL } },
  fullStored: {
    ...MINIMAL_STORED,
    spec: { containers: [{ ...CONTAINER, ...CONTAINER_DEFAULTS }], ...POD_DEFAULTS, ...FULL },
  },
  invalid: [
    affinity(
      'a term',
      'nodeAffinity',
      { [REQUIRED]: {} },
      `${REQUIRED}.nodeSelectorTerms: Required value: must have at least one node selector term`,
    ),
    affinity(
      'weights and terms of nodes',
      'nodeAffinity',
      {
        [PREFERRED]: [
          { preference: {} },
          { weight: 101, preference: { matchFields: [{ ...zone }] } },
        ],
      },
      `${PREFERRED}[0].weight: Invalid value: 0: must be in the range 1-100`,
      `${PREFERRED}[1].weight: Invalid value: 101: must be in the range 1-100`,
      `${PREFERRED}[1].preference.matchFields[0].key: Invalid value: "zone": not a valid field ` +
        'selector key',
    ),
    affinity(
      'a topology',
      'podAffinity',
      { [REQUIRED]: [{}] },
      `${REQUIRED}[0].topologyKey: Required value: can not be empty`,
      `${REQUIRED}[0].topologyKey: Invalid value: "": name part must be non-empty`,
      `${REQUIRED}[0].topologyKey: Invalid value: "": ${NAME_PART_HINT}`,
    ),
    affinity(
      'weights and terms of pods',
      'podAntiAffinity',
      {
        [PREFERRED]: [
          {
            podAffinityTerm: {
              topologyKey: 'zone',
              namespaces: ['A'],
              labelSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] },
              namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
            },
          },
        ],
      },
      `${PREFERRED}[0].weight: Invalid value: 0: must be in the range 1-100`,
      `${PREFERRED}[0].podAffinityTerm.labelSelector.matchExpressions[0].operator: Invalid ` +
        'value: "Near": not a valid selector operator',
      `${PREFERRED}[0].podAffinityTerm.namespaceSelector.matchExpressions[0].values: Required ` +
        "value: must be specified when `operator` is 'In' or 'NotIn'",
      `${PREFERRED}[0].podAffinityTerm.namespace: Invalid value: "A": ${LABEL_HINT}`,
    ),
    toleration(
      'keys are qualified names',
      { key: '-', operator: 'Exists' },
      `key: Invalid value: "-": ${NAME_PART_HINT}`,
    ),
    toleration(
      'no key is every key',
      { value: 'a' },
      'operator: Invalid value: "": operator must be Exists when `key` is empty, which means ' +
        '"match all values and all keys"',
    ),
    toleration(
      'operators',
      { key: 'a', operator: 'Like' },
      'operator: Unsupported value: "Like": supported values: "Equal", "Exists"',
    ),
    toleration(
      'effects',
      { key: 'a', operator: 'Exists', effect: 'Never' },
      'effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", ' +
        '"NoExecute"',
    ),
    toleration(
      'a time to leave',
      { key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 },
      'effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when ' +
        '`tolerationSeconds` is set',
    ),
    toleration(
      'that a key exists says nothing of its value',
      { key: 'a', operator: 'Exists', value: 'b' },
      'operator: Invalid value: {"key":"a","operator":"Exists","value":"b"}: value must be empty ' +
        "when `operator` is 'Exists'",
    ),
    toleration(
      'values are those of labels',
      { key: 'a', value: '-' },
      'operator: Invalid value: "-": a valid label must be an empty string or consist of ' +
        "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
        "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
        "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ),
    [
      'topologySpreadConstraints: members',
      spec({ topologySpreadConstraints: [{ whenUnsatisfiable: 'Wait' }] }),
      [
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Wait": ' +
          'supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    [
      'topologySpreadConstraints: each once',
      spec({ topologySpreadConstraints: [spread, { ...spread, maxSkew: 2 }] }),
      [
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: ' +
          '"{zone, DoNotSchedule}"',
      ],
    ],
  ],
};
