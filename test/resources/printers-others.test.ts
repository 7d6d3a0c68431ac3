/** Objects of the groups besides core, apps and batch show these cells in a Table. */
import t from 'tap';
import { MUTATING_WEBHOOK_CONFIGURATION } from '../../src/resources/admissionregistration/mutating-webhooks.ts';
import { VALIDATING_WEBHOOK_CONFIGURATION } from '../../src/resources/admissionregistration/validating-webhooks.ts';
import { CUSTOM_RESOURCE_DEFINITION } from '../../src/resources/apiextensions/custom-resource-definition.ts';
import { API_SERVICE } from '../../src/resources/apiregistration/api-service.ts';
import { CERTIFICATE_SIGNING_REQUEST } from '../../src/resources/certificates/certificate-signing-request.ts';
import { LEASE } from '../../src/resources/coordination/lease.ts';
import { ENDPOINT_SLICE } from '../../src/resources/discovery/endpoint-slice.ts';
import { FLOW_SCHEMA } from '../../src/resources/flowcontrol/flow-schema.ts';
import { PRIORITY_LEVEL_CONFIGURATION } from '../../src/resources/flowcontrol/priority-level-configuration.ts';
import type { BuiltInKind } from '../../src/resources/kind.ts';
import { INGRESS_CLASS } from '../../src/resources/networking/ingress-class.ts';
import { INGRESS } from '../../src/resources/networking/ingress.ts';
import { NETWORK_POLICY } from '../../src/resources/networking/network-policy.ts';
import { RUNTIME_CLASS } from '../../src/resources/node/runtime-class.ts';
import { POD_DISRUPTION_BUDGET } from '../../src/resources/policy/pod-disruption-budget.ts';
import { POD_SECURITY_POLICY } from '../../src/resources/policy/pod-security-policy.ts';
import { DEFAULT_PRINTER } from '../../src/resources/printer-cells.ts';
import { CLUSTER_ROLE_BINDING } from '../../src/resources/rbac/cluster-role-binding.ts';
import { CLUSTER_ROLE } from '../../src/resources/rbac/cluster-role.ts';
import { ROLE_BINDING } from '../../src/resources/rbac/role-binding.ts';
import { ROLE } from '../../src/resources/rbac/role.ts';
import { PRIORITY_CLASS } from '../../src/resources/scheduling/priority-class.ts';
import { CSI_DRIVER } from '../../src/resources/storage/csi-driver.ts';
import { CSI_NODE } from '../../src/resources/storage/csi-node.ts';
import { STORAGE_CLASS } from '../../src/resources/storage/storage-class.ts';
import { VOLUME_ATTACHMENT } from '../../src/resources/storage/volume-attachment.ts';
import type { Change } from '../support/kind-cases.ts';
import {
  AGO,
  cellsAt,
  checkCells,
  printedObject,
  type CellCase,
} from '../support/printed-cells.ts';

const AGE = '5m';

function cellsOf({ printer = DEFAULT_PRINTER }: BuiltInKind, members: Change) {
  return cellsAt(printer, printedObject(members));
}

const TABLE: readonly (readonly [BuiltInKind, ...CellCase[]])[] = [
  [
    POD_DISRUPTION_BUDGET,
    ['without limits', {}, ['a', 'N/A', 'N/A', 0, AGE]],
    [
      'a share, and pods that may go',
      { spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 2 } },
      ['a', '50%', 'N/A', 2, AGE],
    ],
    ['no pod may be missing', { spec: { maxUnavailable: 0 } }, ['a', 'N/A', '0', 0, AGE]],
  ],
  [
    POD_SECURITY_POLICY,
    ['with nothing', {}, ['a', 'false', '', '', '', '', '', false, '']],
    [
      'with all',
      {
        spec: {
          privileged: true,
          allowedCapabilities: ['KILL', '*'],
          seLinux: { rule: 'RunAsAny' },
          runAsUser: { rule: 'MustRunAsNonRoot' },
          fsGroup: { rule: 'MayRunAs' },
          supplementalGroups: { rule: 'MustRunAs' },
          readOnlyRootFilesystem: true,
          volumes: ['secret', 'emptyDir'],
        },
      },
      [
        'a',
        'true',
        'KILL,*',
        'RunAsAny',
        'MustRunAsNonRoot',
        'MayRunAs',
        'MustRunAs',
        true,
        'secret,emptyDir',
      ],
    ],
  ],
  [
    INGRESS_CLASS,
    ['without parameters', { spec: { controller: 'x.io/y' } }, ['a', 'x.io/y', '<none>', AGE]],
    [
      'with parameters of a group',
      { spec: { controller: 'x.io/y', parameters: { apiGroup: 'x.io', kind: 'Set', name: 'b' } } },
      ['a', 'x.io/y', 'Set.x.io/b', AGE],
    ],
    [
      'with parameters of the core group',
      { spec: { controller: 'x.io/y', parameters: { kind: 'ConfigMap', name: 'b' } } },
      ['a', 'x.io/y', 'ConfigMap/b', AGE],
    ],
  ],
  [
    NETWORK_POLICY,
    ['for all pods', { spec: { podSelector: {} } }, ['a', '<none>', AGE]],
    [
      'for some, by the keys of their labels',
      {
        spec: {
          podSelector: {
            matchLabels: { tier: 'web' },
            matchExpressions: [{ key: 'app', operator: 'In', values: ['y', 'x'] }],
          },
        },
      },
      ['a', 'app in (x,y),tier=web', AGE],
    ],
  ],
  [
    CSI_DRIVER,
    [
      'with what counts when nothing is said',
      {},
      ['a', true, false, false, '<unset>', false, '<none>', AGE],
    ],
    [
      'with all',
      {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          storageCapacity: true,
          tokenRequests: [{ audience: 'vault' }, {}, { audience: 'gcp' }],
          requiresRepublish: true,
          volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        },
      },
      ['a', false, true, true, 'vault,,gcp', true, 'Persistent,Ephemeral', AGE],
    ],
  ],
  [
    CSI_NODE,
    ['without drivers', { spec: { drivers: [] } }, ['a', 0, AGE]],
    ['with two', { spec: { drivers: [{ name: 'b' }, { name: 'c' }] } }, ['a', 2, AGE]],
  ],
  [
    STORAGE_CLASS,
    [
      'with what counts when nothing is said',
      { provisioner: 'x.io/y' },
      ['a', 'x.io/y', 'Delete', 'Immediate', false, AGE],
    ],
    [
      'the default one',
      {
        metadata: { annotations: { 'storageclass.cluster.io/is-default-class': 'true' } },
        provisioner: 'x.io/y',
        reclaimPolicy: 'Retain',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
      },
      ['a (default)', 'x.io/y', 'Retain', 'WaitForFirstConsumer', true, AGE],
    ],
    [
      'the default one by the older annotation',
      { metadata: { annotations: { 'storageclass.beta.cluster.io/is-default-class': 'true' } } },
      ['a (default)', '', 'Delete', 'Immediate', false, AGE],
    ],
    [
      'one that is not the default',
      { metadata: { annotations: { 'storageclass.cluster.io/is-default-class': 'yes' } } },
      ['a', '', 'Delete', 'Immediate', false, AGE],
    ],
  ],
  [
    VOLUME_ATTACHMENT,
    [
      'of a volume',
      {
        spec: { attacher: 'x.io', source: { persistentVolumeName: 'pv' }, nodeName: 'n' },
        status: { attached: true },
      },
      ['a', 'x.io', 'pv', 'n', true, AGE],
    ],
    [
      'of an inline one',
      { spec: { attacher: 'x.io', source: { inlineVolumeSpec: {} }, nodeName: 'n' } },
      ['a', 'x.io', '', 'n', false, AGE],
    ],
  ],
  ...[ROLE_BINDING, CLUSTER_ROLE_BINDING].map((kind): readonly [BuiltInKind, ...CellCase[]] => [
    kind,
    ['for nobody', { roleRef: { kind: 'Role', name: 'r' } }, ['a', 'Role/r', AGE, '', '', '']],
    [
      'for subjects of all kinds',
      {
        roleRef: { kind: 'ClusterRole', name: 'r' },
        subjects: [
          { kind: 'User', name: 'zoe' },
          { kind: 'ServiceAccount', name: 'bot', namespace: 'ns' },
          { kind: 'Group', name: 'team' },
          { kind: 'User', name: 'amy' },
          { kind: 'ServiceAccount', name: 'bot', namespace: 'other' },
        ],
      },
      ['a', 'ClusterRole/r', AGE, 'zoe, amy', 'team', 'ns/bot, other/bot'],
    ],
  ]),
  [
    LEASE,
    ['held', { spec: { holderIdentity: 'node-1' } }, ['a', 'node-1', AGE]],
    ['free', { spec: {} }, ['a', '', AGE]],
  ],
  [
    PRIORITY_CLASS,
    ['with nothing', {}, ['a', 0, false, AGE]],
    ['with all', { value: -5, globalDefault: true }, ['a', -5, true, AGE]],
  ],
  [RUNTIME_CLASS, ['with a handler', { handler: 'gvisor' }, ['a', 'gvisor', AGE]]],
  [
    FLOW_SCHEMA,
    [
      'new',
      { spec: { priorityLevelConfiguration: { name: 'low' } } },
      ['a', 'low', 0, '<none>', AGE, '?'],
    ],
    [
      'without its priority level',
      {
        spec: {
          priorityLevelConfiguration: { name: 'low' },
          matchingPrecedence: 1000,
          distinguisherMethod: { type: 'ByUser' },
        },
        status: {
          conditions: [
            { type: 'Other', status: 'False' },
            { type: 'Dangling', status: 'True' },
          ],
        },
      },
      ['a', 'low', 1000, 'ByUser', AGE, 'True'],
    ],
  ],
  [
    PRIORITY_LEVEL_CONFIGURATION,
    [
      'exempt',
      { spec: { type: 'Exempt' } },
      ['a', 'Exempt', '<none>', '<none>', '<none>', '<none>', AGE],
    ],
    [
      'that refuses',
      { spec: { type: 'Limited', limited: { assuredConcurrencyShares: 5 } } },
      ['a', 'Limited', 5, '<none>', '<none>', '<none>', AGE],
    ],
    [
      'that queues',
      {
        spec: {
          type: 'Limited',
          limited: {
            assuredConcurrencyShares: 30,
            limitResponse: {
              type: 'Queue',
              queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 },
            },
          },
        },
      },
      ['a', 'Limited', 30, 64, 8, 50, AGE],
    ],
  ],
  ...[MUTATING_WEBHOOK_CONFIGURATION, VALIDATING_WEBHOOK_CONFIGURATION].map(
    (kind): readonly [BuiltInKind, ...CellCase[]] => [
      kind,
      ['without webhooks', {}, ['a', 0, AGE]],
      ['with one', { webhooks: [{ name: 'w.x.io' }] }, ['a', 1, AGE]],
    ],
  ),
  ...[ROLE, CLUSTER_ROLE, CUSTOM_RESOURCE_DEFINITION].map(
    (kind): readonly [BuiltInKind, ...CellCase[]] => [
      kind,
      ['as the default has it', {}, ['a', AGO['5m']]],
    ],
  ),
];

for (const [kind, ...rows] of TABLE) {
  t.test(kind.plural, async (t) => checkCells(t, kind, rows));
}

t.test('what an endpoint slice shows of its ports and addresses', async (t) => {
  const addresses = (...lists: string[][]): Change => ({
    endpoints: lists.map((list) => ({ addresses: list })),
  });
  const rows: readonly (readonly [string, Change, ports: string, endpoints: string])[] = [
    ['none', {}, '<unset>', '<unset>'],
    ['a number', { ports: [{ name: 'web', port: 80 }] }, '80', '<unset>'],
    ['a name, any', { ports: [{ name: 'web' }, {}] }, 'web,*', '<unset>'],
    ['a port without a name', { ports: [{ name: '' }] }, '<unset>', '<unset>'],
    ['three', addresses(['1.1.1.1', '1.1.1.2'], ['1.1.1.3']), '<unset>', '1.1.1.1,1.1.1.2,1.1.1.3'],
    ['more than three', addresses(['a', 'b'], [], ['c', 'd', 'e']), '<unset>', 'a,b,c + 2 more...'],
    [
      'more than three ports',
      { ports: [1, 2, 3, 4].map((port) => ({ port })) },
      '1,2,3 + 1 more...',
      '<unset>',
    ],
  ];
  for (const [what, members, ports, endpoints] of rows) {
    const cells = cellsOf(ENDPOINT_SLICE, { addressType: 'IPv4', ...members });
    t.strictSame(cells, ['a', 'IPv4', ports, endpoints, AGE], what);
  }
});

t.test('what an ingress shows', async (t) => {
  const hosts = (...names: string[]): Change => ({
    spec: { rules: names.map((host) => ({ host })) },
  });
  const at = (...ingress: Change[]): Change => ({ status: { loadBalancer: { ingress } } });
  const rows: readonly (readonly [string, Change, string])[] = [
    ['only a default backend', {}, '<none> | * |  | 80'],
    ['its class', { spec: { ingressClassName: 'fast' } }, 'fast | * |  | 80'],
    ['a rule for all hosts', { spec: { rules: [{}] } }, '<none> | * |  | 80'],
    ['three hosts', hosts('a.x', 'b.x', 'c.x'), '<none> | a.x,b.x,c.x |  | 80'],
    ['a fourth', hosts('a.x', 'b.x', 'c.x', 'd.x'), '<none> | a.x,b.x,c.x + 1 more... |  | 80'],
    [
      'a fourth for all',
      hosts('a.x', 'b.x', 'c.x', ''),
      '<none> | a.x,b.x,c.x + 1 more... |  | 80',
    ],
    ['one for all in between', hosts('a.x', '', 'c.x'), '<none> | a.x,c.x |  | 80'],
    ['TLS', { spec: { tls: [{}] } }, '<none> | * |  | 80, 443'],
    [
      'addresses in order',
      at({ ip: '9.9.9.9' }, { hostname: '1.x' }),
      '<none> | * | 1.x,9.9.9.9 | 80',
    ],
    [
      'an address twice',
      at({ ip: '9.9.9.9', hostname: 'h' }, { ip: '9.9.9.9' }, {}),
      '<none> | * | 9.9.9.9 | 80',
    ],
  ];
  for (const [what, members, shown] of rows) {
    t.equal(cellsOf(INGRESS, members).join(' | '), `a | ${shown} | ${AGE}`, what);
  }
});

t.test('what has become of a signing request', async (t) => {
  const rows: readonly (readonly [string, types: string[], certificate: string])[] = [
    ['Pending', [], ''],
    ['Approved', ['Approved'], ''],
    ['Approved,Issued', ['Approved'], 'YQ=='],
    ['Approved,Failed', ['Failed', 'Approved'], ''],
    ['Denied', ['Denied'], ''],
    ['Denied', ['Approved', 'Denied'], ''],
    ['Pending,Failed,Issued', ['Other', 'Failed'], 'YQ=='],
  ];
  for (const [shown, types, certificate] of rows) {
    const cells = cellsOf(CERTIFICATE_SIGNING_REQUEST, {
      spec: { signerName: 'x.io/y', username: 'zoe' },
      status: { conditions: types.map((type) => ({ type, status: 'True' })), certificate },
    });
    t.strictSame(cells, ['a', AGE, 'x.io/y', 'zoe', '<none>', shown], shown);
  }
  t.strictSame(cellsOf(CERTIFICATE_SIGNING_REQUEST, {}), [
    'a',
    AGE,
    '<none>',
    '',
    '<none>',
    'Pending',
  ]);
  const day = { spec: { expirationSeconds: 86_400 } };
  t.equal(cellsOf(CERTIFICATE_SIGNING_REQUEST, day)[4], '24h');
});

t.test('whether an API service is there', async (t) => {
  const service = { namespace: 'ns', name: 'web' };
  const condition = (status: string, reason?: string): Change => ({
    status: {
      conditions: [
        { type: 'Other', status: 'x' },
        { type: 'Available', status, reason },
      ],
    },
  });
  const rows: readonly (readonly [Change, string, string])[] = [
    [condition('True', 'Local'), 'Local', 'True'],
    [{ spec: { service } }, 'ns/web', 'Unknown'],
    [{ spec: { service }, ...condition('False', 'NoEndpoints') }, 'ns/web', 'False (NoEndpoints)'],
    [{ spec: { service }, ...condition('False') }, 'ns/web', 'False'],
  ];
  for (const [members, ...shown] of rows) {
    t.strictSame(cellsOf(API_SERVICE, members), ['a', ...shown, AGE], shown.join(' '));
  }
});
