/** Pods and claims meet limits in a namespace. */
import {
  CONTAINER,
  made,
  namespaceRow,
  patched,
  pod,
  refusedRow,
  removed,
  type AdmissionRow,
} from './rows.ts';

const HOME = '/api/v1/namespaces/limits';
const PODS = `${HOME}/pods`;
const CLAIMS = `${HOME}/persistentvolumeclaims`;
const RANGES = `${HOME}/limitranges`;
const ANNOTATION = 'cluster.io/limit-ranger';

const range = (name: string, ...limits: object[]) => ({ metadata: { name }, spec: { limits } });
const sized = (name: string, requests?: object, limits?: object) => ({
  ...CONTAINER,
  name,
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const podOf = (name: string, ...containers: object[]) => pod(name, { containers });
const claim = (name: string, storage: string, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
const replaced = (body: { metadata: { name: string } }): AdmissionRow => ({
  what: 'other limits',
  method: 'PUT',
  path: `${RANGES}/${body.metadata.name}`,
  body,
  status: 200,
});

const DEFAULTS: readonly AdmissionRow[] = [
  namespaceRow('limits'),
  made('a pod without limits', PODS, podOf('before', sized('c', { cpu: '8' }))),
  made('a claim without limits', CLAIMS, claim('before', '8Gi', { finalizers: ['a.com/b'] })),
  made(
    'limits of containers',
    RANGES,
    range('l', {
      type: 'Container',
      default: { cpu: '500m', memory: '256Mi' },
      defaultRequest: { cpu: '100m' },
      max: { cpu: '2' },
    }),
  ),
  made(
    'containers that say nothing',
    PODS,
    pod('plain', { initContainers: [{ ...CONTAINER, name: 'i' }] }),
    {
      has: {
        metadata: {
          annotations: {
            [ANNOTATION]:
              'LimitRanger plugin set: cpu, memory request for container c; ' +
              'cpu, memory limit for container c; ' +
              'cpu, memory request for init container i; ' +
              'cpu, memory limit for init container i',
          },
        },
        spec: {
          containers: [
            {
              resources: {
                requests: { cpu: '100m', memory: '256Mi' },
                limits: { cpu: '500m', memory: '256Mi' },
              },
            },
          ],
          initContainers: [{ resources: { requests: { cpu: '100m' }, limits: { cpu: '500m' } } }],
        },
        status: { qosClass: 'Burstable' },
      },
    },
  ),
  made(
    'that say something',
    PODS,
    podOf('says', sized('c', { memory: '1Mi' }, { cpu: '1' }), sized('d')),
    {
      has: {
        metadata: {
          annotations: {
            [ANNOTATION]:
              'LimitRanger plugin set: memory limit for container c; ' +
              'cpu, memory request for container d; cpu, memory limit for container d',
          },
        },
        spec: {
          containers: [
            {
              resources: {
                requests: { cpu: '1', memory: '1Mi' },
                limits: { cpu: '1', memory: '256Mi' },
              },
            },
            {},
          ],
        },
      },
    },
  ),
  made(
    'that say all',
    PODS,
    podOf('all', sized('c', { cpu: '1', memory: '1Mi' }, { cpu: '1', memory: '1Mi' })),
    { lacks: ['metadata.annotations'] },
  ),
  {
    what: 'whose default is less than they ask for',
    method: 'POST',
    path: PODS,
    body: podOf('over', sized('c', { cpu: '1' })),
    status: 422,
    message:
      'Pod "over" is invalid: spec.containers[0].resources.requests: Invalid value: "1": ' +
      'must be less than or equal to cpu limit',
  },
  patched('a pod that was there may be written', `${PODS}/before`, {
    metadata: { labels: { a: 'b' } },
  }),
];

const CONTAINERS: readonly AdmissionRow[] = [
  replaced(range('l', { type: 'Container', min: { cpu: '100m' }, max: { memory: '1Gi' } })),
  refusedRow(
    'less than they may',
    PODS,
    podOf('p', sized('c', { cpu: '50m' }, { cpu: '80m' })),
    'minimum cpu usage per Container is 100m, but request is 50m',
  ),
  refusedRow(
    'more than they may',
    PODS,
    podOf('p', sized('c', { memory: '1Gi' }, { memory: '2Gi' })),
    'maximum memory usage per Container is 1Gi, but limit is 2Gi',
  ),
  refusedRow(
    'in several containers',
    PODS,
    pod('p', {
      containers: [sized('c', { cpu: '1m' }), sized('d', { cpu: '2m' }), sized('e', { cpu: '1m' })],
      initContainers: [sized('i', {}, { memory: '2Gi' })],
    }),
    '[minimum cpu usage per Container is 100m, but request is 1m, ' +
      'minimum cpu usage per Container is 100m, but request is 2m, ' +
      'maximum memory usage per Container is 1Gi, but limit is 2Gi]',
  ),
  made('as much as they may', PODS, podOf('fits', sized('c', { cpu: '0.1' }, { memory: '1Gi' }))),
  replaced(range('l', { type: 'Container', maxLimitRequestRatio: { cpu: '2' } })),
  refusedRow(
    'no request for a ratio',
    PODS,
    podOf('p', sized('c')),
    'cpu max limit to request ratio per Container is 2, ' +
      'but no request is specified or request is 0',
  ),
  refusedRow(
    'no limit for a ratio',
    PODS,
    podOf('p', sized('c', { cpu: '1' })),
    'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
  ),
  refusedRow(
    'a ratio that is higher',
    PODS,
    podOf('p', sized('c', { cpu: '300m' }, { cpu: '1' })),
    'cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333',
  ),
  made('a ratio that is not', PODS, podOf('ratio', sized('c', { cpu: '500m' }, { cpu: '1' }))),
];

const WHOLE_PODS: readonly AdmissionRow[] = [
  replaced(range('l', { type: 'Pod', min: { cpu: '100m' }, max: { memory: '1Gi' } })),
  refusedRow(
    'pods without requests',
    PODS,
    podOf('p', sized('c', {}, { memory: '1Gi' })),
    'minimum cpu usage per Pod is 100m.  No request is specified',
  ),
  refusedRow(
    'pods one of whose containers has no limit',
    PODS,
    podOf('p', sized('c', { cpu: '1' }, { memory: '1Mi' }), sized('d', { cpu: '1' })),
    'maximum memory usage per Pod is 1Gi.  No limit is specified',
  ),
  refusedRow(
    'pods whose containers are too much together',
    PODS,
    podOf(
      'p',
      sized('c', { cpu: '60m' }, { memory: '600Mi' }),
      sized('d', { cpu: '60m' }, { memory: '600Mi' }),
    ),
    'maximum memory usage per Pod is 1Gi, but limit is 1258291200',
  ),
  refusedRow(
    'or too little',
    PODS,
    podOf(
      'p',
      sized('c', { cpu: '10m' }, { memory: '1Mi' }),
      sized('d', { cpu: '10m' }, { memory: '1Mi' }),
    ),
    'minimum cpu usage per Pod is 100m, but request is 20m',
  ),
  refusedRow(
    'or one before them',
    PODS,
    pod('p', {
      containers: [sized('c', { cpu: '1' }, { memory: '1Mi' })],
      initContainers: [sized('i', {}, { memory: '2Gi' })],
    }),
    'maximum memory usage per Pod is 1Gi, but limit is 2Gi',
  ),
  made(
    'what fits',
    PODS,
    pod('together', {
      containers: [
        sized('c', { cpu: '60m' }, { memory: '500Mi' }),
        sized('d', { cpu: '60m' }, { memory: '500Mi' }),
      ],
      initContainers: [sized('i', {}, { memory: '1Gi' })],
    }),
  ),
];

const LARGE = {
  what: 'that is too large already',
  method: 'PATCH',
  path: `${CLAIMS}/before`,
  body: { metadata: { labels: { a: 'b' } } },
  status: 403,
  message:
    'persistentvolumeclaims "before" is forbidden: ' +
    'maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 8Gi',
} as const;

const OF_CLAIMS: readonly AdmissionRow[] = [
  replaced(
    range('l', { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '4Gi' } }),
  ),
  refusedRow(
    'a claim that is too small',
    CLAIMS,
    claim('c', '1Mi'),
    'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
  ),
  refusedRow(
    'too large',
    CLAIMS,
    claim('c', '4097Mi'),
    'maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 4097Mi',
  ),
  made('that fits', CLAIMS, claim('fits', '4096Mi')),
  LARGE,
  removed(`${CLAIMS}/before`),
  patched('may still go', `${CLAIMS}/before`, { metadata: { finalizers: null } }),
  removed(`${RANGES}/l`),
  made('without limits', CLAIMS, claim('large', '1Ti')),
];

export const LIMIT_ROWS: readonly AdmissionRow[] = [
  ...DEFAULTS,
  ...CONTAINERS,
  ...WHOLE_PODS,
  ...OF_CLAIMS,
];
