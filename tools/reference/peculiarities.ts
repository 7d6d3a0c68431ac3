/** What of a body makes the two servers answer in ways of their own. */
import { parseDocument, type Document } from 'yaml';
import type { FuzzCase } from '../../test/support/fuzz-cases.ts';
import type { TestObject } from '../../test/support/kinds.ts';

/** Of a request, in words that follow its verb, as accepted differences name it; '' for nothing. */
export function peculiarityOf({ body, contentType = '' }: FuzzCase): string {
  if (body === undefined || contentType.includes('protobuf')) return '';
  const text = body.toString();
  const document = parseDocument(text, { uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.some(({ code }) => code === 'DUPLICATE_KEY')) return ' repeating members';
  const isYaml = contentType.includes('yaml') && !text.startsWith('{');
  if (isYaml && /[\u0085\u2028\u2029]/.test(text)) return ' with breaks of YAML 1.1';
  const value = valueOf(document);
  if (resetsOwners(value)) return ' resetting owners';
  if (hasOwnersOfNoMap(value)) return ' with owners that are no map';
  if (hasDiskWithoutLun(value)) return ' of a disk without its lun';
  if (DELETED.some((name) => value?.metadata?.[name] !== undefined)) return ' of what is deleted';
  if (sharesMembers(value?.status)) return ' repeating items of its status';
  return repeatsItems(value) ? ' repeating items' : '';
}

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
  return given.every((entry) => Object.values(entry ?? {}).every((value) => !value));
}

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

/** Whether two items of a list have a member that is the same, by which they may be one. */
function sharesMembers(value: TestObject): boolean {
  return hasList(value, (list) => {
    const members = list.flatMap((item) =>
      Object.entries(typeof item === 'object' && item !== null ? item : { item }).map(String),
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

function hasList(value: TestObject, holds: (list: readonly TestObject[]) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && holds(value)) return true;
  return Object.values(value).some((inner) => hasList(inner, holds));
}
