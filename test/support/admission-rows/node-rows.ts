/** New nodes are marked, and pods follow their nodes and runtimes. */
import { made, namespaceRow, patched, pod, refusedRow, type AdmissionRow } from './rows.ts';

const HOME = '/api/v1/namespaces/runtimes';
const PODS = `${HOME}/pods`;
const NODES = '/api/v1/nodes';
const CLASSES = '/apis/node.cluster.io/v1/runtimeclasses';

/** How the server is started for these rows. */
export const TOLERATION_OPTIONS = ['--default-unreachable-toleration-seconds', '200'] as const;

const NOT_READY = { key: 'node.cluster.io/not-ready', effect: 'NoSchedule' };
const OTHER = { key: 'a', value: 'b', effect: 'NoExecute' };
const leave = (taint: string, tolerationSeconds: number) => ({
  key: `node.cluster.io/${taint}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});
const MATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const NO_OVERHEAD =
  'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

const TAINTS: readonly AdmissionRow[] = [
  made(
    'a new node',
    NODES,
    { metadata: { name: 'new' } },
    {
      has: { spec: { taints: [NOT_READY] } },
      lacks: ['spec.taints.1'],
    },
  ),
  made(
    'with another taint',
    NODES,
    { metadata: { name: 'other' }, spec: { taints: [OTHER] } },
    {
      has: { spec: { taints: [OTHER, NOT_READY] } },
    },
  ),
  made(
    'with this one',
    NODES,
    { metadata: { name: 'known' }, spec: { taints: [NOT_READY] } },
    {
      has: { spec: { taints: [NOT_READY] } },
      lacks: ['spec.taints.1'],
    },
  ),
  patched('that is ready', `${NODES}/new`, { spec: { taints: null } }, { lacks: ['spec.taints'] }),
];

/** The rows of a server with `TOLERATION_OPTIONS`. */
const TOLERATIONS: readonly AdmissionRow[] = [
  namespaceRow('runtimes'),
  made('a pod leaves a node that is gone', PODS, pod('plain'), {
    has: { spec: { tolerations: [leave('not-ready', 300), leave('unreachable', 200)] } },
    lacks: ['spec.tolerations.2'],
  }),
  made('in its own time', PODS, pod('own', { tolerations: [leave('unreachable', 5)] }), {
    has: { spec: { tolerations: [leave('unreachable', 5), leave('not-ready', 300)] } },
    lacks: ['spec.tolerations.2'],
  }),
  made('or never', PODS, pod('never', { tolerations: [{ operator: 'Exists' }] }), {
    has: { spec: { tolerations: [{ operator: 'Exists' }] } },
    lacks: ['spec.tolerations.1'],
  }),
  made(
    'a toleration of another effect is another one',
    PODS,
    pod('effect', { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] }),
    { has: { spec: { tolerations: [{}, leave('not-ready', 300), leave('unreachable', 200)] } } },
  ),
  patched(
    'who writes it again need not say them',
    `${PODS}/plain`,
    { spec: { tolerations: null } },
    {
      has: { spec: { tolerations: [leave('not-ready', 300), leave('unreachable', 200)] } },
      lacks: ['spec.tolerations.2'],
    },
  ),
];

const RUNTIMES: readonly AdmissionRow[] = [
  made('a class', CLASSES, {
    metadata: { name: 'boxed' },
    handler: 'box',
    overhead: { podFixed: { cpu: '250m', memory: '64Mi' } },
    scheduling: {
      nodeSelector: { box: 'yes' },
      tolerations: [{ key: 'box', operator: 'Exists' }],
    },
  }),
  made('a class that says nothing', CLASSES, { metadata: { name: 'bare' }, handler: 'bare' }),
  made('a class without amounts', CLASSES, {
    metadata: { name: 'empty' },
    handler: 'empty',
    overhead: {},
    scheduling: {},
  }),
  made('a pod of the class', PODS, pod('boxed', { runtimeClassName: 'boxed' }), {
    has: {
      spec: {
        overhead: { cpu: '250m', memory: '64Mi' },
        nodeSelector: { box: 'yes' },
        tolerations: [
          leave('not-ready', 300),
          leave('unreachable', 200),
          { key: 'box', operator: 'Exists' },
        ],
      },
    },
  }),
  made(
    'that says much of it itself',
    PODS,
    pod('says', {
      runtimeClassName: 'boxed',
      overhead: { cpu: '0.25', memory: '65536Ki' },
      nodeSelector: { box: 'yes', a: 'b' },
      tolerations: [{ key: 'box', operator: 'Exists', effect: 'NoSchedule' }],
    }),
    {
      has: {
        spec: {
          overhead: { cpu: '250m', memory: '64Mi' },
          nodeSelector: { box: 'yes', a: 'b' },
          tolerations: [
            leave('not-ready', 300),
            leave('unreachable', 200),
            { key: 'box', operator: 'Exists' },
          ],
        },
      },
      lacks: ['spec.tolerations.3'],
    },
  ),
  made('of the bare class', PODS, pod('bare', { runtimeClassName: 'bare' }), {
    lacks: ['spec.overhead', 'spec.nodeSelector', 'spec.tolerations.2'],
  }),
  made('of the class without amounts', PODS, pod('empty', { runtimeClassName: 'empty' }), {
    lacks: ['spec.overhead', 'spec.nodeSelector'],
  }),
  refusedRow(
    'of a class that there is not',
    PODS,
    pod('lost', { runtimeClassName: 'none' }),
    'pod rejected: RuntimeClass "none" not found',
  ),
  refusedRow(
    'with another overhead',
    PODS,
    pod('other', { runtimeClassName: 'boxed', overhead: { cpu: '1' } }),
    MATCH,
  ),
  refusedRow(
    'with an overhead of its own',
    PODS,
    pod('other', { overhead: { cpu: '1' } }),
    NO_OVERHEAD,
  ),
  refusedRow(
    'that the class does not have',
    PODS,
    pod('other', { runtimeClassName: 'bare', overhead: { cpu: '1' } }),
    NO_OVERHEAD,
  ),
  refusedRow(
    'for other nodes',
    PODS,
    pod('other', { runtimeClassName: 'boxed', nodeSelector: { box: 'no' } }),
    'conflict: runtimeClass.scheduling.nodeSelector[box] = yes; pod.spec.nodeSelector[box] = no',
  ),
];

export const NODE_ROWS: readonly AdmissionRow[] = [...TAINTS, ...TOLERATIONS, ...RUNTIMES];
