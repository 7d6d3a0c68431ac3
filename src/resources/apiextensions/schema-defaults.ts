/** Defaults in schemas: each is a value that its schema takes, with no members that it drops. */
import { deepEqual } from '../../base/deep-equal.ts';
import { prune } from '../../schema/prune.ts';
import { StructuralSchema } from '../../schema/structural-schema.ts';
import { parseUnstructured } from '../../schema/unstructured.ts';
import { invalid, type FieldError } from '../../semantics/field-error.ts';
import { cloneDocument } from '../../semantics/patch/document.ts';
import { lenient } from './lenience.ts';
import { forEachBelow, type Schema } from './schema-node.ts';
import { schemaText } from './schema-text.ts';
import { checkValue } from './schema-value.ts';

/** Whether there is a default in a schema, or below. */
export function hasDefaults(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ((schema as Schema)['default'] !== undefined) return true;
  let found = false;
  forEachBelow(schema as Schema, (below) => {
    found ||= hasDefaults(below);
  });
  return found;
}

/** Adds the problems of the defaults of a structural schema at the path `field`. */
export function checkDefaults(schema: Schema, field: string, errors: FieldError[]): void {
  if (!hasDefaults(schema)) return;
  const json = parseUnstructured(schemaText(schema)) as Record<string, unknown>;
  const root = new StructuralSchema({ ...json, 'x-kubernetes-embedded-resource': true });
  checkNode(root, field, errors);
}

function checkNode(schema: StructuralSchema, field: string, errors: FieldError[]): void {
  const value = schema.default;
  if (value !== undefined) {
    const path = `${field}.default`;
    if (!isPruned(value, schema)) {
      errors.push(lenient(invalid(path, value, 'must not have unknown fields'), 'pruning'));
    }
    checkValue(value, schema.json, path, errors);
  }
  if (schema.items !== undefined) checkNode(schema.items, `${field}.items`, errors);
  for (const name of schema.propertyNames()) {
    const property = schema.property(name);
    if (property !== undefined) checkNode(property, `${field}.properties[${name}]`, errors);
  }
}

function isPruned(value: unknown, schema: StructuralSchema): boolean {
  if (typeof value !== 'object') return true;
  const holder = { value: cloneDocument(value) };
  prune(new StructuralSchema({ properties: { value: schema.json } }), holder);
  return deepEqual(holder.value, value);
}
