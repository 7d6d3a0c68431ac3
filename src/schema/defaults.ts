/** Sets the members of an object that its schema has defaults for (README.md#defaults). */
import { setMember } from '../base/set-member.ts';
import type { Members } from '../codec/model/schema-model.ts';
import { cloneDocument } from '../semantics/patch/document.ts';
import { isResourceMember, type StructuralSchema } from './structural-schema.ts';

/**
 * Removes, in place, each member that is null though its schema does not allow it; one that has a
 * default stays, for `applyDefaults` to replace. Items of lists stay as they are, and with
 * `keepsRefused` values that are refused for their type.
 */
export function dropNulls(
  schema: StructuralSchema,
  object: Record<string, unknown>,
  keepsRefused = false,
): void {
  dropNullMembers(object, schema, keepsRefused);
}

function dropNullMembers(members: Members, schema: StructuralSchema, keepsRefused: boolean): void {
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value !== 'object') continue;
    const below = schema.member(name);
    if (below === undefined) continue;
    if (value !== null) dropNullsBelow(value, below, keepsRefused);
    else if (!below.nullable && below.default === undefined) {
      const isRefused = below.type !== '' || below.isIntOrString;
      if (!keepsRefused || !isRefused) delete members[name];
    }
  }
}

function dropNullsBelow(value: object, schema: StructuralSchema, keepsRefused: boolean): void {
  if (!Array.isArray(value)) {
    dropNullMembers(value as Members, schema, keepsRefused);
    return;
  }
  const { items } = schema;
  if (items === undefined) return;
  for (const item of value as unknown[]) {
    if (typeof item === 'object' && item !== null) dropNullsBelow(item, items, keepsRefused);
  }
}

/**
 * Sets the default, in place, of each member that is absent, or null where its schema does not
 * allow that. Defaults have defaults of their own below them. Members that every object has, such
 * as its kind, stay.
 */
export function applyDefaults(schema: StructuralSchema, object: Record<string, unknown>): void {
  if (schema.mentions('default')) defaultMembers(object, schema, true);
}

function defaultMembers(members: Members, schema: StructuralSchema, isRoot: boolean): void {
  for (const { name, schema: below } of schema.defaultedProperties) {
    if (isRoot && isResourceMember(name)) continue;
    const isThere = Object.hasOwn(members, name) && members[name] !== undefined;
    if (isThere && !isForbiddenNull(members[name], below)) continue;
    setMember(members, name, cloneDocument(below.default));
  }
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value !== 'object') continue;
    const property = schema.property(name);
    const below = property ?? schema.additionalSchema;
    if (below === undefined) continue;
    if (value !== null) defaultBelow(value, below);
    else if (property === undefined && below.default !== undefined && !below.nullable) {
      members[name] = withDefaults(below);
    }
  }
}

function defaultBelow(value: object, schema: StructuralSchema): void {
  if (!Array.isArray(value)) {
    defaultMembers(value as Members, schema, false);
    return;
  }
  const { items } = schema;
  if (items === undefined) return;
  for (let at = 0; at < value.length; at++) {
    const item: unknown = value[at];
    if (typeof item !== 'object') continue;
    if (item !== null) defaultBelow(item, items);
    else if (items.default !== undefined && !items.nullable) value[at] = withDefaults(items);
  }
}

/** A copy of the default of a schema, with the defaults below it. */
function withDefaults(schema: StructuralSchema): unknown {
  const value = cloneDocument(schema.default);
  if (typeof value === 'object' && value !== null) defaultBelow(value, schema);
  return value;
}

function isForbiddenNull(value: unknown, schema: StructuralSchema): boolean {
  return value === null && !schema.nullable;
}
