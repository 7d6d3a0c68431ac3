// Pods use quotas in the newest release.
import t from 'tap';
import type { PersistentVolumeClaim, Pod } from '#messages/core.v1';
import '../support/newest-release.ts';

const { checkScopes, checkScopeSelector } =
  await import('../../src/resources/core/resource-quota-scopes.ts');
const { claimScopes, isInScope } = await import('../../src/quota/scopes.ts');
const { isPodResource, podUsage, unsaidResources } = await import('../../src/quota/pod-usage.ts');

const needs = (name: string, cpu: string, more: object = {}) => ({
  name,
  resources: { requests: { cpu } },
  ...more,
});
const cpuOf = (spec: object, status: object = {}): string | undefined =>
  podUsage({ metadata: {}, spec, status } as Pod)['requests.cpu'];

t.test('containers that run beside others count with those', async (t) => {
  const sidecar = needs('beside', '1', { restartPolicy: 'Always' });
  const containers = [needs('app', '2')];
  t.equal(cpuOf({ containers, initContainers: [sidecar] }), '3');
  t.equal(cpuOf({ containers, initContainers: [sidecar, needs('before', '4')] }), '5');
  t.equal(cpuOf({ containers, initContainers: [needs('before', '4'), sidecar] }), '4');
});

t.test('what a pod asks for as a whole counts', async (t) => {
  const resources = { requests: { cpu: '5' } };
  const containers = [needs('app', '2')];
  t.equal(cpuOf({ containers, resources }), '5');
  t.equal(cpuOf({ containers, resources, overhead: { cpu: '1' } }), '6');
});

t.test('so does what a pod still has that is resized', async (t) => {
  const spec = { containers: [needs('app', '2')] };
  const status = (cpu: string, more: object = {}): object => ({
    containerStatuses: [{ name: 'app', resources: { requests: { cpu } } }],
    ...more,
  });
  t.equal(cpuOf(spec, status('3')), '3');
  t.equal(cpuOf(spec, status('1')), '2');
  const conditions = [{ type: 'PodResizePending', reason: 'Infeasible' }];
  t.equal(cpuOf(spec, status('1', { conditions })), '1');
});

t.test('containers that do not say what a quota is about are named', async (t) => {
  const unsaid = (spec: object): string =>
    unsaidResources({ metadata: {}, spec } as Pod, ['limits.cpu', 'requests.memory']);
  const memory = { name: 'b', resources: { requests: { memory: '1' } } };
  t.equal(
    unsaid({ containers: [memory, { name: 'a' }] }),
    'limits.cpu for: a,b; requests.memory for: a',
  );
  t.equal(unsaid({ containers: [memory], resources: { limits: { cpu: '1' } } }), '');
});

t.test('some scopes only exist', async (t) => {
  const problems = (scopeName: string, operator: string, values: string[]): string[] => {
    const errors: { message: string }[] = [];
    const scopeSelector = { matchExpressions: [{ scopeName, operator, values }] };
    checkScopeSelector({ scopeSelector }, 'm', errors as never);
    return errors.map(({ message }) => message);
  };
  t.same(problems('VolumeAttributesClass', 'In', ['gold']), []);
  t.match(problems('Terminating', 'In', ['x']).join(), /must be 'Exists' when scope is any of /);
});

t.test('a scope of claims', async (t) => {
  const scopeName = 'VolumeAttributesClass';
  const problems = (hard: string): readonly string[] => {
    const errors: { message: string }[] = [];
    checkScopes({ hard: { [hard]: '1' }, scopes: [scopeName] }, 'spec.scopes', errors as never);
    return errors.map(({ message }) => message);
  };
  t.same(problems('requests.storage'), []);
  t.same(problems('pods'), [
    `Invalid value: ["${scopeName}"]: unsupported scope applied to resource`,
  ]);
  const isIn = (claim: object, operator: string, ...values: string[]): boolean =>
    isInScope(
      { scopeName, operator, values },
      claimScopes({ metadata: {}, ...claim } as PersistentVolumeClaim),
    );
  const gold = { spec: { volumeAttributesClassName: 'gold' } };
  const becomesGold = {
    status: { modifyVolumeStatus: { targetVolumeAttributesClassName: 'gold' } },
  };
  for (const claim of [gold, becomesGold]) {
    t.equal(isIn(claim, 'Exists'), true);
    t.equal(isIn(claim, 'In', 'gold'), true);
    t.equal(isIn(claim, 'In', 'silver'), false);
  }
  t.equal(isIn({}, 'Exists'), false);
  t.equal(isIn({}, 'DoesNotExist'), true);
  t.equal(isInScope({ scopeName: 'Terminating' }, claimScopes({ metadata: {} })), false);
});

t.test('devices count that are asked for by the name of their class', async (t) => {
  const name = 'deviceclass.resource.cluster.io/gpu';
  const containers = [{ name: 'a', resources: { requests: { [name]: '2' } } }];
  const usage = podUsage({ metadata: {}, spec: { containers } } as Pod);
  t.equal(usage[`requests.${name}`], '2');
  t.ok(isPodResource(`requests.${name}`));
  t.notOk(isPodResource('requests.storage.cluster.io/gpu'));
});
