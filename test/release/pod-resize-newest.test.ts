// How pods are resized in the newest release, and what their status says.
import t from 'tap';
import type { Pod } from '#messages/core.v1';
import '../support/newest-release.ts';

const { RESIZE } = await import('../../src/resources/core/pods/pod-resize.ts');
const { POD } = await import('../../src/resources/core/pods/pod.ts');
const { DEFAULT_GATES } = await import('../../src/release/own-gates.ts');

const pod = (cpu: string, more: object = {}): Pod => ({
  metadata: { name: 'a' },
  spec: {
    containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu } }, ...more }],
    initContainers: [{ name: 'init', image: 'init:1', resources: { requests: { cpu: '1' } } }],
  },
  status: { qosClass: 'Burstable' },
});

function resize(sent: Pod, stored: Pod): { resized: Pod; found: string[] } {
  const resized = RESIZE.merge(sent, structuredClone(stored), DEFAULT_GATES);
  const errors = RESIZE.validateUpdate?.(resized, stored, DEFAULT_GATES) ?? [];
  return { resized, found: errors.map(({ field, message }) => `${field}: ${message}`) };
}

t.test('what containers ask for changes, and nothing else', async (t) => {
  const { resized, found } = resize(pod('2', { image: 'other:1' }), pod('1'));
  t.same(found, []);
  t.same(resized, pod('2'));
});

t.test('it does not go, and other resources stay', async (t) => {
  t.same(resize(pod('2', { resources: {} }), pod('1')).found, [
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
  ]);
  const more = { resources: { requests: { cpu: '1', 'example.com/gpu': '1' } } };
  t.same(resize(pod('1', more), pod('1')).found, [
    'spec: Forbidden: only cpu and memory resources are mutable',
  ]);
});

t.test('containers have the same names, in the same order', async (t) => {
  t.same(resize(pod('2', { name: 'b' }), pod('1')).found, [
    'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
  ]);
  const { spec, ...rest } = pod('2');
  t.same(resize({ ...rest, spec: { ...spec, initContainers: [] } }, pod('1')).found, [
    'spec.initContainers: Forbidden: initContainers may not be added or removed on resize',
  ]);
});

t.test('the class of service stays', async (t) => {
  const limited = { resources: { requests: { cpu: '1', memory: '1' }, limits: { cpu: '1' } } };
  const stored = pod('1', limited);
  stored.status = { qosClass: 'Guaranteed' };
  t.same(resize(pod('1', limited), stored).found, [
    'spec: Invalid value: "Guaranteed": Pod QOS Class may not change as a result of resizing',
  ]);
});

t.test('pods of files and of Windows are not resized', async (t) => {
  const stored = pod('1');
  stored.spec = { ...stored.spec, os: { name: 'windows' } };
  t.same(resize(pod('2'), stored).found, [': Forbidden: windows pods cannot be resized']);
});

t.test('a status keeps what its writer does not know, and fixed members', async (t) => {
  const stored = pod('1');
  stored.status = {
    qosClass: 'Burstable',
    observedGeneration: 3,
    conditions: [{ type: 'Ready', observedGeneration: 2 }],
  };
  const sent = pod('1');
  sent.status = { conditions: [{ type: 'Ready', status: 'True' }], hostIPs: [{ ip: '10.0.0.1' }] };
  POD.prepareForStatusUpdate?.(sent, stored, DEFAULT_GATES);
  t.match(sent.status, {
    qosClass: 'Burstable',
    observedGeneration: 3,
    conditions: [{ type: 'Ready', status: 'True', observedGeneration: 2 }],
  });
  sent.status.qosClass = 'Guaranteed';
  sent.status.observedGeneration = -1;
  const errors = POD.validateStatusUpdate?.(sent, stored, 'v1', DEFAULT_GATES) ?? [];
  t.same(
    errors.map(({ field, message }) => `${field}: ${message}`),
    [
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
      'status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`',
    ],
  );
});

t.test('a container runs again where its own rules let it', async (t) => {
  const ended = (name: string, exitCode: number): object => ({
    name,
    state: { terminated: { exitCode } },
  });
  const on = (...values: number[]): object => ({
    restartPolicy: 'Never',
    restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values } }],
  });
  const stored = {
    metadata: { name: 'a' },
    spec: {
      restartPolicy: 'Never',
      containers: [
        { name: 'one', image: 'a', ...on(42) },
        { name: 'two', image: 'a', ...on(42) },
      ],
      initContainers: [{ name: 'sidecar', image: 'a', restartPolicy: 'Always' }],
    },
    status: {
      containerStatuses: [ended('one', 42), ended('two', 1)],
      initContainerStatuses: [ended('sidecar', 0), ended('other', 1)],
    },
  };
  const running = (name: string): object => ({ name, state: { running: {} } });
  const sent = {
    ...stored,
    status: {
      containerStatuses: [running('one'), running('two')],
      initContainerStatuses: [running('sidecar'), running('other')],
    },
  };
  const errors = POD.validateStatusUpdate?.(sent, stored, 'v1', DEFAULT_GATES) ?? [];
  const why = 'Forbidden: may not be transitioned to non-terminated state';
  t.same(
    errors.map(({ field, message }) => `${field}: ${message}`),
    [`status.containerStatuses[1].state: ${why}`, `status.initContainerStatuses[1].state: ${why}`],
  );
});
