/** What a schema says of lists and maps under server-side apply (API-FACTS 15.2). */
import { invalid, notSupported, required, type FieldError } from '../../semantics/field-error.ts';

const LIST_TYPES = ['atomic', 'map', 'set'];
const MAP_TYPES = ['atomic', 'granular'];
const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';

/** Adds the problems of the extensions for lists and maps. */
export function checkLists(
  schema: Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  const { type = '', [LIST_TYPE]: listType, [MAP_TYPE]: mapType } = schema;
  if (listType !== undefined) {
    const path = `${field}.${LIST_TYPE}`;
    if (type !== 'array') checkIs('array', type, `if ${LIST_TYPE} is specified`, field, errors);
    if (!LIST_TYPES.some((one) => one === listType)) {
      errors.push(notSupported(path, listType, LIST_TYPES));
    }
  }
  if (mapType !== undefined) {
    const path = `${field}.${MAP_TYPE}`;
    if (type !== 'object') checkIs('object', type, `if ${MAP_TYPE} is specified`, field, errors);
    if (!MAP_TYPES.some((one) => one === mapType))
      errors.push(notSupported(path, mapType, MAP_TYPES));
  }
  checkKeys(schema, field, errors);
}

function checkIs(
  expected: string,
  type: unknown,
  when: string,
  field: string,
  errors: FieldError[],
): void {
  const detail = `must be ${expected} ${when}`;
  const path = `${field}.type`;
  errors.push(type === '' ? required(path, detail) : invalid(path, type, detail));
}

function checkKeys(
  schema: Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  const kept = schema[LIST_KEYS];
  const keys: readonly unknown[] = Array.isArray(kept) ? kept : [];
  const path = `${field}.${LIST_KEYS}`;
  const isMap = schema[LIST_TYPE] === 'map';
  if (isMap && keys.length === 0) {
    errors.push(required(path, `must not be empty if ${LIST_TYPE} is map`));
  }
  if (!isMap && keys.length > 0) {
    const listPath = `${field}.${LIST_TYPE}`;
    const detail = `must be map if ${LIST_KEYS} is non-empty`;
    const listType = schema[LIST_TYPE];
    errors.push(
      listType === undefined ? required(listPath, detail) : invalid(listPath, listType, detail),
    );
  }
}
