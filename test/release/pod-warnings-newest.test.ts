// Writers of pods are warned in the newest release.
import t from 'tap';
import '../support/newest-release.ts';

const { podWarnings } = await import('../../src/resources/core/pods/pod-warnings.ts');
const { POD } = await import('../../src/resources/core/pods/pod.ts');

const APP_ARMOR = 'container.apparmor.security.beta.cluster.io/app';

t.test('ports, variables and files that are in the way of others', async (t) => {
  const ports = [{ name: 'web', containerPort: 80, protocol: 'TCP' }];
  const env = [
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
    { name: 'a', value: '$(a)3' },
  ];
  const items = [
    { key: 'a', path: 'etc' },
    { key: 'b', path: 'etc/b' },
  ];
  const spec = {
    containers: [
      { name: 'app', ports, env },
      { name: 'other', ports: [{ ...ports[0], hostIP: '10.0.0.1' }] },
    ],
    volumes: [
      { name: 'v', configMap: { name: 'c', items } },
      { name: 'w', projected: { sources: [{}] } },
    ],
  };
  const other = 'spec.containers[1].ports[0]';
  t.same(podWarnings({ spec }), [
    'volume "v" (ConfigMap "c"): overlapping paths: "etc/b" with "etc"',
    'volume "w" (Projected) has no sources provided',
    'spec.containers[0].env[1]: hides previous definition of "a", which may be dropped when ' +
      'using apply',
    `${other}: hostIP set without hostPort: {Name:web HostPort:0 ContainerPort:80 Protocol:TCP ` +
      'HostIP:10.0.0.1}',
    `${other}: overlapping port definition with spec.containers[0].ports[0]`,
    `${other}: duplicate port name "web" with spec.containers[0].ports[0], services and probes ` +
      'that select ports by name will use spec.containers[0].ports[0]',
  ]);
});

t.test('many files at one place cost no more than they say', async (t) => {
  const items = Array.from({ length: 100_000 }, () => ({ key: 'a', path: 'a/b' }));
  const volumes = [{ name: 'v', secret: { secretName: 's', items } }];
  const before = performance.now();
  t.equal(podWarnings({ spec: { volumes } }).length, 100);
  t.ok(performance.now() - before < 5000);
});

t.test('what is old, and selects nothing', async (t) => {
  const term = { topologyKey: 'zone' };
  const spec = {
    terminationGracePeriodSeconds: -1,
    volumes: [
      { name: 'v', gitRepo: { repository: 'r' } },
      { name: 'w', rbd: {} },
    ],
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    topologySpreadConstraints: [term],
    hostAliases: [{ ip: '010.0.0.1' }],
  };
  const nothing = 'labelSelector: a null labelSelector results in matching no pod';
  t.same(podWarnings({ spec }, 'template'), [
    `template.spec.topologySpreadConstraints[0].${nothing}`,
    'template.spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    'template.spec.volumes[1].rbd: deprecated in v1.28, non-functional in v1.31+',
    'template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and ' +
      'will be treated as 1',
    'template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].' +
      nothing,
    'template.spec.hostAliases[0].ip: non-standard IP address "010.0.0.1" is invalid: use ' +
      '"10.0.0.1"',
  ]);
});

t.test('profiles of AppArmor in annotations become members, which is told', async (t) => {
  const pod = {
    metadata: { name: 'a.b', annotations: { [APP_ARMOR]: 'localhost/mine' } },
    spec: { containers: [{ name: 'app' }] },
  };
  POD.prepareForCreate?.(pod, new Set());
  t.match(pod.spec.containers, [
    { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'mine' } } },
  ]);
  const [first, second, ...more] = POD.createWarnings?.(pod, new Set()) ?? [];
  t.match(
    first,
    /annotations\[.*\/app\]: deprecated since v1\.30; use the "appArmorProfile" field/,
  );
  t.match(second, /^metadata\.name: this is used in the Pod's hostname.*must not contain dots/);
  t.same(more, []);
});
