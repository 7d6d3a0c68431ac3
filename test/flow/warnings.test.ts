// Writers and deleters of objects are warned in `Warning` headers.
import t from 'tap';
import { sharedServer } from '../support/shared-server.ts';
import type { Answer } from '../support/server.ts';
import type { TestObject } from '../support/kinds.ts';

const server = await sharedServer();
const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const BATCH = '/apis/batch/v1/namespaces/default';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

const CONTAINER = { name: 'c', image: 'i:1' };
const LABEL = 'beta.cluster.io/arch';
const LABEL_TEXT = 'deprecated since v1.14; use "cluster.io/arch" instead';
const SECCOMP_TEXT =
  'deprecated since v1.19, non-functional in v1.25+; use the "seccompProfile" field instead';
const SELECTED = { nodeSelector: { [LABEL]: 'x' }, containers: [CONTAINER] };
const FRACTION = (value: string): string =>
  `fractional byte value "${value}" is invalid, must be an integer`;

function warningsOf(answer: Answer): string[] {
  const text = answer.headers['warning'] ?? '';
  return [...String(text).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replaceAll(/\\(.)/g, '$1'),
  );
}

const patch = (path: string, change: unknown): Promise<Answer> =>
  server.request('PATCH', path, change, MERGE);

/** Members of a specification, or annotations, and the warnings about them. */
const PODS: readonly (readonly [string, object, object, readonly string[]])[] = [
  [
    'node labels',
    {
      ...SELECTED,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'beta.cluster.io/os', operator: 'Exists' }] },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: {
                matchExpressions: [
                  { key: 'failure-domain.beta.cluster.io/zone', operator: 'Exists' },
                ],
              },
            },
          ],
        },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'failure-domain.beta.cluster.io/region',
          whenUnsatisfiable: 'DoNotSchedule',
        },
        {
          maxSkew: 1,
          topologyKey: 'beta.cluster.io/instance-type',
          whenUnsatisfiable: 'DoNotSchedule',
        },
      ],
    },
    {},
    [
      `spec.nodeSelector[${LABEL}]: ${LABEL_TEXT}`,
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.' +
        'nodeSelectorTerms[0].matchExpressions[0].key: beta.cluster.io/os is deprecated since ' +
        'v1.14; use "cluster.io/os" instead',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.' +
        'matchExpressions[0].key: failure-domain.beta.cluster.io/zone is deprecated since v1.17; ' +
        'use "topology.cluster.io/zone" instead',
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.cluster.io/region is ' +
        'deprecated since v1.17; use "topology.cluster.io/region" instead',
      'spec.topologySpreadConstraints[1].topologyKey: beta.cluster.io/instance-type is ' +
        'deprecated since v1.17; use "node.cluster.io/instance-type" instead',
    ],
  ],
  [
    'annotations',
    { containers: [CONTAINER] },
    {
      'scheduler.alpha.cluster.io/critical-pod': '',
      'security.alpha.cluster.io/sysctls': 'a=b',
      'security.alpha.cluster.io/unsafe-sysctls': 'a=b',
    },
    [
      'metadata.annotations[scheduler.alpha.cluster.io/critical-pod]: non-functional in v1.16+; ' +
        'use the "priorityClassName" field instead',
      'metadata.annotations[security.alpha.cluster.io/sysctls]: non-functional in v1.11+; use ' +
        'the "sysctls" field instead',
      'metadata.annotations[security.alpha.cluster.io/unsafe-sysctls]: non-functional in ' +
        'v1.11+; use the "sysctls" field instead',
    ],
  ],
  [
    'an annotation of seccomp that no member stands beside',
    { containers: [CONTAINER] },
    { 'seccomp.security.alpha.cluster.io/pod': 'localhost/' },
    [`metadata.annotations[seccomp.security.alpha.cluster.io/pod]: ${SECCOMP_TEXT}`],
  ],
  [
    'volumes of old',
    {
      containers: [CONTAINER],
      volumes: [
        { name: 'a', photonPersistentDisk: { pdID: '1' } },
        { name: 'b', gitRepo: { repository: 'r' } },
        {
          name: 'c',
          scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'x' }, volumeName: 'v' },
        },
        { name: 'd', flocker: { datasetName: 'x' } },
        { name: 'e', storageos: { volumeName: 'v' } },
        { name: 'f', quobyte: { registry: 'a:1', volume: 'v' } },
      ],
    },
    {},
    [
      'spec.volumes[0].photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
      'spec.volumes[1].gitRepo: deprecated in v1.11',
      'spec.volumes[2].scaleIO: deprecated in v1.16, non-functional in v1.22+',
      'spec.volumes[3].flocker: deprecated in v1.22, support removal is planned in v1.26',
      'spec.volumes[4].storageOS: deprecated in v1.22, support removal is planned in v1.26',
      'spec.volumes[5].quobyte: deprecated in v1.22, support removal is planned in v1.26',
    ],
  ],
  [
    'what is there twice, or empty',
    {
      hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }],
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
      initContainers: [{ ...CONTAINER, name: 'i', env: [{ name: 'A' }, { name: 'A' }] }],
      containers: [{ ...CONTAINER, env: [{ name: 'A' }, { name: 'B' }, { name: 'A' }] }],
    },
    {},
    [
      'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
      'spec.initContainers[0].env[1].name: duplicate name "A"',
      'spec.containers[0].env[2].name: duplicate name "A"',
    ],
  ],
  [
    'parts of bytes',
    {
      overhead: { memory: '0.1', 'ephemeral-storage': '1' },
      containers: [
        {
          ...CONTAINER,
          resources: {
            limits: { memory: '1.5', 'ephemeral-storage': '2500m', cpu: '1500m' },
            requests: { memory: '100m', 'ephemeral-storage': '1' },
          },
        },
      ],
    },
    {},
    [
      `spec.overhead[memory]: ${FRACTION('100m')}`,
      `spec.containers[0].resources.limits[memory]: ${FRACTION('1500m')}`,
      `spec.containers[0].resources.requests[memory]: ${FRACTION('100m')}`,
      `spec.containers[0].resources.limits[ephemeral-storage]: ${FRACTION('2500m')}`,
    ],
  ],
];

t.test('the creator of a pod is warned', async (t) => {
  for (const [rule, spec, annotations, warnings] of PODS) {
    const pod = { metadata: { name: 'warned', annotations }, spec };
    const made = await server.post(`${CORE}/pods`, pod);
    t.equal(made.status, 201, `${rule}: ${made.text}`);
    t.same(warningsOf(made), warnings, rule);
    const changed = await patch(`${CORE}/pods/warned`, { metadata: { labels: { a: 'b' } } });
    t.equal(changed.status, 200, changed.text);
    t.same(warningsOf(changed), [], `${rule}: an update says nothing`);
    await server.delete(`${CORE}/pods/warned`);
  }
});

t.test('a pod says in both ways which system calls it may make', async (t) => {
  const confined = (type: string) => ({ securityContext: { seccompProfile: { type } } });
  const byMembers = await server.post(`${CORE}/pods`, {
    metadata: { name: 'members' },
    spec: {
      ...confined('RuntimeDefault'),
      containers: [{ ...CONTAINER, ...confined('Unconfined') }],
    },
  });
  t.same(byMembers.json.metadata.annotations, {
    'seccomp.security.alpha.cluster.io/pod': 'runtime/default',
    'container.seccomp.security.alpha.cluster.io/c': 'unconfined',
  });
  t.same(warningsOf(byMembers), []);
  const byAnnotations = await server.post(`${CORE}/pods`, {
    metadata: {
      name: 'annotations',
      annotations: {
        'seccomp.security.alpha.cluster.io/pod': 'docker/default',
        'container.seccomp.security.alpha.cluster.io/c': 'localhost/a/b.json',
      },
    },
    spec: { containers: [CONTAINER] },
  });
  const { securityContext, containers } = byAnnotations.json.spec;
  t.same(securityContext, { seccompProfile: { type: 'RuntimeDefault' } });
  const profile = { type: 'Localhost', localhostProfile: 'a/b.json' };
  t.same(containers[0].securityContext, { seccompProfile: profile });
});

const selector = { matchLabels: { a: 'b' } };
const template = { metadata: { labels: { a: 'b' } }, spec: SELECTED };
const jobTemplate = { ...template, spec: { ...SELECTED, restartPolicy: 'Never' } };

/** Kinds with a template, what changes it, and where the warnings say that it is. */
const TEMPLATES: readonly {
  readonly path: string;
  readonly object: TestObject;
  readonly change: object;
  readonly at: string;
  readonly scales?: true;
  readonly always?: readonly string[];
}[] = [
  {
    path: `${APPS}/deployments`,
    object: { spec: { selector, template } },
    change: { spec: { paused: true } },
    at: 'spec.template.spec',
    scales: true,
  },
  {
    path: `${APPS}/replicasets`,
    object: { spec: { selector, template } },
    change: { spec: { minReadySeconds: 3 } },
    at: 'spec.template.spec',
    scales: true,
  },
  {
    path: `${APPS}/statefulsets`,
    object: { spec: { serviceName: 's', selector, template } },
    change: { spec: { minReadySeconds: 3 } },
    at: 'spec.template.spec',
    scales: true,
  },
  {
    path: `${APPS}/daemonsets`,
    object: { spec: { selector, template } },
    change: { spec: { template: { spec: { hostPID: true } } } },
    at: 'spec.template.spec',
  },
  {
    path: `${BATCH}/jobs`,
    object: { spec: { template: jobTemplate } },
    change: { spec: { suspend: true } },
    at: 'spec.template.spec',
  },
  {
    path: `${BATCH}/cronjobs`,
    object: {
      spec: { schedule: 'TZ=UTC * * * * *', jobTemplate: { spec: { template: jobTemplate } } },
    },
    change: { spec: { suspend: true } },
    at: 'spec.jobTemplate.spec.template.spec',
    always: [
      'CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ' +
        'https://cluster.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ],
  },
  {
    path: `${CORE}/podtemplates`,
    object: { template },
    change: { template: { spec: { hostPID: true } } },
    at: 'template.spec',
  },
];

t.test('the writer of a template is warned when the generation grows', async (t) => {
  for (const { path, object, change, at, scales, always = [] } of TEMPLATES) {
    const warnings = [`${at}.nodeSelector[${LABEL}]: ${LABEL_TEXT}`, ...always];
    const made = await server.post(path, { ...object, metadata: { name: 'warned' } });
    t.equal(made.status, 201, made.text);
    t.same(warningsOf(made), warnings, path);
    const one = `${path}/warned`;
    const labelled = await patch(one, { metadata: { labels: { x: 'y' } } });
    t.equal(labelled.status, 200, labelled.text);
    t.same(warningsOf(labelled), always, `${path}: of a label nothing is said`);
    const { apiVersion, kind } = made.json;
    const config = { apiVersion, kind, metadata: { name: 'warned', labels: { x: 'y' } } };
    for (const time of ['first', 'again']) {
      const applied = await server.request('PATCH', `${one}?fieldManager=m`, config, APPLY);
      t.equal(applied.status, 200, applied.text);
      t.same(warningsOf(applied), always, `${path}: nor of an apply of it, ${time}`);
    }
    const changed = await patch(one, change);
    t.equal(changed.status, 200, changed.text);
    t.same(warningsOf(changed), warnings, `${path}: of a change it is`);
    if (scales) {
      const scaled = await patch(`${one}/scale`, { spec: { replicas: 5 } });
      t.same(warningsOf(scaled), warnings, `${path}: its scale is one too`);
      const status = await patch(`${one}/status`, { status: { observedGeneration: 1 } });
      t.same(warningsOf(status), [], `${path}: its status is not`);
    }
    await server.delete(`${one}?propagationPolicy=Background`);
  }
});

t.test('a replication controller is warned in words of its own', async (t) => {
  const path = `${CORE}/replicationcontrollers`;
  const made = await server.post(path, { metadata: { name: 'warned' }, spec: { template } });
  t.same(warningsOf(made), [`template.spec.nodeSelector[${LABEL}]: ${LABEL_TEXT}`]);
  const nodeSelector = { [LABEL]: null };
  const changed = await patch(`${path}/warned`, { spec: { template: { spec: { nodeSelector } } } });
  const before = [`spec.template.spec.nodeSelector[${LABEL}]: ${LABEL_TEXT}`];
  t.same(warningsOf(changed), before, 'an update is judged by what was there');
  const again = await patch(`${path}/warned`, { spec: { replicas: 3 } });
  t.same(warningsOf(again), []);
});

t.test('who deletes a job is told that its pods stay', async (t) => {
  const text =
    'child pods are preserved by default when jobs are deleted; set ' +
    'propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress ' +
    'this warning';
  const spec = { template: { spec: { containers: [CONTAINER], restartPolicy: 'Never' } } };
  const make = () => server.post(`${BATCH}/jobs`, { metadata: { name: 'told' }, spec });
  for (const [query, body, warnings] of [
    ['', undefined, [text]],
    ['', {}, [text]],
    ['?propagationPolicy=Orphan', undefined, []],
    ['?orphanDependents=false', undefined, []],
    ['', { propagationPolicy: 'Background' }, []],
  ] as const) {
    t.equal((await make()).status, 201);
    const dry = query === '' ? '?dryRun=All' : `${query}&dryRun=All`;
    if (body === undefined) {
      const all = await server.delete(`${BATCH}/jobs${dry}`);
      t.equal(all.status, 200, all.text);
      t.same(warningsOf(all), warnings, `the collection ${query}`);
    }
    const gone = await server.delete(`${BATCH}/jobs/told${query}`, body);
    t.equal(gone.status, 200, gone.text);
    t.same(warningsOf(gone), warnings, `${query} ${JSON.stringify(body)}`);
    await server.delete(`${BATCH}/jobs/told`, { propagationPolicy: 'Background' });
    const path = `${BATCH}/jobs/told`;
    while ((await server.get(path)).status === 200) {
      await patch(path, { metadata: { finalizers: null } });
    }
  }
});
