import t from 'tap';
import { KINDS, resourceKey } from '../../src/resources/registry.ts';
import { enabledTypes, runningKinds, RuntimeConfigError } from '../../src/types/runtime-config.ts';
import { BUILT_IN_TYPES } from '../../src/types/served-types.ts';

const typesWith = (text: string): string[] =>
  enabledTypes(BUILT_IN_TYPES, text).map(
    ({ groupVersion, definition }) => `${groupVersion}/${definition.plural}`,
  );
const ALL = typesWith('');

const ALPHA = [
  'storage.cluster.io/v1alpha1/csistoragecapacities',
  'node.cluster.io/v1alpha1/runtimeclasses',
  'internal.apiserver.cluster.io/v1alpha1/storageversions',
];

t.test('nothing given serves everything that is not alpha', (t) => {
  t.equal(ALL.length, BUILT_IN_TYPES.length - ALPHA.length);
  t.notOk(ALL.some((type) => ALPHA.includes(type)));
  t.same(typesWith('batch/v1'), ALL, 'an omitted value means true');
  t.end();
});

t.test('a version is switched off with all its resources', (t) => {
  t.same(
    typesWith('batch/v1=false'),
    ALL.filter((type) => !type.startsWith('batch/v1/')),
    'and other versions of its kinds stay',
  );
  t.notOk(typesWith('v1=false').includes('v1/configmaps'), 'v1 is the core group');
  t.end();
});

t.test('a resource wins over its version', (t) => {
  t.same(
    typesWith('v1/secrets=false'),
    ALL.filter((type) => type !== 'v1/secrets'),
  );
  const only = typesWith('v1=false, v1/secrets=true');
  t.ok(only.includes('v1/secrets'));
  t.notOk(only.includes('v1/configmaps'));
  t.end();
});

t.test('all versions, and those of a stage', (t) => {
  const isBeta = (type: string): boolean => /\/v[0-9]+beta[0-9]+\//.test(type);
  t.same(
    typesWith('api/beta=false'),
    ALL.filter((type) => !isBeta(type)),
  );
  t.same(typesWith('api/ga=false'), ALL.filter(isBeta), 'and alpha stays off');
  t.same(typesWith('api/all=false,api/beta'), ALL.filter(isBeta), 'a stage wins over all');
  t.same(typesWith('api/beta,api/all=false'), ALL.filter(isBeta), 'in any order');
  t.same(typesWith('v1/secrets=true,api/all=false,policy/v1'), [
    'v1/secrets',
    'policy/v1/poddisruptionbudgets',
  ]);
  for (const all of ['api/alpha', 'api/all']) {
    t.same(typesWith(all), typesWith(ALPHA.join(',')), all);
    t.same(
      typesWith(all).filter((type) => !ALL.includes(type)),
      ALPHA,
      all,
    );
  }
  t.same(typesWith('api/all=false,api/alpha'), ALPHA);
  t.same(typesWith('api/all,api/alpha=false'), ALL);
  t.throws(() => typesWith('api/all=false'), RuntimeConfigError, 'nothing would be served');
  for (const pair of ['api/none', 'api/all=maybe']) {
    t.throws(() => typesWith(pair), RuntimeConfigError, pair);
  }
  t.end();
});

t.test('an alpha version is switched on by its name, or that of a resource', (t) => {
  const [version = '', resource = ''] = ALPHA;
  t.same(
    typesWith('storage.cluster.io/v1alpha1').filter((type) => !ALL.includes(type)),
    [version],
  );
  t.same(
    typesWith(resource).filter((type) => !ALL.includes(type)),
    [resource],
  );
  t.same(typesWith('api/alpha,node.cluster.io/v1alpha1=false').length, ALL.length + 2);
  t.end();
});

t.test('a kind whose versions are all off has a shard only if it has a log', (t) => {
  const alpha = 'storageversions.internal.apiserver.cluster.io';
  const running = (text: string, logs: readonly string[] = []): string[] =>
    runningKinds(enabledTypes(BUILT_IN_TYPES, text), logs).map(resourceKey);
  const all = KINDS.map(resourceKey);
  t.same(
    running(''),
    all.filter((key) => key !== alpha),
  );
  t.same(running('', [alpha]), all);
  t.same(running('api/alpha'), all);
  t.same(running('v1=false,api/alpha'), all, 'others refer to what is not alpha');
  t.end();
});

t.test('a version that does not exist is told of, and changes nothing', (t) => {
  for (const key of [
    'batch/v2alpha1',
    'flowcontrol.apiserver.cluster.io/v1alpha1',
    'v2',
    'apps/v1beta2/deployments',
    'v9/pods',
  ]) {
    for (const pair of [key, `${key}=true`, `${key}=false`]) {
      const warnings: string[] = [];
      const warn = (line: string): void => void warnings.push(line);
      const types = enabledTypes(BUILT_IN_TYPES, `${pair},v1=false`, warn);
      t.equal(types.length, typesWith('v1=false').length, pair);
      t.same(warnings, [`--runtime-config: this server has no version ${key}: ignored`], pair);
    }
  }
  t.end();
});

for (const text of [
  'nope/v1',
  'nope/v2alpha1',
  'batch/v2alpha1=maybe',
  'v1/a/b',
  'batch',
  'batch/v1=maybe',
  'batch/v1=true=false',
  'v1/pods2=true',
]) {
  t.test(`refuses ${text}`, (t) => {
    t.throws(() => typesWith(text), RuntimeConfigError);
    t.end();
  });
}
