/**
 * The objects of flow control that each cluster begins with: levels by what they limit, schemas by
 * whose requests they take, in which order and to which level.
 */
import type { Life } from '../life.ts';

/** In which version the server writes them. */
export const FLOW_VERSIONS: readonly (Life & { readonly version: string })[] = [
  { version: 'v1beta2', until: 26 },
  { version: 'v1beta3', since: 26, until: 29 },
  { version: 'v1', since: 29 },
];

interface Level {
  readonly shares: number;
  /** How much of them others may borrow. */
  readonly lendable: number;
  /** Queues, hands and the length of each queue; absent for a level that refuses instead. */
  readonly queuing?: readonly [queues: number, handSize: number, lengthMax: number];
}

/** Those that limit something; `exempt` does not. */
export const FLOW_LEVELS: Readonly<Record<string, Level>> = {
  'catch-all': { shares: 5, lendable: 0 },
  system: { shares: 30, lendable: 33, queuing: [64, 6, 50] },
  'node-high': { shares: 40, lendable: 25, queuing: [64, 6, 50] },
  'leader-election': { shares: 10, lendable: 0, queuing: [16, 4, 50] },
  'workload-high': { shares: 40, lendable: 50, queuing: [128, 6, 50] },
  'workload-low': { shares: 100, lendable: 90, queuing: [128, 6, 50] },
  'global-default': { shares: 20, lendable: 50, queuing: [128, 6, 50] },
};

/** `account` is a service account of the system's namespace. */
type Who = Readonly<Partial<Record<'group' | 'user' | 'account', readonly string[]>>>;

interface Rule {
  readonly verbs: readonly string[];
  readonly group: string;
  readonly resources: readonly string[];
  /** Objects without a namespace are meant too. */
  readonly isOfCluster?: true;
}

interface Schema extends Life {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly who: Who;
  /** Absent for all requests. */
  readonly what?: readonly Rule[] | { readonly paths: readonly string[] };
}

const EVERYBODY: Who = { group: ['system:unauthenticated', 'system:authenticated'] };
const MANAGER = 'system:kube-controller-manager';
const SCHEDULER = 'system:kube-scheduler';
const LEADERS = ['get', 'create', 'update'];
const COORDINATION = 'coordination.cluster.io';

export const FLOW_SCHEMAS: Readonly<Record<string, Schema>> = {
  exempt: { level: 'exempt', precedence: 1, who: { group: ['system:masters'] } },
  probes: {
    level: 'exempt',
    precedence: 2,
    who: EVERYBODY,
    what: { paths: ['/healthz', '/readyz', '/livez'] },
  },
  'system-leader-election': {
    level: 'leader-election',
    precedence: 100,
    by: 'ByUser',
    who: { user: [MANAGER, SCHEDULER], account: ['*'] },
    what: [{ verbs: LEADERS, group: COORDINATION, resources: ['leases'] }],
  },
  'endpoint-controller': {
    until: 34,
    level: 'workload-high',
    precedence: 150,
    by: 'ByUser',
    who: { user: [MANAGER], account: ['endpoint-controller', 'endpointslicemirroring-controller'] },
    what: [{ verbs: LEADERS, group: '', resources: ['endpoints'] }],
  },
  'workload-leader-election': {
    until: 34,
    level: 'leader-election',
    precedence: 200,
    by: 'ByUser',
    who: { account: ['*'] },
    what: [
      { verbs: LEADERS, group: '', resources: ['endpoints', 'configmaps'] },
      { verbs: LEADERS, group: COORDINATION, resources: ['leases'] },
    ],
  },
  'system-node-high': {
    level: 'node-high',
    precedence: 400,
    by: 'ByUser',
    who: { group: ['system:nodes'] },
    what: [
      { verbs: ['*'], group: '', resources: ['nodes', 'nodes/status'], isOfCluster: true },
      { verbs: ['*'], group: COORDINATION, resources: ['leases'] },
    ],
  },
  'system-nodes': {
    level: 'system',
    precedence: 500,
    by: 'ByUser',
    who: { group: ['system:nodes'] },
  },
  'kube-controller-manager': {
    level: 'workload-high',
    precedence: 800,
    by: 'ByNamespace',
    who: { user: [MANAGER] },
  },
  'kube-scheduler': {
    level: 'workload-high',
    precedence: 800,
    by: 'ByNamespace',
    who: { user: [SCHEDULER] },
  },
  'kube-system-service-accounts': {
    level: 'workload-high',
    precedence: 900,
    by: 'ByNamespace',
    who: { account: ['*'] },
  },
  'service-accounts': {
    level: 'workload-low',
    precedence: 9_000,
    by: 'ByUser',
    who: { group: ['system:serviceaccounts'] },
  },
  'global-default': { level: 'global-default', precedence: 9_900, by: 'ByUser', who: EVERYBODY },
  'catch-all': { level: 'catch-all', precedence: 10_000, by: 'ByUser', who: EVERYBODY },
};

/** Without these no request has a place: what anybody changes about them is undone. */
export const MANDATORY_FLOWS: readonly string[] = ['exempt', 'catch-all'];
