/** Whether a value is one that a schema takes, in the words of the reference. */
import { deepEqual } from '../../base/deep-equal.ts';
import { invalid, notSupported, required, type FieldError } from '../../semantics/field-error.ts';
import {
  additionalSchema,
  itemSchema,
  schemaList,
  schemaOf,
  schemasByName,
  typeOf,
  type Schema,
} from './schema-node.ts';

/** Adds what is wrong with a value at the path `field`. */
export function checkValue(
  value: unknown,
  schema: Schema,
  field: string,
  errors: FieldError[],
): void {
  if (value === null && schema['nullable'] === true) return;
  if (!checkType(value, schema, field, errors)) return;
  checkEnum(value, schema, field, errors);
  if (typeof value === 'number') checkNumber(value, schema, field, errors);
  else if (typeof value === 'string') checkText(value, schema, field, errors);
  else if (Array.isArray(value)) checkItems(value, schema, field, errors);
  else if (typeof value === 'object' && value !== null) {
    checkMembers(value as Schema, schema, field, errors);
  }
  checkJunctors(value, schema, field, errors);
}

function takes(value: unknown, schema: Schema): boolean {
  const errors: FieldError[] = [];
  checkValue(value, schema, '', errors);
  return errors.length === 0;
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkType(value: unknown, schema: Schema, field: string, errors: FieldError[]): boolean {
  const found = nameOfType(value);
  const isEither = schema['x-kubernetes-int-or-string'] === true;
  const expected = isEither ? 'integer,string' : typeOf(schema);
  if (expected === '' || expected.split(',').includes(found)) return true;
  if (expected === 'number' && found === 'integer') return true;
  const isFloat = found === 'number';
  const { format } = schema;
  const told = isFloat && expected === 'integer' && typeof format === 'string' ? format : expected;
  const shown = isFloat ? 'float64' : found;
  errors.push(invalid(field, shown, ` in body must be of type ${told}: ${JSON.stringify(shown)}`));
  return false;
}

function checkEnum(value: unknown, schema: Schema, field: string, errors: FieldError[]): void {
  const allowed = schema['enum'];
  if (!Array.isArray(allowed) || allowed.length === 0) return;
  const values = allowed;
  if (values.some((one) => deepEqual(one, value))) return;
  errors.push(notSupported(field, value, values.map(String)));
}

function numberOf(schema: Schema, member: string): number | undefined {
  const value = schema[member];
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function checkNumber(value: number, schema: Schema, field: string, errors: FieldError[]): void {
  const refuse = (what: string): void => {
    errors.push(invalid(field, value, ` in body should be ${what}`));
  };
  const minimum = numberOf(schema, 'minimum');
  const maximum = numberOf(schema, 'maximum');
  const multipleOf = numberOf(schema, 'multipleOf');
  const below = schema['exclusiveMinimum'] === true;
  const above = schema['exclusiveMaximum'] === true;
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    refuse(`a multiple of ${multipleOf}`);
  }
  if (maximum !== undefined && (above ? value >= maximum : value > maximum)) {
    refuse(`less than ${above ? '' : 'or equal to '}${maximum}`);
  }
  if (minimum !== undefined && (below ? value <= minimum : value < minimum)) {
    refuse(`greater than ${below ? '' : 'or equal to '}${minimum}`);
  }
}

function checkText(value: string, schema: Schema, field: string, errors: FieldError[]): void {
  const refuse = (what: string): void => {
    errors.push(invalid(field, value, ` in body should ${what}`));
  };
  const length = Array.from(value).length;
  const longest = numberOf(schema, 'maxLength');
  const shortest = numberOf(schema, 'minLength');
  if (longest !== undefined && length > longest) refuse(`be at most ${longest} chars long`);
  if (shortest !== undefined && length < shortest) refuse(`be at least ${shortest} chars long`);
  const { pattern } = schema;
  if (typeof pattern !== 'string' || pattern === '') return;
  if (regularExpression(pattern)?.test(value) === false) refuse(`match '${pattern}'`);
}

/** undefined for one that is written as Go alone understands it. */
function regularExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function checkItems(
  value: readonly unknown[],
  schema: Schema,
  field: string,
  errors: FieldError[],
): void {
  checkCount(value.length, schema, 'Items', 'items', field, errors);
  const items = itemSchema(schema);
  if (items === undefined) return;
  value.forEach((item, index) => {
    checkValue(item, items, `${field}[${index}]`, errors);
  });
}

function checkCount(
  count: number,
  schema: Schema,
  member: 'Items' | 'Properties',
  what: string,
  field: string,
  errors: FieldError[],
): void {
  const most = numberOf(schema, `max${member}`);
  const least = numberOf(schema, `min${member}`);
  if (most !== undefined && count > most) {
    errors.push(invalid(field, count, ` in body should have at most ${most} ${what}`));
  }
  if (least !== undefined && count < least) {
    errors.push(invalid(field, count, ` in body should have at least ${least} ${what}`));
  }
}

function checkMembers(value: Schema, schema: Schema, field: string, errors: FieldError[]): void {
  checkCount(Object.keys(value).length, schema, 'Properties', 'properties', field, errors);
  const needed = schema['required'];
  for (const name of Array.isArray(needed) ? needed.map(String) : []) {
    if (!Object.hasOwn(value, name)) errors.push(required(`${field}.${name}`));
  }
  const properties = new Map(schemasByName(schema));
  const additional = additionalSchema(schema);
  for (const [name, member] of Object.entries(value)) {
    const own = properties.get(name) ?? additional;
    if (own !== undefined) checkValue(member, own, `${field}.${name}`, errors);
  }
}

function checkJunctors(value: unknown, schema: Schema, field: string, errors: FieldError[]): void {
  const refuse = (what: string): void => {
    errors.push(invalid(field, value, ` in body must ${what}`));
  };
  for (const one of schemaList(schema, 'allOf')) checkValue(value, one, field, errors);
  const any = schemaList(schema, 'anyOf');
  if (any.length > 0 && !any.some((one) => takes(value, one))) {
    refuse('validate at least one schema (anyOf)');
  }
  const one = schemaList(schema, 'oneOf');
  if (one.length > 0 && one.filter((each) => takes(value, each)).length !== 1) {
    refuse('validate one and only one schema (oneOf)');
  }
  if (schema['not'] !== undefined && takes(value, schemaOf(schema['not']))) {
    refuse('not validate the schema (not)');
  }
}
