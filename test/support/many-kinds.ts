/** Small objects of twelve namespaced kinds, for what concerns all of a namespace. */
import type { TestObject } from './kinds.ts';

const CONTAINERS = [{ name: 'app', image: 'registry.example.com/app:1' }];
const LABELS = { app: 'many' };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: CONTAINERS } };
const SELECTOR = { matchLabels: LABELS };

interface SmallKind {
  /** Path of the collection below its namespace: `api/v1/…/pods`. */
  readonly root: string;
  readonly plural: string;
  readonly members: TestObject;
}

export const TWELVE_KINDS: readonly SmallKind[] = [
  { root: '/api/v1', plural: 'configmaps', members: { data: { key: 'value' } } },
  { root: '/api/v1', plural: 'secrets', members: { data: { key: 'dmFsdWU=' } } },
  { root: '/api/v1', plural: 'serviceaccounts', members: {} },
  { root: '/api/v1', plural: 'pods', members: { spec: { containers: CONTAINERS } } },
  {
    root: '/api/v1',
    plural: 'services',
    members: { spec: { clusterIP: 'None', selector: LABELS, ports: [{ port: 80 }] } },
  },
  { root: '/api/v1', plural: 'endpoints', members: {} },
  {
    root: '/api/v1',
    plural: 'persistentvolumeclaims',
    members: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  },
  {
    root: '/apis/apps/v1',
    plural: 'deployments',
    members: { spec: { selector: SELECTOR, template: TEMPLATE } },
  },
  {
    root: '/apis/apps/v1',
    plural: 'replicasets',
    members: { spec: { selector: SELECTOR, template: TEMPLATE } },
  },
  { root: '/apis/coordination.cluster.io/v1', plural: 'leases', members: {} },
  {
    root: '/apis/networking.cluster.io/v1',
    plural: 'networkpolicies',
    members: { spec: { podSelector: {} } },
  },
  { root: '/apis/apps/v1', plural: 'controllerrevisions', members: { revision: 1 } },
];

export function manyPath({ root, plural }: SmallKind, namespace: string): string {
  return `${root}/namespaces/${namespace}/${plural}`;
}

/** The kind and the object of a number: the kinds take turns. */
export function manyObject(number: number): { kind: SmallKind; object: TestObject } {
  const kind = TWELVE_KINDS[number % TWELVE_KINDS.length] as SmallKind;
  return {
    kind,
    object: { metadata: { name: `many-${number}`, labels: LABELS }, ...kind.members },
  };
}

/** Runs `work` for 0 … count - 1, `inFlight` at a time. */
export async function inParallel(
  count: number,
  inFlight: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await work(number);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
