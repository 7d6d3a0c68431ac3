/**
 * Each identity of the matrix makes these very requests: ways to make, change and watch objects
 * that are there, or are not. Whether one is answered 403 is a decision, like those of the reviews
 * of `access-matrix.ts`. In the names that public clients know.
 */
import { MATRIX_NAMESPACES } from './access-matrix.ts';

export interface AccessCell {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The type of the body. */
  readonly type: string;
  readonly body: object | undefined;
  /** The path where an object is made that is to be deleted. */
  readonly made: string | undefined;
  /** It is a watch, which goes on. */
  readonly isWatch: boolean;
  /** Another server answers something else there: here it counts what it decides of that one. */
  readonly decidedAs: string | undefined;
}

interface CellType {
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly members?: object;
  /** The name of an object that is not there. */
  readonly missing: string;
  /** Nothing of it can be deleted at once. */
  readonly isTriedOnly?: true;
}

export interface CellObject {
  readonly path: string;
  readonly object: object;
}

const [A] = MATRIX_NAMESPACES;
/** An object of most types that is there. */
const THERE = 'there';
const DRY = 'dryRun=All';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const JSON_TYPE = 'application/json';

const WIDGETS = { group: 'example.com', plural: 'widgets', kind: 'Widget' } as const;
const SELECTOR = { matchLabels: { app: 'a' } };
const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'a' }] },
};

function cellType(
  path: string,
  kind: string,
  more: Partial<Pick<CellType, 'members' | 'missing' | 'isTriedOnly'>> = {},
): CellType {
  const [version = '', rest = ''] = path.split(' ');
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return { collection: `${root}/${rest}`, apiVersion: version, kind, missing: 'one', ...more };
}

const TYPES: readonly CellType[] = [
  cellType(`v1 namespaces/${A}/configmaps`, 'ConfigMap'),
  cellType(`v1 namespaces/${A}/secrets`, 'Secret'),
  cellType(`v1 namespaces/${A}/endpoints`, 'Endpoints'),
  cellType(`v1 namespaces/${A}/limitranges`, 'LimitRange', { members: { spec: { limits: [] } } }),
  cellType(`v1 namespaces/${A}/services`, 'Service', {
    members: { spec: { ports: [{ port: 1 }] } },
  }),
  cellType(`apps/v1 namespaces/${A}/deployments`, 'Deployment', {
    members: { spec: { selector: SELECTOR, template: TEMPLATE } },
  }),
  cellType(`${WIDGETS.group}/v1 namespaces/${A}/${WIDGETS.plural}`, WIDGETS.kind),
  cellType('coordination.k8s.io/v1 namespaces/kube-node-lease/leases', 'Lease', {
    missing: 'access',
  }),
  cellType('storage.k8s.io/v1 csinodes', 'CSINode', {
    members: { spec: { drivers: [] } },
    missing: 'access',
  }),
  cellType('node.k8s.io/v1 runtimeclasses', 'RuntimeClass', { members: { handler: 'a' } }),
  cellType(`rbac.authorization.k8s.io/v1 namespaces/${A}/roles`, 'Role', {
    members: { rules: [] },
  }),
  cellType('rbac.authorization.k8s.io/v1 clusterroles', 'ClusterRole', { members: { rules: [] } }),
  cellType('v1 namespaces', 'Namespace', { isTriedOnly: true }),
];

function objectOf({ apiVersion, kind, members }: CellType, name: string): object {
  return { apiVersion, kind, metadata: { name }, ...members };
}

const { group, plural, kind: widget } = WIDGETS;
const WIDGET_VERSION = {
  name: 'v1',
  served: true,
  storage: true,
  subresources: { status: {} },
  schema: { openAPIV3Schema: { type: 'object' } },
};

/** The custom type of the matrix, which has to be served before the objects are made. */
export const WIDGET_DEFINITION: CellObject = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: widget },
      versions: [WIDGET_VERSION],
    },
  },
};
export const WIDGET_PATH = `/apis/${group}/v1/${plural}`;

/** An object of each type. */
export const CELL_OBJECTS: readonly CellObject[] = TYPES.map((type) => ({
  path: type.collection,
  object: objectOf(type, THERE),
}));

type Ask = Pick<AccessCell, 'method' | 'path'> & Partial<AccessCell>;

function cell(type: CellType, what: string, ask: Ask): AccessCell {
  const { collection } = type;
  return {
    type: JSON_TYPE,
    body: undefined,
    made: undefined,
    isWatch: false,
    decidedAs: undefined,
    ...ask,
    what: `${what} of ${collection}`,
  };
}

/** Ways that make an object that is not there, tried out and done. */
function makingCells(type: CellType): AccessCell[] {
  const { collection, missing, isTriedOnly = false } = type;
  const item = `${collection}/${missing}`;
  const body = objectOf(type, missing);
  const apply = { method: 'PATCH', type: APPLY, body } as const;
  const put = { method: 'PUT', body } as const;
  const tried = [
    cell(type, 'post, tried', { method: 'POST', path: `${collection}?${DRY}`, body }),
    cell(type, 'apply of nothing, tried', { ...apply, path: `${item}?fieldManager=a&${DRY}` }),
    cell(type, 'put of nothing, tried', { ...put, path: `${item}?${DRY}` }),
  ];
  // The status of a Service makes one on the reference, and nothing does here.
  if (type.kind !== 'Service') {
    const path = `${item}/status?fieldManager=a&${DRY}`;
    tried.push(cell(type, 'apply of the status of nothing', { ...apply, path }));
  }
  if (isTriedOnly) return tried;
  return [
    ...tried,
    cell(type, 'post', { method: 'POST', path: collection, body, made: item }),
    cell(type, 'apply of nothing', { ...apply, path: `${item}?fieldManager=a`, made: item }),
    cell(type, 'put of nothing', { ...put, path: item, made: item }),
  ];
}

/** Ways to change and see one that is there. */
function changingCells(type: CellType): AccessCell[] {
  const { collection } = type;
  const item = `${collection}/${THERE}`;
  const body = objectOf(type, THERE);
  const watched = `watch of the one selected of ${collection}`;
  const selector = `fieldSelector=metadata.name%3D${THERE}`;
  const merged = { metadata: { labels: { a: 'b' } } };
  return [
    cell(type, 'get', { method: 'GET', path: item }),
    cell(type, 'watch of the one selected', {
      method: 'GET',
      path: `${collection}?watch=true&${selector}`,
      isWatch: true,
    }),
    cell(type, 'watch of one', {
      method: 'GET',
      path: `${item}?watch=true`,
      isWatch: true,
      // A GET with `watch` is a watch here; the reference takes it for a get.
      decidedAs: watched,
    }),
    cell(type, 'apply', {
      method: 'PATCH',
      type: APPLY,
      body,
      path: `${item}?fieldManager=a&${DRY}`,
    }),
    cell(type, 'put', { method: 'PUT', body, path: `${item}?${DRY}` }),
    cell(type, 'patch', { method: 'PATCH', type: MERGE, body: merged, path: `${item}?${DRY}` }),
    cell(type, 'delete, tried', { method: 'DELETE', path: `${item}?${DRY}` }),
  ];
}

/** All that is asked of each identity, in the order of the decisions. */
export function accessCells(): AccessCell[] {
  return TYPES.flatMap((type) => [...makingCells(type), ...changingCells(type)]);
}
