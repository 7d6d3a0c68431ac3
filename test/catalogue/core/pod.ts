import type { Change, KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT, NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import {
  CONTAINER,
  CONTAINER_DEFAULTS,
  MINIMAL,
  MINIMAL_STORED,
  POD_DEFAULTS,
  spec,
} from '../../support/pod-cases.ts';

const IMMUTABLE =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, ' +
  '`spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only ' +
  'additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be ' +
  'set to 1 if it was previously negative)';
const ONLY_ADDED =
  'spec.tolerations: Forbidden: existing toleration can not be modified except its ' +
  'tolerationSeconds';
const MIRROR = 'metadata.annotations[cluster.io/config.mirror]';

const toleration = { key: 'gpu', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 };

const FULL = {
  initContainers: [{ name: 'init', image: 'init', ...CONTAINER_DEFAULTS }],
  containers: [{ ...CONTAINER, ...CONTAINER_DEFAULTS }],
  restartPolicy: 'OnFailure',
  terminationGracePeriodSeconds: 0,
  activeDeadlineSeconds: 60,
  dnsPolicy: 'None',
  nodeSelector: { disk: 'ssd' },
  automountServiceAccountToken: false,
  nodeName: 'node-1',
  hostNetwork: true,
  hostPID: true,
  hostIPC: true,
  shareProcessNamespace: false,
  securityContext: {
    seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
    runAsUser: 1000,
    runAsGroup: 0,
    runAsNonRoot: true,
    supplementalGroups: [0, 5],
    fsGroup: 2_147_483_647,
    sysctls: [{ name: 'net.core.somaxconn', value: '1' }],
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/a.json' },
  },
  imagePullSecrets: [{ name: 'pull' }],
  hostname: 'h',
  subdomain: 's',
  schedulerName: 'mine',
  tolerations: [toleration],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['a.example'] }, { ip: '::1' }],
  priorityClassName: 'high',
  priority: 10,
  dnsConfig: {
    nameservers: ['10.0.0.2', 'fd00::1'],
    searches: ['example.com.'],
    options: [{ name: 'ndots', value: '2' }, { name: 'rotate' }],
  },
  readinessGates: [{ conditionType: 'example.com/ready' }],
  runtimeClassName: 'sandbox',
  enableServiceLinks: false,
  preemptionPolicy: 'Never',
  overhead: { cpu: '10m' },
  setHostnameAsFQDN: true,
};

const invalid: KindCases['invalid'] = [
  ['13.3: containers are required', spec({ containers: [] }), ['spec.containers: Required value']],
  [
    '13.3: restartPolicy',
    spec({ restartPolicy: 'Sometimes' }),
    [
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", ' +
        '"OnFailure", "Never"',
    ],
  ],
  [
    '13.3: dnsPolicy',
    spec({ dnsPolicy: 'Mine' }),
    [
      'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", ' +
        '"ClusterFirst", "Default", "None"',
    ],
  ],
  [
    'preemptionPolicy',
    spec({ preemptionPolicy: 'Maybe' }),
    [
      'spec.preemptionPolicy: Unsupported value: "Maybe": supported values: ' +
        '"PreemptLowerPriority", "Never"',
    ],
  ],
  [
    'names of other objects are subdomains',
    spec({ serviceAccountName: 'A', nodeName: 'B', priorityClassName: 'C', runtimeClassName: 'D' }),
    [
      ['serviceAccountName', 'A'],
      ['nodeName', 'B'],
      ['priorityClassName', 'C'],
      ['runtimeClassName', 'D'],
    ].map(([member, name]) => `spec.${member}: Invalid value: "${name}": ${SUBDOMAIN_HINT}`),
  ],
  [
    'hostname and subdomain are labels',
    spec({ hostname: 'a.b', subdomain: 'c.d' }),
    [
      `spec.hostname: Invalid value: "a.b": ${LABEL_HINT}`,
      `spec.subdomain: Invalid value: "c.d": ${LABEL_HINT}`,
    ],
  ],
  [
    'activeDeadlineSeconds is positive',
    spec({ activeDeadlineSeconds: 0 }),
    ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  [
    '3.7: nodeSelector holds labels',
    spec({ nodeSelector: { '-': 'a' } }),
    [`spec.nodeSelector: Invalid value: "-": ${NAME_PART_HINT}`],
  ],
  [
    'dnsPolicy None needs dnsConfig',
    spec({ dnsPolicy: 'None' }),
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    'dnsPolicy None needs a name server',
    spec({ dnsPolicy: 'None', dnsConfig: { searches: ['a'] } }),
    [
      'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when ' +
        '`dnsPolicy` is None',
    ],
  ],
  [
    'dnsConfig: numbers of entries',
    spec({
      dnsConfig: {
        nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'],
        searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      },
    }),
    [
      'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: ' +
        'must not have more than 3 nameservers',
      'spec.dnsConfig.searches: Invalid value: ["a","b","c","d","e","f","g"]: must not have more ' +
        'than 6 search paths',
    ],
  ],
  [
    'dnsConfig: entries',
    spec({ dnsConfig: { nameservers: ['one'], searches: ['A'], options: [{ value: 'v' }] } }),
    [
      'spec.dnsConfig.nameservers[0]: Invalid value: "one": must be valid IP address',
      `spec.dnsConfig.searches[0]: Invalid value: "A": ${SUBDOMAIN_HINT}`,
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
  ],
  [
    'hostAliases',
    spec({ hostAliases: [{ ip: 'fe80::1%eth0', hostnames: ['A'] }] }),
    [
      'spec.hostAliases.ip: Invalid value: "fe80::1%eth0": must be valid IP address',
      `spec.hostAliases.hostnames: Invalid value: "A": ${SUBDOMAIN_HINT}`,
    ],
  ],
  [
    'readinessGates are qualified names',
    spec({ readinessGates: [{ conditionType: '-' }] }),
    [`spec.readinessGates[0].conditionType: Invalid value: "-": ${NAME_PART_HINT}`],
  ],
  [
    'overhead holds resources of containers',
    spec({ overhead: { storage: '1' } }),
    [
      'spec.overhead.limits[storage]: Invalid value: "storage": must be a standard resource for ' +
        'containers',
    ],
  ],
  [
    'a mirror pod is on a node',
    { metadata: { annotations: { 'cluster.io/config.mirror': 'x' } } },
    [`${MIRROR}: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set`],
  ],
  [
    'the cost of a deletion is a number',
    { metadata: { annotations: { 'controller.cluster.io/pod-deletion-cost': '+1' } } },
    [
      'metadata.annotations[controller.cluster.io/pod-deletion-cost]: Invalid value: "+1": must ' +
        'be a 32bit integer',
    ],
  ],
];

const images = (name: string, change: Change = {}): Change =>
  spec({ containers: [{ ...CONTAINER, image: name, ...change }] });

const updates: KindCases['updates'] = [
  ['14.2: images may change', {}, images('app:2'), []],
  ['14.2: nothing else of a container may', {}, images('app:1', { command: ['run'] }), [IMMUTABLE]],
  ['14.2: spec is immutable', {}, spec({ hostNetwork: true }), [IMMUTABLE]],
  [
    '14.2: no containers are added',
    {},
    spec({ containers: [CONTAINER, { name: 'b', image: 'b' }] }),
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  ],
  ['14.2: activeDeadlineSeconds may be set', {}, spec({ activeDeadlineSeconds: 9 }), []],
  [
    '14.2: and decrease',
    spec({ activeDeadlineSeconds: 9 }),
    spec({ activeDeadlineSeconds: 8 }),
    [],
  ],
  [
    '14.2: but not increase',
    spec({ activeDeadlineSeconds: 9 }),
    spec({ activeDeadlineSeconds: 10 }),
    ['spec.activeDeadlineSeconds: Invalid value: 10: must be less than or equal to previous value'],
  ],
  [
    '14.2: nor go away',
    spec({ activeDeadlineSeconds: 9 }),
    spec({ activeDeadlineSeconds: undefined }),
    [
      'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive ' +
        'integer to nil value',
    ],
  ],
  ['14.2: tolerations may be added', {}, spec({ tolerations: [toleration] }), []],
  [
    '14.2: their time may change',
    spec({ tolerations: [toleration] }),
    spec({ tolerations: [{ ...toleration, tolerationSeconds: 5 }] }),
    [],
  ],
  [
    '14.2: but nothing else of them',
    spec({ tolerations: [toleration] }),
    spec({ tolerations: [{ ...toleration, key: 'other' }] }),
    [ONLY_ADDED],
  ],
  [
    '14.2: nor are they removed',
    spec({ tolerations: [toleration] }),
    spec({ tolerations: undefined }),
    [ONLY_ADDED],
  ],
  [
    '14.2: terminationGracePeriodSeconds from negative to 1',
    spec({ terminationGracePeriodSeconds: -3 }),
    spec({ terminationGracePeriodSeconds: 1 }),
    [],
  ],
  [
    '14.2: and to nothing else',
    spec({ terminationGracePeriodSeconds: -3 }),
    spec({ terminationGracePeriodSeconds: 2 }),
    [IMMUTABLE],
  ],
  [
    'a pod does not become a mirror',
    spec({ nodeName: 'n' }),
    { metadata: { annotations: { 'cluster.io/config.mirror': 'x' } } },
    [`${MIRROR}: Forbidden: may not add mirror pod annotation`],
  ],
  [
    'a mirror stays one',
    { metadata: { annotations: { 'cluster.io/config.mirror': 'x' } }, ...spec({ nodeName: 'n' }) },
    { metadata: { annotations: { 'cluster.io/config.mirror': 'y' } } },
    [`${MIRROR}: Forbidden: may not remove or update mirror pod annotation`],
  ],
];

const statusUpdates: KindCases['statusUpdates'] = [
  [
    'a status as nodes report it',
    {},
    {
      status: {
        phase: 'Running',
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'example.com/gate', status: 'False' },
        ],
        hostIP: '10.0.0.1',
        podIP: '10.1.0.1',
        podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }],
      },
    },
    [],
  ],
  [
    'nominatedNodeName names a node',
    {},
    { status: { nominatedNodeName: 'A' } },
    [`status.nominatedNodeName: Invalid value: "A": ${SUBDOMAIN_HINT}`],
  ],
  [
    'conditions have qualified names',
    {},
    { status: { conditions: [{ type: '-', status: 'True' }] } },
    [`status.conditions[0].Condition: Invalid value: "-": ${NAME_PART_HINT}`],
  ],
  [
    'addresses',
    {},
    { status: { podIPs: [{ ip: 'one' }] } },
    [
      'status.podIPs[0]: Invalid value: "one": must be a valid IP address, (e.g. 10.9.8.7 or ' +
        '2001:db8::ffff)',
    ],
  ],
  [
    'reference: the families of addresses cannot be told when one is none',
    {},
    { status: { podIPs: [{ ip: '::1' }, { ip: 'one' }] } },
    [
      'status.podIPs[1]: Invalid value: "one": must be a valid IP address, (e.g. 10.9.8.7 or ' +
        '2001:db8::ffff)',
      'status.podIPs: Internal error: failed to check for dual stack with error:ip <nil> is invalid',
      'status.podIPs: Invalid value: [{"ip":"::1"},{"ip":"one"}]: may specify no more than one ' +
        'IP for each IP family',
    ],
  ],
  [
    'each address once',
    {},
    { status: { podIPs: [{ ip: '::1' }, { ip: '::1' }] } },
    [
      'status.podIPs: Invalid value: [{"ip":"::1"},{"ip":"::1"}]: may specify no more than one ' +
        'IP for each IP family',
      'status.podIPs[1]: Duplicate value: {"ip":"::1"}',
    ],
  ],
  [
    'one address of a family',
    {},
    { status: { podIPs: [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }] } },
    [
      'status.podIPs: Invalid value: [{"ip":"10.1.0.1"},{"ip":"10.1.0.2"}]: may specify no more ' +
        'than one IP for each IP family',
    ],
  ],
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: {
    spec: {
      ...FULL,
      initContainers: [{ name: 'init', image: 'init' }],
      serviceAccount: 'robot',
      os: { name: 'linux' },
    },
    status: { phase: 'Running', message: 'not for clients to say' },
  },
  fullStored: {
    spec: {
      ...POD_DEFAULTS,
      ...FULL,
      initContainers: [
        { name: 'init', image: 'init', ...CONTAINER_DEFAULTS, imagePullPolicy: 'Always' },
      ],
      serviceAccountName: 'robot',
      serviceAccount: 'robot',
    },
    status: MINIMAL_STORED.status,
  },
  invalid,
  updates,
  statusUpdates,
};
