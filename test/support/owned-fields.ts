/** Who owns what of an object, as a client reads it of `metadata.managedFields`. */
import type { Test } from 'tap';
import type { TestObject } from './kinds.ts';

/** FieldsV1: elements of paths, and what is owned below them. */
export interface Owned {
  readonly [element: string]: Owned;
}

export interface OwnerEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time: string;
  readonly fieldsType: string;
  readonly fieldsV1: Owned;
  readonly subresource?: string;
}

/** As whom controllers of the server write. */
const CONTROLLERS = 'cluster-apiserver';

/** The entries of clients. */
export function ownersOf(object: TestObject): OwnerEntry[] {
  const entries: OwnerEntry[] = object.metadata.managedFields ?? [];
  return entries.filter(({ manager }) => manager !== CONTROLLERS);
}

/** The entry of a manager that applies, or of one that writes, through an endpoint. */
export function ownerOf(
  object: TestObject,
  manager: string,
  operation: OwnerEntry['operation'],
  subresource?: string,
): OwnerEntry | undefined {
  return ownersOf(object).find(
    (entry) =>
      entry.manager === manager &&
      entry.operation === operation &&
      entry.subresource === subresource,
  );
}

/** Names the fields of each entry: `agent Update status`. */
export function owners(object: TestObject): string[] {
  return ownersOf(object).map(({ manager, operation, subresource }) =>
    [manager, operation, subresource ?? ''].join(' ').trimEnd(),
  );
}

/** Owned fields that the object does not have, each as the elements of its path. */
export function missingFields(object: unknown, owned: Owned): string[] {
  return Object.entries(owned).flatMap(([element, below]) => {
    if (element === '.') return [];
    const found = fieldAt(object, element);
    if (found === undefined) return [element];
    return missingFields(found.value, below).map((path) => `${element} ${path}`);
  });
}

function fieldAt(parent: unknown, element: string): { readonly value: unknown } | undefined {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:': {
      if (!isMembers(parent) || !Object.hasOwn(parent, rest)) return undefined;
      return { value: parent[rest] };
    }
    case 'k:': {
      const keys = Object.entries(JSON.parse(rest) as Record<string, unknown>);
      return itemWhere(
        parent,
        (item) => isMembers(item) && keys.every(([name, value]) => item[name] === value),
      );
    }
    case 'v:':
      return itemWhere(parent, (item) => JSON.stringify(item) === rest);
    default:
      return undefined;
  }
}

/** The one item that is meant: none when several are. */
function itemWhere(
  list: unknown,
  isMeant: (item: unknown) => boolean,
): { readonly value: unknown } | undefined {
  const found: unknown[] = Array.isArray(list) ? list.filter(isMeant) : [];
  return found.length === 1 ? { value: found[0] } : undefined;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds a path of names in an entry: true for the field itself or one below it. */
export function ownsField(entry: OwnerEntry | undefined, ...names: readonly string[]): boolean {
  let owned: Owned | undefined = entry?.fieldsV1;
  for (const name of names) owned = owned?.[`f:${name}`];
  return owned !== undefined;
}

/** Members of the fullest objects that the server drops or writes anew, so that none has them. */
const DROPPED: Readonly<Record<string, readonly string[]>> = {
  CertificateSigningRequest: ['f:spec f:extra', 'f:spec f:uid'],
  Node: ['f:spec f:configSource'],
  Pod: ['f:spec f:os'],
  Secret: ['f:stringData'],
  StatefulSet: ['f:spec f:persistentVolumeClaimRetentionPolicy'],
};

/** All that is owned is there; fields of another version have other names and are not looked at. */
export function checkOwned(t: Test, object: TestObject, what: string): void {
  const dropped = DROPPED[object.kind] ?? [];
  for (const { manager, apiVersion, fieldsV1 } of ownersOf(object)) {
    if (apiVersion !== object.apiVersion) continue;
    const missing = missingFields(object, fieldsV1).filter((field) => !dropped.includes(field));
    t.strictSame(missing, [], `${what}: ${manager} owns what there is`);
  }
}

/** The object without what a write of a label changes. */
export function unlabelled(object: TestObject): TestObject {
  const metadata = { ...object.metadata };
  for (const name of ['labels', 'managedFields', 'resourceVersion']) delete metadata[name];
  // Only labels count in these.
  if (object.kind === 'EndpointSlice') delete metadata.generation;
  return { ...object, metadata };
}
