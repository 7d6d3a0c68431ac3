/** Defaults of pod specs that depend on other fields. */
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { textMap } from '../../src/base/text/text-map.ts';
import { applyPodSpecDefaults } from '../../src/resources/core/pods/pod-defaults.ts';
import { applyPodTemplateDefaults } from '../../src/resources/core/pods/pod-template.ts';

const policyOf = (image: string, imagePullPolicy?: string): string | undefined => {
  const container = { image, ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }) };
  applyPodSpecDefaults({ containers: [container] }, DEFAULT_GATES);
  return container.imagePullPolicy;
};

t.test('imagePullPolicy is Always for untagged and latest images, else IfNotPresent', (t) => {
  const rows: [string, string][] = [
    ['app', 'Always'],
    ['app:latest', 'Always'],
    ['registry:5000/team/app', 'Always'],
    ['registry:5000/team/app:1.2', 'IfNotPresent'],
    ['app:1', 'IfNotPresent'],
    ['localhost/app', 'Always'],
    ['Registry.example.com/app', 'Always'],
    ['a_b.c/app__x--y', 'Always'],
    ['a b', 'IfNotPresent'],
    [' app', 'IfNotPresent'],
    ['App', 'IfNotPresent'],
    ['team/App', 'IfNotPresent'],
    ['-app', 'IfNotPresent'],
    ['app:latest@sha256:0', 'IfNotPresent'],
    [`app:latest@sha256:${'0'.repeat(64)}`, 'Always'],
    ['app:-latest', 'IfNotPresent'],
    ['a'.repeat(64), 'IfNotPresent'],
    ['x'.repeat(237), 'Always'],
    ['x'.repeat(238), 'IfNotPresent'],
    ['', 'IfNotPresent'],
    [`app@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
  ];
  for (const [image, policy] of rows) t.equal(policyOf(image), policy, image);
  t.equal(policyOf('app', 'Never'), 'Never', 'what is given stays');
  t.end();
});

t.test('init containers get it too', (t) => {
  const spec = { initContainers: [{ image: 'app:1' }] };
  applyPodSpecDefaults(spec, DEFAULT_GATES);
  t.same(spec.initContainers, [{ image: 'app:1', imagePullPolicy: 'IfNotPresent' }]);
  t.end();
});

t.test('with hostNetwork the host port is the container port', (t) => {
  const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }];
  applyPodSpecDefaults({ hostNetwork: true, containers: [{ image: 'app', ports }] }, DEFAULT_GATES);
  t.same(ports, [
    { containerPort: 80, hostPort: 80 },
    { containerPort: 81, hostPort: 8081 },
  ]);
  const alone = [{ containerPort: 80 }];
  applyPodSpecDefaults({ containers: [{ image: 'app', ports: alone }] }, DEFAULT_GATES);
  t.same(alone, [{ containerPort: 80 }]);
  t.end();
});

t.test('a volume without a source is an emptyDir', (t) => {
  const spec = { volumes: [{ name: 'scratch' }, { name: 'host', hostPath: { path: '/x' } }] };
  applyPodSpecDefaults(spec, DEFAULT_GATES);
  t.same(spec.volumes, [
    { name: 'scratch', emptyDir: {} },
    { name: 'host', hostPath: { path: '/x' } },
  ]);
  t.end();
});

t.test('annotations that init containers once were are dropped', async (t) => {
  const left = (annotations: Record<string, string>): unknown => {
    const metadata = { annotations: textMap(annotations) };
    applyPodTemplateDefaults({ metadata, spec: {} }, DEFAULT_GATES);
    return metadata;
  };
  const old = {
    'pod.beta.cluster.io/init-containers': '[]',
    'pod.alpha.cluster.io/init-container-statuses': '[]',
  };
  t.same(left({ ...old, a: 'b' }), { annotations: { a: 'b' } });
  t.same(left(old), {});
  t.same(left({}), { annotations: {} });
});
