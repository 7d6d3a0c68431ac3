/** Fields that cannot change after creation: the `immutable` option of `proto/`. */
import type { LabelSelector } from '#messages/meta.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FieldSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import { isMessageType } from '../../codec/model/schema-walk.ts';
import { FIELD_IMMUTABLE, invalid, type FieldError } from '../errors/field-error.ts';
import { equalJson } from '../fields/equal-values.ts';
import { invalidSelector } from '../metadata/label-validation.ts';
import { isImplied, membersOf } from './validation-schema.ts';

/** The immutable fields that an update of an object changes, in declaration order. */
export type ImmutableCheck = (object: unknown, stored: unknown) => readonly FieldError[];

interface ImmutablePath {
  readonly members: readonly string[];
  readonly field: FieldSchema;
}

const NO_ERRORS: readonly FieldError[] = Object.freeze([]);

/**
 * Collects the immutable fields of `message`, inside the messages it holds too, once; values in a
 * list or a map have no identity across an update and are not looked at.
 */
export function immutableCheck(model: SchemaModel, message: string): ImmutableCheck {
  let paths: readonly ImmutablePath[] | undefined;
  return (object, stored) => {
    paths ??= immutablePaths(model, message, [], []);
    if (paths.length === 0) return NO_ERRORS;
    const errors: FieldError[] = [];
    for (const { members, field } of paths) {
      const value = valueAt(object, members) ?? zeroOf(field);
      if (isSame(field, value, valueAt(stored, members) ?? zeroOf(field))) continue;
      errors.push(fieldImmutable(members.join('.'), field, value));
    }
    return errors;
  };
}

function immutablePaths(
  model: SchemaModel,
  message: string,
  members: readonly string[],
  seen: readonly string[],
): ImmutablePath[] {
  if (seen.includes(message)) return [];
  return membersOf(model, message).flatMap((field) => {
    const path = [...members, field.name];
    if (field.immutable === true) return [{ members: path, field }];
    if (field.container !== 'single' || !isMessageType(field.type)) return [];
    return immutablePaths(model, field.type, path, [...seen, message]);
  });
}

/** JSON that is kept as text is compared as values: its members may be in another order. */
function isSame({ type }: FieldSchema, value: unknown, stored: unknown): boolean {
  return type === 'RawExtension'
    ? equalJson(value ?? null, stored ?? null)
    : deepEqual(value, stored);
}

function valueAt(object: unknown, members: readonly string[]): unknown {
  let value = object;
  for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member];
  return value;
}

function fieldImmutable(field: string, { type }: FieldSchema, value: unknown): FieldError {
  if (type === 'meta.v1.LabelSelector') {
    return invalidSelector(field, value as LabelSelector | undefined, FIELD_IMMUTABLE);
  }
  // JSON that is kept as text is parsed for the message.
  const isText = type === 'RawExtension' && value !== undefined;
  const shown: unknown = isText ? JSON.parse((value as { readonly text: string }).text) : value;
  return invalid(field, shown, FIELD_IMMUTABLE);
}

/** The value that an absent field stands for where presence is not tracked. */
function zeroOf(field: FieldSchema): unknown {
  if (field.container !== 'single' || field.presence === true) return undefined;
  if (isImplied(field)) return {};
  switch (field.type) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    default:
      return undefined;
  }
}
