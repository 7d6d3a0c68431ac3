/** References to objects in the same namespace. */
import type { LocalObjectReference } from '#messages/core.v1';
import { required, type FieldError } from '../../semantics/errors/field-error.ts';

/** A reference to an object in the same namespace, where the schema lets the name be absent. */
export function checkNamed(
  { name = '' }: LocalObjectReference,
  field: string,
  errors: FieldError[],
): void {
  if (name === '') errors.push(required(`${field}.name`));
}
