// How pods are resized in the first release that has a subresource for it, as a feature.
import t from 'tap';
import type { Container, Pod } from '#messages/core.v1';
import { chooseRelease } from '../../src/release/release.ts';

chooseRelease(32);
const { RESIZE } = await import('../../src/resources/core/pods/pod-resize.ts');
const { DEFAULT_GATES } = await import('../../src/release/own-gates.ts');
const { enabledApi } = await import('../../src/types/runtime-config.ts');

const { applyPodOnlyDefaults } = await import('../../src/resources/core/pods/pod-defaults.ts');

const GATES = new Set([...DEFAULT_GATES, 'InPlacePodVerticalScaling' as const]);

function pod(...containers: readonly object[]): Pod {
  return {
    metadata: { name: 'a' },
    spec: { containers: [...containers] },
    status: { qosClass: 'Burstable' },
  };
}

const app = (cpu: string, more: object = {}): object => ({
  name: 'app',
  image: 'app:1',
  resources: { requests: { cpu } },
  ...more,
});

function resize(sent: Pod, stored: Pod): { resized: Pod; found: string[] } {
  const resized = RESIZE.merge(sent, structuredClone(stored), GATES);
  const errors = RESIZE.validateUpdate?.(resized, stored, GATES) ?? [];
  return { resized, found: errors.map(({ field, message }) => `${field}: ${message}`) };
}

t.test('it is served where the feature is on', async (t) => {
  const partsOfPods = (featureGates: typeof GATES | typeof DEFAULT_GATES): readonly string[] => {
    const { types } = enabledApi({ runtimeConfig: '', featureGates });
    const pods = types.find(({ definition }) => definition.plural === 'pods');
    return Object.keys(pods?.definition.parts ?? {});
  };
  t.same(partsOfPods(DEFAULT_GATES), ['ephemeralcontainers']);
  t.same(partsOfPods(GATES), ['ephemeralcontainers', 'resize']);
});

t.test('containers of the same names are resized, and a proposal is told', async (t) => {
  const { resized, found } = resize(
    pod(app('2', { image: 'other:1' }), { name: 'new' }),
    pod(app('1')),
  );
  t.same(found, []);
  t.same(resized.spec, pod(app('2')).spec);
  t.same(resized.status, { qosClass: 'Burstable', resize: 'Proposed' });
  t.same(resize(pod(app('1')), pod(app('1'))).resized.status, { qosClass: 'Burstable' });
});

t.test('what is asked for does not go, and other resources stay', async (t) => {
  t.same(resize(pod(app('1', { resources: { limits: { cpu: '1' } } })), pod(app('1'))).found, [
    'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
  ]);
  const more = { resources: { requests: { cpu: '1', 'example.com/gpu': '1' } } };
  t.same(resize(pod(app('1', more)), pod(app('1'))).found, [
    'spec: Forbidden: only cpu and memory resources are mutable',
  ]);
  const limited = { resources: { requests: { cpu: '1' }, limits: { 'example.com/gpu': '1' } } };
  t.same(resize(pod(app('1', limited)), pod(app('1'))).found, [], 'those that there were none of');
});

t.test('containers say that what they ask for is resized without a restart', async (t) => {
  const policyOf = (container: Container, gates = GATES): unknown => {
    const spec = { containers: [structuredClone(container)] };
    applyPodOnlyDefaults(spec, gates);
    return spec.containers[0]?.resizePolicy;
  };
  const [cpu, memory] = ['cpu', 'memory'].map((resourceName) => ({
    resourceName,
    restartPolicy: 'NotRequired',
  }));
  const limits = { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' };
  t.same(policyOf({ resources: { limits } }), [cpu, memory]);
  const said = { resourceName: 'memory', restartPolicy: 'RestartContainer' };
  t.same(policyOf({ resources: { limits }, resizePolicy: [said] }), [said, cpu]);
  t.same(policyOf({ resources: { requests: { 'example.com/gpu': '1' } } }), undefined);
  t.same(policyOf({ resources: { limits } }, new Set(DEFAULT_GATES)), undefined);
});
