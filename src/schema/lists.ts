/** Lists whose items must differ, as sets and by their keys (README.md#lists). */
import type { Members } from '../codec/model/schema-model.ts';
import { invalidPrinted, type FieldError } from '../semantics/errors/field-error.ts';
import { shownValue } from './go-value.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { unstructuredText } from './unstructured.ts';

const LIST_TYPE = 'x-kubernetes-list-type';

/** The items of an object that repeat others of their list, each after the first once. */
export function listErrors(
  schema: StructuralSchema,
  object: Readonly<Record<string, unknown>>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.mentions(LIST_TYPE)) checkMembers(object, schema, '', errors);
  return errors;
}

function checkMembers(
  members: Readonly<Members>,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
): void {
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value !== 'object' || value === null) continue;
    const property = schema.property(name);
    if (property !== undefined) {
      checkValue(value, property, path === '' ? name : `${path}.${name}`, errors);
      continue;
    }
    const additional = schema.additionalSchema;
    if (additional !== undefined) checkValue(value, additional, `${path}[${name}]`, errors);
  }
}

function checkValue(
  value: object,
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
): void {
  if (!Array.isArray(value)) {
    checkMembers(value as Members, schema, path, errors);
    return;
  }
  const list = value as readonly unknown[];
  if (schema.listType === 'set') checkSet(list, list, path, errors);
  else if (schema.listType === 'map') checkKeyed(list, schema.listMapKeys, path, errors);
  const { items } = schema;
  if (items === undefined) return;
  list.forEach((item, at) => {
    if (typeof item === 'object' && item !== null)
      checkValue(item, items, `${path}[${at}]`, errors);
  });
}

/** Stands for a key that an item does not have. */
const NO_KEY = Symbol('no key');

function checkKeyed(
  list: readonly unknown[],
  keys: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const wrong = list.findIndex((item) => typeof item !== 'object' || Array.isArray(item));
  if (wrong !== -1) {
    const detail = 'must be an object for an array of list-type map';
    errors.push(invalidPrinted(`${path}[${wrong}]`, shownValue(list[wrong]), detail));
    return;
  }
  const keysOf = list.map((item) => keysIn(item as Members | null, keys));
  const [only] = keys;
  const identities =
    keys.length === 1 && only !== undefined
      ? keysOf.map((found) => (Object.hasOwn(found, only) ? found[only] : NO_KEY))
      : keysOf;
  checkSet(identities, keysOf, path, errors);
}

function keysIn(item: Members | null, keys: readonly string[]): Members {
  const found = Object.create(null) as Members;
  for (const key of keys) if (item !== null && Object.hasOwn(item, key)) found[key] = item[key];
  return found;
}

/** `shown` are the values that errors show of the items. */
function checkSet(
  list: readonly unknown[],
  shown: readonly unknown[],
  path: string,
  errors: FieldError[],
): void {
  if (list.length < 2) return;
  const scalars = new Map<unknown, number>();
  const compounds = new Map<unknown, number>();
  list.forEach((item, at) => {
    const isCompound = typeof item === 'object' && item !== null;
    const counts = isCompound ? compounds : scalars;
    const identity = isCompound ? unstructuredText(item) : item;
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    if (count !== 1) return;
    const message = `Duplicate value: ${shownValue(shown[at])}`;
    errors.push({ reason: 'FieldValueDuplicate', field: `${path}[${at}]`, message });
  });
}
