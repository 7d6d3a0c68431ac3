/** Rows of the catalogue cannot say this of a Pod. */
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import { POD } from '../../src/resources/core/pods/pod.ts';
import { CONTAINER, CONTAINER_DEFAULTS, container, MINIMAL } from '../support/pod-cases.ts';
import type { Change } from '../support/kind-cases.ts';
import { merged } from './kind-rules.ts';
import { PreparedKind } from './prepared-kind.ts';

const PODS = new PreparedKind(POD);

const created = (change: Change = {}): Pod => {
  const { object, errors } = PODS.create(merged(MINIMAL, change) as Change);
  if (errors.length > 0) throw new Error(errors.join('; '));
  return object as Pod;
};

const withStatus = (stored: Pod, status: Change): Pod =>
  ({ ...stored, status: { ...stored.status, ...status } }) as Pod;

t.test('13.4: the class of service follows from requests and limits', async (t) => {
  const both = { cpu: '1', memory: '1Gi' };
  const rows: [string, Change, string][] = [
    ['nothing', {}, 'BestEffort'],
    ['nothing that counts', { limits: { 'ephemeral-storage': '1Gi' } }, 'BestEffort'],
    ['zero', { requests: { cpu: '0' } }, 'BestEffort'],
    ['a request', { requests: { cpu: '1' } }, 'Burstable'],
    ['one limit', { limits: { cpu: '1' } }, 'Burstable'],
    ['limits', { limits: both }, 'Guaranteed'],
    ['equal ones', { limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }, 'Guaranteed'],
    ['less than the limits', { limits: both, requests: { cpu: '999m' } }, 'Burstable'],
  ];
  for (const [rule, resources, qosClass] of rows) {
    const { status } = created(container({ resources }));
    t.same(status, { phase: 'Pending', qosClass }, rule);
  }
  const half = { containers: [CONTAINER, { name: 'b', image: 'b', resources: { limits: both } }] };
  t.equal(created({ spec: half }).status?.qosClass, 'Burstable', 'every container counts');
});

t.test('4.2: how long a deletion waits', async (t) => {
  const rows: [string, Change, number | undefined, number][] = [
    ['not scheduled', {}, 20, 0],
    ['the default', { nodeName: 'n' }, undefined, 30],
    ['its own time', { nodeName: 'n', terminationGracePeriodSeconds: 5 }, undefined, 5],
    ['what is asked for', { nodeName: 'n' }, 7, 7],
    ['nothing is asked for', { nodeName: 'n' }, 0, 0],
    ['negative', { nodeName: 'n', terminationGracePeriodSeconds: -5 }, undefined, 1],
  ];
  for (const [rule, spec, requested, seconds] of rows) {
    t.equal(POD.gracePeriodSeconds?.(created({ spec }), requested), seconds, rule);
  }
  const pod = created({ spec: { nodeName: 'n' } });
  for (const phase of ['Succeeded', 'Failed']) {
    t.equal(POD.gracePeriodSeconds?.(withStatus(pod, { phase }), 9), 0, phase);
  }
});

t.test('7.6: fields that selectors may name', async (t) => {
  const spec = { nodeName: 'n', schedulerName: 's', serviceAccount: 'a', restartPolicy: 'Never' };
  const podIPs = [{ ip: '10.0.0.1' }];
  const status = { podIP: '10.0.0.1', podIPs, nominatedNodeName: 'm' };
  const pod = withStatus(created({ spec }), status);
  const fields = Object.entries(POD.selectableFields ?? {});
  t.strictSame(Object.fromEntries(fields.map(([name, valueOf]) => [name, valueOf(pod)])), {
    'spec.nodeName': 'n',
    'spec.host': 'n',
    'spec.restartPolicy': 'Never',
    'spec.schedulerName': 's',
    'spec.serviceAccountName': 'a',
    'status.phase': 'Pending',
    'status.podIP': '10.0.0.1',
    'status.podIPs': '',
    'status.nominatedNodeName': 'm',
  });
});

const DEBUG = { name: 'debug', image: 'debug:1' };
const debugging = (...containers: Change[]): Change => ({
  metadata: { name: 'a' },
  spec: { ephemeralContainers: containers },
});

t.test('13.5: ephemeral containers are added, and nothing else is written', async (t) => {
  const pod = created();
  const { object, errors } = PODS.replace(
    pod,
    merged(debugging({ ...DEBUG, targetContainerName: 'app' }), {
      spec: { nodeName: 'elsewhere', containers: [] },
    }) as Change,
    'ephemeralcontainers',
  );
  t.same(errors, []);
  const added = { ...DEBUG, targetContainerName: 'app', ...CONTAINER_DEFAULTS };
  t.strictSame((object as Pod).spec, { ...pod.spec, ephemeralContainers: [added] });
  const again = PODS.replace(
    object,
    debugging({ ...DEBUG, targetContainerName: 'app' }, { name: 'more', image: 'b' }),
    'ephemeralcontainers',
  );
  t.same(again.errors, [], 'another one is added');
  const main = PODS.update(object, { spec: { ephemeralContainers: [] } });
  t.match(main.errors, [/^spec: Forbidden: pod updates may not change/], 'not through the pod');
});

t.test('13.5: ephemeral containers: what is refused', async (t) => {
  const AT = 'spec.ephemeralContainers[0]';
  const rows: [string, Change, string[]][] = [
    ['a name', { name: undefined }, [`${AT}: Required value: ephemeralContainer requires a name`]],
    ['an image', { image: undefined }, [`${AT}.image: Required value`]],
    ['another name', { name: 'app' }, [`${AT}.name: Duplicate value: "app"`]],
    [
      'a target that is there',
      { targetContainerName: 'x' },
      [`${AT}.targetContainerName: Not found: "x"`],
    ],
    [
      'nothing to rely on',
      {
        ports: [{ containerPort: 1 }],
        lifecycle: {},
        resources: { limits: { cpu: '1' } },
      },
      ['ports', 'lifecycle', 'resources'].map(
        (member) => `${AT}.${member}: Forbidden: cannot be set for an Ephemeral Container`,
      ),
    ],
    [
      'nothing that is empty either',
      { ports: [], resources: { requests: {} } },
      ['ports', 'resources'].map(
        (member) => `${AT}.${member}: Forbidden: cannot be set for an Ephemeral Container`,
      ),
    ],
  ];
  for (const [rule, change, errors] of rows) {
    const members = debugging(merged(DEBUG, change) as Change);
    t.same(PODS.replace(created(), members, 'ephemeralcontainers').errors, errors, rule);
  }
  const { object } = PODS.replace(created(), debugging(DEBUG), 'ephemeralcontainers');
  const what = 'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not';
  t.same(
    PODS.replace(object, debugging(), 'ephemeralcontainers').errors,
    [`${what} be removed\n`],
    'none is removed',
  );
  t.same(
    PODS.replace(object, debugging({ ...DEBUG, tty: true }), 'ephemeralcontainers').errors,
    [`${what} be changed\n`],
    'none is changed',
  );
  const annotations = { 'cluster.io/config.mirror': 'x' };
  const mirror = created({ metadata: { annotations }, spec: { nodeName: 'n' } });
  t.same(
    PODS.replace(mirror, debugging(DEBUG), 'ephemeralcontainers').errors,
    [],
    'mirror pods take them too',
  );
});

t.test('a container that has ended for good does not come back', async (t) => {
  const ended = (exitCode: number): Change => ({
    containerStatuses: [{ name: 'app', state: { terminated: { exitCode } } }],
  });
  const back = 'may not be transitioned to non-terminated state';
  const rows: [restartPolicy: string, exitCode: number, errors: string[]][] = [
    ['Always', 0, []],
    ['OnFailure', 1, []],
    ['OnFailure', 0, [`status.containerStatuses[0].state: Forbidden: ${back}`]],
    ['Never', 1, [`status.containerStatuses[0].state: Forbidden: ${back}`]],
  ];
  for (const [restartPolicy, exitCode, errors] of rows) {
    const pod = withStatus(created({ spec: { restartPolicy } }), ended(exitCode));
    const status = { containerStatuses: [{ name: 'app', state: { running: {} } }] };
    t.same(PODS.update(pod, { status }, 'status').errors, errors, `${restartPolicy} ${exitCode}`);
  }
});

t.test('a status is all that its write changes, and has its address twice', async (t) => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
  const pod = created({ metadata: { ownerReferences: [owner] } });
  const { object } = PODS.update(
    pod,
    {
      metadata: { ownerReferences: [{ ...owner, uid: 'other' }] },
      spec: { nodeName: 'elsewhere' },
      status: { podIP: '10.0.0.1' },
    },
    'status',
  );
  t.strictSame(object.metadata.ownerReferences, [owner]);
  t.strictSame((object as Pod).spec, pod.spec);
  t.strictSame((object as Pod).status?.podIPs, [{ ip: '10.0.0.1' }]);
  const two = PODS.update(object, { status: { podIP: '10.0.0.2' } }, 'status').object as Pod;
  t.strictSame(two.status?.podIPs, [{ ip: '10.0.0.2' }], 'the single one counts');
  const list = { status: { podIPs: [{ ip: '10.0.0.3' }] } };
  const three = PODS.update(pod, list, 'status').object as Pod;
  t.equal(three.status?.podIP, '10.0.0.3');
});
