// The versions of HorizontalPodAutoscaler are stored as v2: what each says, and what is kept of
// what it cannot say.
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { HORIZONTAL_POD_AUTOSCALER } from '../../src/resources/autoscaling/horizontal-pod-autoscaler.ts';
import { BuiltInVersion } from '../../src/types/built-in/built-in-version.ts';
import { MODEL } from './kind-rules.ts';

const definition = HORIZONTAL_POD_AUTOSCALER;
const STORED = new BuiltInVersion(definition, MODEL, 0);
const VERSIONS = new Map(
  (definition.otherVersions ?? []).map(({ version }, index) => [
    version,
    new BuiltInVersion(definition, MODEL, index + 1, STORED.codec),
  ]),
);

interface Document {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: unknown;
  readonly status: unknown;
}

function view(version: string): BuiltInVersion {
  const found = VERSIONS.get(version);
  if (found === undefined) throw new Error(`${version} is not served`);
  return found;
}

/** Shows an object that is stored as `members` of v2 to a client of `version`. */
function shown(version: string, members: object): Document {
  const { object } = STORED.codec.decode(JSON.stringify({ metadata: {}, ...members }));
  const wire = Buffer.from(STORED.codec.encode(object));
  return JSON.parse(`{${Buffer.from(view(version).members(wire)).toString()}`) as Document;
}

/** Gives the stored object, as v2 shows it, that a client of `version` sends. */
function stored(version: string, document: object): Document {
  const { object } = view(version).decode(JSON.stringify(document));
  return JSON.parse(`{${STORED.codec.encode(object)}`) as Document;
}

const ANNOTATION = 'autoscaling.alpha.cluster.io/';
const TARGET = { kind: 'Deployment', name: 'web' };
const METRIC = { name: 'requests', selector: { matchLabels: { b: '2', a: '1' } } };
const CPU = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};
const PODS = {
  type: 'Pods',
  pods: { metric: METRIC, target: { type: 'AverageValue', averageValue: '500m' } },
};
const EXTERNAL = {
  type: 'External',
  external: { metric: { name: 'queue' }, target: { type: 'Value', value: '5' } },
};
const OBJECT = {
  type: 'Object',
  object: {
    describedObject: TARGET,
    target: { type: 'Value', value: '2' },
    metric: { name: 'hits' },
  },
};
const MEMORY = {
  type: 'ContainerResource',
  containerResource: {
    name: 'memory',
    target: { type: 'AverageValue', averageValue: '1Gi' },
    container: 'web',
  },
};
const BEHAVIOR = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }],
  },
  scaleDown: {
    selectPolicy: 'Min',
    policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
  },
};
const CURRENT = [
  { type: 'Pods', pods: { metric: METRIC, current: { averageValue: '3' } } },
  {
    type: 'Resource',
    resource: { name: 'cpu', current: { averageValue: '200m', averageUtilization: 40 } },
  },
];
const CONDITION = {
  type: 'AbleToScale',
  status: 'True',
  lastTransitionTime: '2024-01-01T00:00:00Z',
  reason: 'Ready',
};
const SPEC = { scaleTargetRef: TARGET, minReplicas: 1, maxReplicas: 3 };
const FULL = {
  spec: { ...SPEC, metrics: [PODS, EXTERNAL, OBJECT, MEMORY, CPU], behavior: BEHAVIOR },
  status: {
    currentReplicas: 1,
    desiredReplicas: 2,
    currentMetrics: CURRENT,
    conditions: [CONDITION],
  },
};

t.test('v1 keeps in annotations what it has no members for', async (t) => {
  const document = shown('v1', { ...FULL, metadata: { annotations: { mine: 'x' } } });
  t.strictSame(document.spec, { ...SPEC, targetCPUUtilizationPercentage: 50 });
  t.strictSame(document.status, {
    currentReplicas: 1,
    desiredReplicas: 2,
    currentCPUUtilizationPercentage: 40,
  });
  t.strictSame(document.metadata.annotations, {
    [`${ANNOTATION}behavior`]:
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":' +
      '[{"Type":"Pods","Value":4,"PeriodSeconds":15}]},"ScaleDown":' +
      '{"StabilizationWindowSeconds":null,"SelectPolicy":"Min","Policies":' +
      '[{"Type":"Percent","Value":10,"PeriodSeconds":60}]}}',
    [`${ANNOTATION}conditions`]:
      '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2024-01-01T00:00:00Z",' +
      '"reason":"Ready"}]',
    [`${ANNOTATION}current-metrics`]:
      '[{"type":"Pods","pods":{"metricName":"requests","currentAverageValue":"3",' +
      '"selector":{"matchLabels":{"a":"1","b":"2"}}}},{"type":"Resource","resource":' +
      '{"name":"cpu","currentAverageUtilization":40,"currentAverageValue":"200m"}}]',
    [`${ANNOTATION}metrics`]:
      '[{"type":"Pods","pods":{"metricName":"requests","targetAverageValue":"500m",' +
      '"selector":{"matchLabels":{"a":"1","b":"2"}}}},{"type":"External","external":' +
      '{"metricName":"queue","targetValue":"5"}},{"type":"Object","object":{"target":' +
      '{"kind":"Deployment","name":"web"},"metricName":"hits","targetValue":"2"}},' +
      '{"type":"ContainerResource","containerResource":{"name":"memory",' +
      '"targetAverageValue":"1Gi","container":"web"}}]',
    mine: 'x',
  });
});

for (const version of ['v1', 'v2beta1', 'v2beta2']) {
  t.test(`${version}: what was read can be written, and nothing is lost`, async (t) => {
    const document = stored(version, shown(version, FULL));
    t.strictSame(document.spec, FULL.spec);
    t.strictSame(document.metadata, { creationTimestamp: null });
    t.strictSame(document.status, FULL.status);
  });
}

t.test('v2beta1 has a behavior in an annotation', async (t) => {
  const document = shown('v2beta1', FULL);
  t.match(document.spec, {
    metrics: [
      { type: 'Pods', pods: { metricName: 'requests', targetAverageValue: '500m' } },
      { type: 'External', external: { metricName: 'queue', targetValue: '5' } },
      { type: 'Object', object: { target: TARGET, metricName: 'hits', targetValue: '2' } },
      { containerResource: { name: 'memory', targetAverageValue: '1Gi', container: 'web' } },
      { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 50 } },
    ],
  });
  t.same(Object.keys(document.metadata.annotations ?? {}), [`${ANNOTATION}behavior`]);
});

t.test('v1 says the one number of processors twice, and the annotation counts', async (t) => {
  const metadata = { annotations: { [`${ANNOTATION}current-metrics`]: '[]' } };
  const status = { currentCPUUtilizationPercentage: 9 };
  const { status: kept } = stored('v1', { metadata, spec: SPEC, status });
  t.match(kept, { currentMetrics: null });
  const { status: counted } = stored('v1', { metadata: {}, spec: SPEC, status });
  t.match(counted, {
    currentMetrics: [{ type: 'Resource', resource: { current: { averageUtilization: 9 } } }],
  });
});

t.test('annotations that are not what they should be are not read', async (t) => {
  const texts = [
    'x',
    '{}',
    '[1]',
    '[{"type":1}]',
    '[{"pods":{"targetAverageValue":"much"}}]',
    '[{"resource":{"targetAverageUtilization":1.5}}]',
    '[{"pods":{"selector":{"matchLabels":{"a":1}}}}]',
  ];
  for (const text of texts) {
    const annotations = { [`${ANNOTATION}metrics`]: text };
    const spec = { ...SPEC, targetCPUUtilizationPercentage: 50 };
    const document = stored('v1', { metadata: { annotations }, spec });
    t.strictSame(document.spec, { ...SPEC, metrics: [CPU] }, text);
    t.equal(document.metadata.annotations, undefined, `${text}: is gone`);
  }
});

t.test('amounts in annotations are made canonical', async (t) => {
  const text = '[{"type":"Pods","pods":{"metricName":"a","targetAverageValue":0.5}}]';
  const annotations = { [`${ANNOTATION}metrics`]: text };
  const document = stored('v1', { metadata: { annotations }, spec: SPEC });
  const target = { type: 'AverageValue', averageValue: '500m' };
  t.match(document.spec, { metrics: [{ type: 'Pods', pods: { metric: { name: 'a' }, target } }] });
});

t.test('v2 has no use for the annotations', async (t) => {
  const metadata = { annotations: { [`${ANNOTATION}metrics`]: '[]', mine: 'x' } };
  const object = { metadata, spec: { ...SPEC, metrics: [CPU] } };
  definition.applyDefaults?.(object, DEFAULT_GATES);
  t.strictSame(metadata.annotations, { mine: 'x' });
});
