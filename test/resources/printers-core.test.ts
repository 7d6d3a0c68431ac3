/** Objects of core kinds show these cells in a Table. */
import t from 'tap';
import type { ComponentStatus } from '#messages/core.v1';
import { NODE } from '../../src/resources/core/nodes/cluster-node.ts';
import { COMPONENT_STATUS_PRINTER } from '../../src/resources/core/nodes/component-status-printer.ts';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { ENDPOINTS } from '../../src/resources/core/services/endpoints.ts';
import { EVENT } from '../../src/resources/core/event.ts';
import { LIMIT_RANGE } from '../../src/resources/core/limit-range.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { PERSISTENT_VOLUME_CLAIM } from '../../src/resources/core/volumes/persistent-volume-claim.ts';
import { PERSISTENT_VOLUME } from '../../src/resources/core/volumes/persistent-volume.ts';
import { POD_TEMPLATE } from '../../src/resources/core/pods/pod-template.ts';
import { REPLICATION_CONTROLLER } from '../../src/resources/core/replication-controller.ts';
import { RESOURCE_QUOTA } from '../../src/resources/core/resource-quota.ts';
import { SECRET } from '../../src/resources/core/secret.ts';
import { SERVICE_ACCOUNT } from '../../src/resources/core/service-account.ts';
import { SERVICE } from '../../src/resources/core/services/service.ts';
import { AGO, checkCells, checkColumn, printedObject } from '../support/printed-cells.ts';

const GONE = { deletionTimestamp: AGO['30s'] };
const UNKNOWN_AGE = { metadata: { creationTimestamp: undefined } };

t.test('a kind without a printer shows name and time', (t) => {
  checkCells(t, LIMIT_RANGE, [
    ['any', {}, ['a', '2024-03-01T11:55:00Z']],
    ['without a time', UNKNOWN_AGE, ['a', '0001-01-01T00:00:00Z']],
    ['without a name', { metadata: { name: undefined } }, ['', '2024-03-01T11:55:00Z']],
  ]);
  t.end();
});

t.test('nodes', (t) => {
  const nodeInfo = {
    kubeletVersion: 'v1.23.1',
    osImage: 'Linux 1',
    kernelVersion: '5.10',
    containerRuntimeVersion: 'runner://1.5',
  };
  const addresses = [
    { type: 'Hostname', address: 'a.example' },
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalIP', address: 'fd00::1' },
    { type: 'ExternalIP', address: '192.0.2.1' },
  ];
  const conditions = [
    { type: 'MemoryPressure', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  const running = ['v1.23.1', '10.0.0.1', '192.0.2.1', 'Linux 1', '5.10', 'runner://1.5'];
  const nothing = ['', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'];
  checkCells(t, NODE, [
    [
      'one that runs',
      { status: { conditions, addresses, nodeInfo } },
      ['a', 'Ready', '<none>', '5m', ...running],
    ],
    ['one of which nothing is known', {}, ['a', 'Unknown', '<none>', '5m', ...nothing]],
    [
      'one that is empty',
      { spec: {}, status: { nodeInfo: {} } },
      ['a', 'Unknown', '<none>', '5m', ...nothing],
    ],
  ]);
  checkColumn(t, NODE, 'Status', [
    ['not ready', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, 'NotReady'],
    [
      'not heard of',
      { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
      'NotReady',
    ],
    ['no word on it', { status: { conditions: [{ type: 'DiskPressure' }] } }, 'Unknown'],
    [
      'closed for new pods',
      { spec: { unschedulable: true }, status: { conditions } },
      'Ready,SchedulingDisabled',
    ],
  ]);
  const labelled = (labels: Record<string, string>) => ({ metadata: { labels } });
  checkColumn(t, NODE, 'Roles', [
    ['by name', labelled({ 'node-role.cluster.io/master': '', other: 'x' }), 'master'],
    [
      'several, in order',
      labelled({ 'node-role.cluster.io/worker': '', 'cluster.io/role': 'control' }),
      'control,worker',
    ],
    [
      'the same one twice',
      labelled({ 'node-role.cluster.io/db': '', 'cluster.io/role': 'db' }),
      'db',
    ],
    ['empty ones', labelled({ 'node-role.cluster.io/': 'x', 'cluster.io/role': '' }), '<none>'],
  ]);
  t.end();
});

t.test('services', (t) => {
  const ports = [
    { port: 80, protocol: 'TCP' },
    { port: 53, nodePort: 30053, protocol: 'UDP' },
  ];
  checkCells(t, SERVICE, [
    [
      'one with all',
      {
        spec: {
          type: 'ClusterIP',
          clusterIPs: ['10.0.0.9', 'fd00::9'],
          ports,
          selector: { b: '2', a: '1' },
        },
      },
      ['a', 'ClusterIP', '10.0.0.9', '<none>', '80/TCP,53:30053/UDP', '5m', 'a=1,b=2'],
    ],
    [
      'a headless one',
      { spec: { type: 'ClusterIP', clusterIPs: ['None'] } },
      ['a', 'ClusterIP', 'None', '<none>', '<none>', '5m', '<none>'],
    ],
    ['an empty one', {}, ['a', '', '<none>', '<unknown>', '<none>', '5m', '<none>']],
  ]);
  const ingress = [{ hostname: 'b.example' }, { ip: '192.0.2.7' }, { ip: '192.0.2.7' }, {}];
  const balanced = (spec: object, status = {}) => ({
    spec: { type: 'LoadBalancer', ...spec },
    status,
  });
  checkColumn(t, SERVICE, 'External-IP', [
    ['none', { spec: { type: 'NodePort' } }, '<none>'],
    [
      'given',
      { spec: { type: 'NodePort', externalIPs: ['192.0.2.9', '192.0.2.8'] } },
      '192.0.2.9,192.0.2.8',
    ],
    ['another name', { spec: { type: 'ExternalName', externalName: 'b.example' } }, 'b.example'],
    ['not balanced yet', balanced({}), '<pending>'],
    ['balanced', balanced({}, { loadBalancer: { ingress } }), '192.0.2.7,b.example'],
    [
      'balanced and given',
      balanced({ externalIPs: ['192.0.2.1'] }, { loadBalancer: { ingress } }),
      '192.0.2.7,b.example,192.0.2.1',
    ],
    ['given and not balanced yet', balanced({ externalIPs: ['192.0.2.1'] }), '192.0.2.1'],
  ]);
  t.end();
});

t.test('endpoints', (t) => {
  const ips = ['10.0.0.1', '10.0.0.2', 'fd00::3', '10.0.0.4'].map((ip) => ({ ip }));
  const [http, https] = [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ];
  checkCells(t, ENDPOINTS, [['none', {}, ['a', '<none>', '5m']]]);
  checkColumn(t, ENDPOINTS, 'Endpoints', [
    ['no subsets', { subsets: [] }, '<none>'],
    ['none that is ready', { subsets: [{ notReadyAddresses: ips, ports: [http] }] }, ''],
    ['without ports', { subsets: [{ addresses: ips.slice(0, 3) }] }, '10.0.0.1,10.0.0.2,fd00::3'],
    [
      'too many without ports',
      { subsets: [{ addresses: ips }] },
      '10.0.0.1,10.0.0.2,fd00::3 + 1 more...',
    ],
    [
      'IPv6 in brackets',
      { subsets: [{ addresses: ips.slice(2), ports: [http] }] },
      '[fd00::3]:80,10.0.0.4:80',
    ],
    [
      'as many as are shown, from two subsets',
      {
        subsets: [
          { addresses: ips.slice(0, 2), ports: [http] },
          { addresses: ips.slice(3), ports: [https] },
        ],
      },
      '10.0.0.1:80,10.0.0.2:80,10.0.0.4:443',
    ],
    [
      'port by port',
      { subsets: [{ addresses: ips.slice(0, 2), ports: [http, https] }] },
      '10.0.0.1:80,10.0.0.2:80,10.0.0.1:443 + 1 more...',
    ],
    [
      'too many',
      { subsets: [{ addresses: ips, ports: [http, https] }, { addresses: ips }] },
      '10.0.0.1:80,10.0.0.2:80,[fd00::3]:80 + 9 more...',
    ],
  ]);
  t.end();
});

t.test('events', (t) => {
  const event = {
    type: 'Warning',
    reason: 'Failed',
    message: ' it failed\n',
    involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{app}' },
  };
  const about = ['Warning', 'Failed', 'pod/web', 'spec.containers{app}'];
  const { '5m': early, '90s': later, '30s': late } = AGO;
  checkCells(t, EVENT, [
    [
      'of old',
      {
        ...event,
        source: { component: 'agent', host: 'n1' },
        firstTimestamp: early,
        lastTimestamp: later,
        count: 4,
      },
      ['90s', ...about, 'agent, n1', 'it failed', '5m', 4, 'a'],
    ],
    [
      'a single new one',
      { ...event, reportingComponent: 'planner', reportingInstance: 'p-1', eventTime: later },
      ['90s', ...about, 'planner, p-1', 'it failed', '90s', 1, 'a'],
    ],
    [
      'a series',
      {
        ...event,
        reportingComponent: 'planner',
        eventTime: early,
        series: { count: 9, lastObservedTime: late },
      },
      ['30s', ...about, 'planner', 'it failed', '5m', 9, 'a'],
    ],
    [
      'an empty series',
      { ...event, eventTime: early, lastTimestamp: later, series: {} },
      ['<unknown>', ...about, '', 'it failed', '5m', 0, 'a'],
    ],
    ['an empty one', {}, ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, 'a']],
  ]);
  const named = (involvedObject: object) => ({ involvedObject });
  checkColumn(t, EVENT, 'Object', [
    ['without a name', named({ kind: 'ReplicaSet' }), 'replicaset'],
    ['without a kind', named({ name: 'web' }), '/web'],
  ]);
  checkColumn(t, EVENT, 'Source', [
    ['a host alone', { source: { host: 'n1' } }, ', n1'],
    [
      'the older member counts first',
      { source: { component: 'agent' }, reportingComponent: 'planner', reportingInstance: 'p' },
      'agent, p',
    ],
  ]);
  t.end();
});

t.test('namespaces, config maps, secrets, service accounts', (t) => {
  checkCells(t, NAMESPACE, [
    ['in use', { status: { phase: 'Active' } }, ['a', 'Active', '5m']],
    ['without a status', UNKNOWN_AGE, ['a', '', '<unknown>']],
    [
      'what its status says counts',
      { metadata: GONE, status: { phase: 'Active' } },
      ['a', 'Active', '5m'],
    ],
  ]);
  checkCells(t, CONFIG_MAP, [
    ['both maps count', { data: { a: '', b: '2' }, binaryData: { c: '' } }, ['a', 3, '5m']],
    ['an empty one', {}, ['a', 0, '5m']],
  ]);
  checkCells(t, SECRET, [
    ['some data', { type: 'Opaque', data: { a: 'AA==' } }, ['a', 'Opaque', 1, '5m']],
    ['none', {}, ['a', '', 0, '5m']],
  ]);
  checkCells(t, SERVICE_ACCOUNT, [
    ['with secrets', { secrets: [{ name: 'b' }, { name: 'c' }] }, ['a', 2, '5m']],
    ['without', { imagePullSecrets: [{ name: 'b' }] }, ['a', 0, '5m']],
  ]);
  t.end();
});

t.test('volumes', (t) => {
  const annotations = { 'volume.beta.cluster.io/storage-class': 'old' };
  const spec = {
    capacity: { storage: '5Gi' },
    accessModes: ['ReadOnlyMany', 'ReadWriteOnce', 'ReadOnlyMany'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: 'fast',
    volumeMode: 'Block',
  };
  const claimRef = { namespace: 'ns', name: 'data' };
  checkCells(t, PERSISTENT_VOLUME, [
    [
      'bound',
      { spec: { ...spec, claimRef }, status: { phase: 'Bound' } },
      ['a', '5Gi', 'RWO,ROX', 'Retain', 'Bound', 'ns/data', 'fast', '', '5m', 'Block'],
    ],
    [
      'failed, with a class of old',
      { metadata: { annotations }, spec, status: { phase: 'Failed', reason: 'Broken' } },
      ['a', '5Gi', 'RWO,ROX', 'Retain', 'Failed', '', 'old', 'Broken', '5m', 'Block'],
    ],
    [
      'about to go',
      { metadata: GONE, status: { phase: 'Bound' } },
      ['a', '0', '', '', 'Terminating', '', '', '', '5m', '<unset>'],
    ],
    ['empty', {}, ['a', '0', '', '', '', '', '', '', '5m', '<unset>']],
  ]);
  const modes = ['ReadWriteOncePod', 'ReadWriteMany', 'Other', 'ReadWriteOnce', 'ReadOnlyMany'];
  checkColumn(t, PERSISTENT_VOLUME, 'Access Modes', [
    ['all', { spec: { accessModes: modes } }, 'RWO,ROX,RWX,RWOP'],
  ]);
  const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '8Gi' } };
  const claimed = { storageClassName: 'fast', volumeMode: 'Filesystem' };
  checkCells(t, PERSISTENT_VOLUME_CLAIM, [
    [
      'bound',
      { spec: { ...claimed, volumeName: 'v' }, status },
      ['a', 'Bound', 'v', '8Gi', 'RWO', 'fast', '5m', 'Filesystem'],
    ],
    [
      'without a volume nothing is known of it',
      { spec: claimed, status: { ...status, phase: 'Pending' } },
      ['a', 'Pending', '', '', '', 'fast', '5m', 'Filesystem'],
    ],
    [
      'a volume of no known size',
      { spec: { volumeName: 'v' }, status: { phase: 'Lost' } },
      ['a', 'Lost', 'v', '0', '', '', '5m', '<unset>'],
    ],
    [
      'about to go, with a class of old',
      { metadata: { ...GONE, annotations }, spec: claimed, status: { phase: 'Bound' } },
      ['a', 'Terminating', '', '', '', 'old', '5m', 'Filesystem'],
    ],
    ['empty', {}, ['a', '', '', '', '', '', '5m', '<unset>']],
  ]);
  t.end();
});

t.test('templates and controllers of pods', (t) => {
  const containers = [
    { name: 'app', image: 'app:1' },
    { name: 'side', image: 'side:2' },
  ];
  const template = { metadata: { labels: { b: '2', a: '1' } }, spec: { containers } };
  const [names, images] = ['app,side', 'app:1,side:2'];
  checkCells(t, POD_TEMPLATE, [
    ['one', { template }, ['a', names, images, 'a=1,b=2']],
    ['an empty one', {}, ['a', '', '', '<none>']],
  ]);
  checkCells(t, REPLICATION_CONTROLLER, [
    [
      'one that runs',
      {
        spec: { replicas: 3, selector: { app: 'x' }, template },
        status: { replicas: 2, readyReplicas: 1 },
      },
      ['a', 3, 2, 1, '5m', names, images, 'app=x'],
    ],
    ['an empty one', {}, ['a', 0, 0, 0, '5m', '', '', '<none>']],
  ]);
  t.end();
});

t.test('quotas', (t) => {
  const hard = { 'requests.cpu': '2', pods: '10', 'limits.memory': '1Gi', 'limits.cpu': '4' };
  const used = { pods: '3', 'limits.cpu': '500m' };
  checkCells(t, RESOURCE_QUOTA, [
    [
      'what is used, by name',
      { spec: { hard: { secrets: '5' } }, status: { hard, used } },
      ['a', '5m', 'pods: 3/10, requests.cpu: 0/2', 'limits.cpu: 500m/4, limits.memory: 0/1Gi'],
    ],
    [
      'a name of every object',
      { status: { hard: { constructor: '1' } } },
      ['a', '5m', 'constructor: 0/1', ''],
    ],
    ['not counted yet', { spec: { hard } }, ['a', '5m', '', '']],
  ]);
  t.end();
});

t.test('component statuses', (t) => {
  const rows: [conditions: ComponentStatus['conditions'], cells: unknown[]][] = [
    [undefined, ['a', 'Unknown', '', '']],
    [[{ type: 'Other', status: 'True' }], ['a', 'Unknown', '', '']],
    [[{ type: 'Healthy', status: 'True', message: 'ok' }], ['a', 'Healthy', 'ok', '']],
    [[{ type: 'Healthy', status: 'False', error: 'down' }], ['a', 'Unhealthy', '', 'down']],
  ];
  for (const [conditions, cells] of rows) {
    const component = printedObject({ conditions }) as ComponentStatus;
    t.strictSame(COMPONENT_STATUS_PRINTER.cells(component), cells);
  }
  t.end();
});
