/** Peculiarities of a body that make the two servers answer in ways of their own. */
import { parseDocument, type Document } from 'yaml';
import type { FuzzCase } from '../../test/support/fuzz-cases.ts';
import type { TestObject } from '../../test/support/kinds.ts';

/** Each of a request's, in words that follow its verb, as accepted differences name it. */
export function peculiaritiesOf({ body, contentType = '' }: FuzzCase): readonly string[] {
  if (body === undefined || contentType.includes('protobuf')) return [];
  const text = body.toString();
  const document = parseDocument(text, { uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.some(({ code }) => code === 'DUPLICATE_KEY')) return [' repeating members'];
  const isYaml = contentType.includes('yaml') && !text.startsWith('{');
  if (isYaml && /[\u0085\u2028\u2029]/.test(text)) return [' with breaks of YAML 1.1'];
  const value = valueOf(document);
  const isOfDeleted = DELETED.some((name) => value?.metadata?.[name] !== undefined);
  return [
    ...(/\de\d{5,}/i.test(text) ? [' of an amount beyond all measure'] : []),
    ...(resetsOwners(value) ? [' resetting owners'] : []),
    ...(hasOwnersOfNoMap(value) ? [' with owners that are no map'] : []),
    ...(hasDiskWithoutLun(value) ? [' of a disk without its lun'] : []),
    ...(isOfDeleted ? [' of what is deleted'] : []),
    ...(value?.status === undefined ? [] : [' with a status']),
    ...(sharesMembers(value?.status) ? [' repeating items of its status'] : []),
    ...(lacksKeys(value?.status) ? [' with items that lack their keys'] : []),
    ...(hasPortOutOfRange(value?.spec) ? [' of a port out of range'] : []),
    ...(LONG_TEXT.test(text) ? [' of a long text'] : []),
    ...(hasMarkElsewhere(value) ? [' of a value of each server'] : []),
    ...(repeatsItems(value) || repeatsOwners(value) ? [' repeating items'] : []),
  ];
}

/** Longer ones are not compared with the patterns of names (src/semantics/metadata/names.ts). */
const LONG_TEXT = /"[^"\\]{1001}/;
const NODE_PORT_MIN = 30_000;
const NODE_PORT_MAX = 32_767;
/** Keys of lists in a status, which objects leave out where they are empty. */
const KEYS: Readonly<Record<string, string>> = { conditions: 'type', podIPs: 'ip' };
const DELETED = ['deletionTimestamp', 'deletionGracePeriodSeconds'];

function valueOf(document: Document): TestObject {
  try {
    return document.toJS();
  } catch {
    // Such as an alias of nothing.
    return undefined;
  }
}

/** Whether an object or a patch brings an empty list of owners, or a single entry that is empty. */
function resetsOwners(object: TestObject): boolean {
  if (Array.isArray(object)) {
    return object.some((operation) =>
      String(operation?.path).startsWith('/metadata/managedFields'),
    );
  }
  const given = object?.metadata?.managedFields;
  if (!Array.isArray(given) || given.length > 1) return false;
  return given.every((entry) => OWNER_MEMBERS.every((name) => !entry?.[name]));
}

const OWNER_MEMBERS = [
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
];

/** Whether it says who owns the fields of an object inside of it, in something that is no map. */
function hasOwnersOfNoMap(value: TestObject): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { fieldsV1 } = value;
  if (fieldsV1 !== undefined && (typeof fieldsV1 !== 'object' || Array.isArray(fieldsV1))) {
    return true;
  }
  return Object.values(value).some(hasOwnersOfNoMap);
}

/** Whether it has a volume over iSCSI that does not say which unit. */
function hasDiskWithoutLun(value: TestObject): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { iscsi } = value;
  if (typeof iscsi === 'object' && iscsi !== null && typeof iscsi.lun !== 'number') return true;
  return Object.values(value).some(hasDiskWithoutLun);
}

/**
 * Whether two items of a list have a member that is the same, by which they may be one, or lack one
 * that another has: absent, null and empty are the same.
 */
function sharesMembers(value: TestObject): boolean {
  return hasList(value, (list) => {
    const items: TestObject[] = list.map((item) =>
      typeof item === 'object' && item !== null ? item : { item },
    );
    const names = new Set(items.flatMap((item) => Object.keys(item)));
    const members = [...names].flatMap((name) =>
      items.map((item) => `${name},${JSON.stringify(item[name] ?? '')}`),
    );
    return new Set(members).size < members.length;
  });
}

/** Whether two items of a list are the same. */
function repeatsItems(value: TestObject): boolean {
  return hasList(value, (list) => {
    return new Set(list.map((item) => JSON.stringify(item))).size < list.length;
  });
}

/** Whether a list of a status has an item without its key. */
function lacksKeys(status: TestObject): boolean {
  return Object.entries(KEYS).some(([name, key]) => {
    const items = status?.[name];
    return Array.isArray(items) && items.some((item) => !item?.[key]);
  });
}

/** Whether a Service asks for a port of nodes that no Service is given. */
function hasPortOutOfRange(spec: TestObject): boolean {
  const ports: TestObject[] = Array.isArray(spec?.ports) ? spec.ports : [];
  const asked = [spec?.healthCheckNodePort, ...ports.map((port) => port?.nodePort)];
  return asked.some((port) => typeof port === 'number' && port !== 0 && !isNodePort(port));
}

function isNodePort(port: number): boolean {
  return port >= NODE_PORT_MIN && port <= NODE_PORT_MAX;
}

/** Whether a member that no server gives of its own has the mark of such a value (marks.ts). */
function hasMarkElsewhere(value: TestObject): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => {
    if (name === 'resourceVersion') return false;
    return typeof inner === 'string' ? /^20070\d{5}$/.test(inner) : hasMarkElsewhere(inner);
  });
}

/** Whether two references to owners have the same uid, or none. */
function repeatsOwners(value: TestObject): boolean {
  const references = value?.metadata?.ownerReferences;
  if (!Array.isArray(references)) return false;
  return new Set(references.map((owner) => owner?.uid ?? '')).size < references.length;
}

function hasList(value: TestObject, holds: (list: readonly TestObject[]) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && holds(value)) return true;
  return Object.values(value).some((inner) => hasList(inner, holds));
}
