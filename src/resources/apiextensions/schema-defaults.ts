/** Defaults in schemas: each is a value that its schema takes, with no members that it drops. */
import { deepEqual } from '../../base/deep-equal.ts';
import { setMember } from '../../base/set-member.ts';
import { RawJson } from '../../codec/raw-json.ts';
import { prune } from '../../schema/prune.ts';
import { StructuralSchema } from '../../schema/structural-schema.ts';
import { parseUnstructured } from '../../schema/unstructured.ts';
import { invalid, type FieldError } from '../../semantics/field-error.ts';
import { cloneDocument } from '../../semantics/patch/document.ts';
import { lenient } from './lenience.ts';
import { forEachBelow, itemSchema, schemasByName, type Schema } from './schema-node.ts';
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
  const whole = { ...schema, 'x-kubernetes-embedded-resource': true };
  checkNode(whole, field, new PlainSchemas(), errors);
}

function checkNode(schema: Schema, field: string, plain: PlainSchemas, errors: FieldError[]): void {
  if (schema['default'] !== undefined) {
    checkDefault(new StructuralSchema(plain.of(schema)), `${field}.default`, errors);
  }
  const items = itemSchema(schema);
  if (items !== undefined) checkNode(items, `${field}.items`, plain, errors);
  for (const [name, property] of schemasByName(schema)) {
    checkNode(property, `${field}.properties[${name}]`, plain, errors);
  }
}

function checkDefault(schema: StructuralSchema, field: string, errors: FieldError[]): void {
  const value = schema.default;
  if (!isPruned(value, schema)) {
    errors.push(lenient(invalid(field, value, 'must not have unknown fields'), 'pruning'));
  }
  checkValue(value, schema.json, field, errors);
}

/** Decoded schemas with their values parsed. Each is made when it is asked for, and once. */
class PlainSchemas {
  readonly #made = new Map<object, Schema>();

  of(schema: Schema): Schema {
    let made = this.#made.get(schema);
    if (made === undefined) {
      made = this.#plain(schema) as Schema;
      this.#made.set(schema, made);
    }
    return made;
  }

  #plain(value: unknown): unknown {
    if (value instanceof RawJson) return parseUnstructured(value.text);
    if (Array.isArray(value)) return value.map((item) => this.#below(item));
    if (typeof value !== 'object' || value === null) return value;
    const plain = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) setMember(plain, name, this.#below(member));
    return plain;
  }

  #below(value: unknown): unknown {
    const isNode = typeof value === 'object' && value !== null && !(value instanceof RawJson);
    return isNode ? this.of(value as Schema) : this.#plain(value);
  }
}

function isPruned(value: unknown, schema: StructuralSchema): boolean {
  if (typeof value !== 'object') return true;
  const holder = { value: cloneDocument(value) };
  prune(new StructuralSchema({ properties: { value: schema.json } }), holder);
  return deepEqual(holder.value, value);
}
