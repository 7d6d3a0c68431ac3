/** How pods, services and events are admitted with what is on by request alone. */
import { CORE, create, namespace, patch, remove } from './admission-rows.ts';
import type { AdmissionRow, Refusal } from './admission-rows.ts';

const pod = (name: string, members: object = {}, containers: object[] = [{ name: 'c' }]) => ({
  metadata: { name },
  spec: {
    ...members,
    containers: containers.map((container) => ({ image: 'a', ...container })),
  },
});
const pods = (inside: string): string => `${CORE}/namespaces/${inside}/pods`;
const NODE_SELECTOR = 'scheduler.alpha.cluster.io/node-selector';
const DEFAULT_TOLERATIONS = 'scheduler.alpha.cluster.io/defaultTolerations';
const ALLOWED_TOLERATIONS = 'scheduler.alpha.cluster.io/tolerationsWhitelist';
const tolerating = (...tolerations: readonly object[]) => ({ tolerations });
const exists = (key: string, effect?: string) => ({
  key,
  operator: 'Exists',
  ...(effect !== undefined && { effect }),
});
const MEMORY_PRESSURE = exists('node.cluster.io/memory-pressure', 'NoSchedule');
const antiAffinity = (topologyKey: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey, labelSelector: { matchLabels: { a: 'b' } } },
      ],
    },
  },
});

function podRefused(name: string, why: string): Refusal {
  return [403, `pods "${name}" is forbidden: ${why}`];
}

const SELECTOR_CONFLICT =
  'pod node label selector conflicts with its namespace node label selector';
const TOLERATION_CONFLICT =
  'pod tolerations (possibly merged with namespace default tolerations) conflict with its ';

/** `POD_ROWS` take these to be set. */
export const POD_SETTINGS = {
  PodNodeSelector: {
    podNodeSelectorPluginConfig: {
      clusterDefaultNodeSelector: 'zone=default',
      listed: 'zone=default,disk=ssd',
    },
  },
  PodTolerationRestriction: {
    apiVersion: 'podtolerationrestriction.admission.cluster.io/v1alpha1',
    kind: 'Configuration',
    default: [exists('cluster-default')],
    whitelist: [
      { operator: 'Exists', effect: 'NoSchedule' },
      exists('cluster-default'),
      { operator: 'Exists', effect: 'NoExecute' },
    ],
  },
};

/**
 * With AlwaysPullImages, PodNodeSelector, PodTolerationRestriction, ExtendedResourceToleration and
 * LimitPodHardAntiAffinityTopology, and without what adds other tolerations.
 */
export const POD_ROWS: readonly AdmissionRow[] = [
  namespace('plain'),
  namespace('listed'),
  namespace('selecting', { [NODE_SELECTOR]: 'zone=own, a=b' }),
  namespace('unselectable', { [NODE_SELECTOR]: 'zone' }),
  namespace('mislabelled', { [NODE_SELECTOR]: 'zone=x y' }),
  namespace('misnamed', { [NODE_SELECTOR]: 'a b=x' }),
  namespace('tolerant', {
    [DEFAULT_TOLERATIONS]: '[{"key": "own", "operator": "Equal", "value": "x"}]',
    [ALLOWED_TOLERATIONS]: '[{"key": "own", "operator": "Exists"}]',
  }),
  namespace('free', { [DEFAULT_TOLERATIONS]: '', [ALLOWED_TOLERATIONS]: '' }),
  namespace('garbled', { [DEFAULT_TOLERATIONS]: '[{' }),
  namespace('mistyped', { [DEFAULT_TOLERATIONS]: '[{"key": 3}]' }),
  namespace('unlisted', { [ALLOWED_TOLERATIONS]: '{}' }),
  create('defaults of the settings', pods('plain'), pod('one'), {
    spec: {
      nodeSelector: { zone: 'default' },
      tolerations: [exists('cluster-default')],
      containers: [{ name: 'c', image: 'a', imagePullPolicy: 'Always' }],
    },
  }),
  patch('an update without a new image', `${pods('plain')}/one`, {
    metadata: { labels: { a: 'b' } },
  }),
  create(
    'what it asks for',
    pods('plain'),
    pod('asking', {}, [
      { name: 'c', imagePullPolicy: 'Never', resources: { requests: { cpu: '1' } } },
      { name: 'd', resources: { limits: { 'example.com/x': '1' } } },
    ]),
    {
      spec: {
        tolerations: [
          exists('cluster-default'),
          MEMORY_PRESSURE,
          exists('example.com/x', 'NoSchedule'),
        ],
      },
    },
  ),
  create('selectors together', pods('selecting'), pod('x', { nodeSelector: { c: 'd' } }), {
    spec: { nodeSelector: { zone: 'own', a: 'b', c: 'd' } },
  }),
  create(
    'another zone',
    pods('selecting'),
    pod('y', { nodeSelector: { zone: 'x' } }),
    podRefused('y', SELECTOR_CONFLICT),
  ),
  create(
    'another zone, generated',
    pods('selecting'),
    { ...pod('', { nodeSelector: { zone: 'x' } }), metadata: { generateName: 'y-' } },
    [403, `pods is forbidden: ${SELECTOR_CONFLICT}`],
  ),
  create('what is listed', pods('listed'), pod('x', { nodeSelector: { disk: 'ssd' } }), {
    spec: { nodeSelector: { zone: 'default', disk: 'ssd' } },
  }),
  create(
    'what is not listed',
    pods('listed'),
    pod('y', { nodeSelector: { gpu: 'x' } }),
    podRefused('y', 'pod node label selector labels conflict with its namespace whitelist'),
  ),
  create('no selector', pods('unselectable'), pod('x'), [500, 'invalid selector: [zone]']),
  create('a bad value', pods('mislabelled'), pod('x'), [
    500,
    '[zone]: Invalid value: "x y": a valid label must be an empty string or consist of ' +
      "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
      "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ]),
  create('a bad key', pods('misnamed'), pod('x'), [
    500,
    "<nil>: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' " +
      "or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or " +
      "'my.name',  or '123-abc', regex used for validation is " +
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ]),
  create('not tolerated anywhere', pods('plain'), pod('z', tolerating(exists('x'))), [
    500,
    `${TOLERATION_CONFLICT}cluster whitelist`,
  ]),
  create('tolerated', pods('plain'), pod('z', tolerating(exists('x', 'NoSchedule'))), {
    spec: { tolerations: [exists('x', 'NoSchedule'), exists('cluster-default')] },
  }),
  patch(
    'one more that is not allowed',
    `${pods('plain')}/z`,
    {
      spec: {
        tolerations: [exists('x', 'NoSchedule'), exists('cluster-default'), exists('y')],
      },
    },
    [500, `${TOLERATION_CONFLICT}cluster whitelist`],
  ),
  patch(
    'one more',
    `${pods('plain')}/z`,
    {
      spec: {
        tolerations: [
          exists('x', 'NoSchedule'),
          exists('cluster-default'),
          exists('y', 'NoExecute'),
        ],
      },
    },
    {},
  ),
  create(
    'defaults of the namespace',
    pods('tolerant'),
    pod('x', tolerating(exists('own', 'NoSchedule'))),
    {
      spec: {
        tolerations: [exists('own', 'NoSchedule'), { key: 'own', operator: 'Equal', value: 'x' }],
      },
    },
  ),
  create('a wider one', pods('tolerant'), pod('y', tolerating(exists('own'))), {
    spec: { tolerations: [exists('own')] },
  }),
  create('not in the namespace', pods('tolerant'), pod('z', tolerating(exists('x'))), [
    500,
    `${TOLERATION_CONFLICT}namespace whitelist`,
  ]),
  create('all are allowed', pods('free'), pod('x', tolerating(exists('x'))), {
    spec: { tolerations: [exists('x')] },
  }),
  create('no JSON', pods('garbled'), pod('x'), [500, 'unexpected end of JSON input']),
  create('another type', pods('mistyped'), pod('x'), [
    500,
    'json: cannot unmarshal number into Go struct field Toleration.key of type string',
  ]),
  create('no list', pods('unlisted'), pod('x'), [
    500,
    'json: cannot unmarshal object into Go value of type []v1.Toleration',
  ]),
  create('off a node', pods('plain'), pod('alone', antiAffinity('cluster.io/hostname'))),
  create(
    'off a zone',
    pods('plain'),
    pod('away', antiAffinity('zone')),
    podRefused(
      'away',
      'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key ' +
        'cluster.io/hostname is allowed',
    ),
  ),
];

const services = `${CORE}/namespaces/external/services`;
const service = (externalIPs?: readonly string[]) => ({
  metadata: { name: 'web' },
  spec: { ports: [{ port: 80 }], ...(externalIPs && { externalIPs }) },
});
const EXTERNAL: Refusal = [
  403,
  'services "web" is forbidden: Use of external IPs is denied by admission control',
];

/** With DenyServiceExternalIPs. */
export const SERVICE_ROWS: readonly AdmissionRow[] = [
  namespace('external'),
  create('an external address', services, service(['192.0.2.1']), EXTERNAL),
  create('none', services, service()),
  patch('it gets one', `${services}/web`, { spec: { externalIPs: ['192.0.2.1'] } }, EXTERNAL),
  patch('it gets something else', `${services}/web`, { metadata: { labels: { a: 'b' } } }),
  remove('it goes', `${services}/web`),
];

/** Few events about one object. */
export const EVENT_SETTINGS = {
  apiVersion: 'eventratelimit.admission.cluster.io/v1alpha1',
  kind: 'Configuration',
  limits: [{ type: 'SourceAndObject', qps: 1, burst: 1 }],
};
