/** Values as comparisons see them. */
import { isMembers } from '../patch/document.ts';
import { isObject } from './equal-values.ts';

/** Owners see an empty list or map as absent where JSON does not show it. */
export function unlessEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
}

/** Null for what is no list. */
export function asList(value: unknown): unknown {
  return Array.isArray(value) ? value : null;
}

/** Null for what is no object. */
export function asObject(value: unknown): unknown {
  return isObject(value) ? value : null;
}

/** Null for what is no map of members. */
export function membersOf(value: unknown): unknown {
  return isMembers(value) ? value : null;
}
