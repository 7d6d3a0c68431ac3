import type { ApiObject } from '../resources/kind.ts';
import { invalidObject, type FieldError } from '../semantics/errors/field-error.ts';
import type { ResourceType } from '../types/resource-type.ts';

/** Throws StatusError 422 when there are errors. */
export function refuseInvalid(
  { definition }: Pick<ResourceType, 'definition'>,
  { metadata }: ApiObject,
  errors: readonly FieldError[],
): void {
  if (errors.length === 0) return;
  const { group, groupOfErrors, kind } = definition;
  throw invalidObject(groupOfErrors ?? group, kind, metadata.name ?? '', [...errors]);
}
