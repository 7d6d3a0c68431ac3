/** Defaults in schemas: each is a value that its schema takes, with no members that it drops. */
import { appendAll } from '../../base/append-all.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { EmbeddedResources } from '../../schema/embedded-metadata.ts';
import { shownValue } from '../../schema/go-value.ts';
import { prune } from '../../schema/prune.ts';
import { ruleEngine } from '../../schema/rule-engine.ts';
import { StructuralSchema } from '../../schema/structural-schema.ts';
import { compileValueValidator } from '../../schema/validate.ts';
import { invalidPrinted, type FieldError } from '../../semantics/errors/field-error.ts';
import { cloneDocument } from '../../semantics/patch/document.ts';
import { lenient } from './lenience.ts';
import { PlainSchemas } from './plain-schemas.ts';
import { forEachBelow, itemSchema, schemasByName, type Schema } from './schema-node.ts';

/** Clients are told of no more errors than these, and values take time to check. */
const ERRORS_MAX = 2_500;
const EMBEDDED = 'x-kubernetes-embedded-resource';
const META_MEMBERS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

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

function mentionsResources(schema: Schema): boolean {
  let found = schema[EMBEDDED] === true;
  forEachBelow(schema, (below) => {
    found ||= mentionsResources(below);
  });
  return found;
}

/** The state that the checks of one schema share. */
interface Checks {
  /**
   * Whether there are resources inside of objects anywhere below the root: other values than that
   * of the root, and those in its kind, version and metadata, are searched only then.
   */
  readonly hasResources: boolean;
  readonly plain: PlainSchemas;
  readonly embedded: EmbeddedResources;
  readonly errors: FieldError[];
}

/** The place of a default in or below the kind, version or metadata of a whole object. */
interface Inside {
  readonly resource: Schema;
  /** Returns the whole object with a value at this place. */
  wrap(value: unknown): unknown;
}

/** Adds the problems of the defaults of a structural schema at the path `field`. */
export function checkDefaults(
  schema: Schema,
  field: string,
  embedded: EmbeddedResources,
  errors: FieldError[],
): void {
  if (!hasDefaults(schema)) return;
  const hasResources = mentionsResources(schema);
  const checks = { hasResources, plain: new PlainSchemas(), embedded, errors };
  checkNode({ ...schema, [EMBEDDED]: true }, field, undefined, checks);
}

function checkNode(schema: Schema, field: string, outer: Inside | undefined, checks: Checks): void {
  const isWhole = schema[EMBEDDED] === true;
  const inside = isWhole ? undefined : outer;
  if (schema['default'] !== undefined && checks.errors.length < ERRORS_MAX) {
    if (inside === undefined) checkDefault(checks.plain.of(schema), field, checks);
    else checkMetaDefault(checks.plain.of(schema), field, inside, checks);
  }
  const items = itemSchema(schema);
  if (items !== undefined) {
    const below = inside && { ...inside, wrap: (value: unknown) => inside.wrap([value]) };
    checkNode(items, `${field}.items`, below, checks);
  }
  for (const [name, property] of schemasByName(schema)) {
    const entered =
      inside ??
      (isWhole && META_MEMBERS.has(name) ? { resource: schema, wrap: asResource } : undefined);
    const below = entered && {
      ...entered,
      wrap: (value: unknown) => entered.wrap({ [name]: value }),
    };
    checkNode(property, `${field}.properties[${name}]`, below, checks);
  }
}

function asResource(members: unknown): object {
  return { kind: 'Validation', apiVersion: 'validation/v1', ...(members as object) };
}

function checkDefault(schema: StructuralSchema, field: string, checks: Checks): void {
  const { default: value } = schema;
  const path = `${field}.default`;
  const holder = cloneDocument({ default: value }) as Record<string, unknown>;
  const holding = new StructuralSchema({ properties: { default: schema.json } });
  prune(holding, holder);
  if (!deepEqual(holder['default'], value)) {
    const unknown = invalidPrinted(path, shownValue(value), 'must not have unknown fields');
    checks.errors.push(lenient(unknown, 'pruning'));
  }
  const mayHoldResources = checks.hasResources || schema.isEmbeddedResource;
  const problems = mayHoldResources ? embeddedErrors(holding, { default: value }, checks) : [];
  const found = problems.map((error) => ({ ...error, field: `${field}.${error.field}` }));
  appendAll(checks.errors, found.length > 0 ? found : valueErrors(schema, path));
}

/** The errors of a default by its schema, and then by the rules in it. */
function valueErrors(schema: StructuralSchema, path: string): readonly FieldError[] {
  const { default: value } = schema;
  const errors = compileValueValidator(schema)(value, path);
  if (errors.length > 0) return errors;
  return ruleEngine()?.compileRuleValidator(schema)?.(value, path) ?? [];
}

/** With the default in its place, the metadata of a whole object is valid. */
function checkMetaDefault(
  schema: StructuralSchema,
  field: string,
  { resource, wrap }: Inside,
  checks: Checks,
): void {
  const { default: value } = schema;
  const path = `${field}.default`;
  const json = checks.plain.of(resource).json;
  const whole = new StructuralSchema({ properties: { of: json } });
  const problems = embeddedErrors(whole, { of: wrap(value) }, checks).map((error) => {
    return `${error.field.replace(/^of\./, '')}: ${error.message}`;
  });
  if (problems.length === 0) {
    appendAll(checks.errors, valueErrors(schema, path));
    return;
  }
  const distinct = [...new Set(problems)];
  const text = distinct.length === 1 ? distinct[0] : `[${distinct.join(', ')}]`;
  const detail = `must result in valid metadata: ${text}`;
  checks.errors.push(invalidPrinted(path, shownValue(value), detail));
}

/** The errors of resources inside of an object, which is not changed. */
function embeddedErrors(
  schema: StructuralSchema,
  object: Record<string, unknown>,
  { embedded }: Checks,
): readonly FieldError[] {
  // Defaults stand below one another: to search the schema for each would be quadratic.
  schema.assumeMentioned(EMBEDDED);
  const copy = cloneDocument(object) as Record<string, unknown>;
  const wrongType = embedded.coerce(schema, copy);
  return wrongType === undefined ? embedded.errors(schema, copy) : [wrongType];
}
