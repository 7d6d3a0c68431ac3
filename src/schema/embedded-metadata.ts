/** Resources inside of resources: their metadata, apiVersion and kind (README.md#embedded). */
import { appendAll } from '../base/append-all.ts';
import { DecodeError } from '../codec/json/go-errors.ts';
import { compileJsonCodec, type JsonCodec } from '../codec/json/json-codec.ts';
import { compileStrictCheck } from '../codec/json/strict-check.ts';
import type { Members, SchemaModel } from '../codec/model/schema-model.ts';
import {
  addProblems,
  invalidPrinted,
  required,
  type FieldError,
} from '../semantics/errors/field-error.ts';
import { dns1035Label } from '../semantics/metadata/names.ts';
import {
  validateManagedFields,
  validateObjectMeta,
} from '../semantics/metadata/object-meta-validation.ts';
import type { ObjectMeta } from '../semantics/metadata/object-meta.ts';
import { shownValue } from './go-value.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { parseUnstructured, unstructuredText } from './unstructured.ts';

const EXTENSION = 'x-kubernetes-embedded-resource';
const META = 'meta.v1.ObjectMeta';

/** Embedded metadata needs no name, but the rules do: this one stands in. */
const SOME_NAME = 'fakename';

export class EmbeddedResources {
  readonly #codec: JsonCodec;
  readonly #strictCheck: (text: string) => string[];

  /** `model` has the message of metadata. */
  constructor(model: SchemaModel) {
    this.#codec = compileJsonCodec(model, META);
    this.#strictCheck = compileStrictCheck(model, META);
  }

  /**
   * Drops, in place, members that metadata of embedded resources does not have. Returns the error
   * of the first value of a wrong type: the object is to be refused, and may have been changed in
   * part.
   */
  coerce(schema: StructuralSchema, object: Record<string, unknown>): FieldError | undefined {
    const [error] = this.#walk(schema, object, (...of) => this.#coerce(...of));
    return error;
  }

  /** Does the same in a stored object, where it drops values of a wrong type too. */
  repair(schema: StructuralSchema, object: Record<string, unknown>): void {
    this.#walk(schema, object, (resource) => {
      this.#repair(resource);
      return [];
    });
  }

  /** Finds members that metadata does not have, as `Strict` refuses them: of the object itself. */
  strictProblems({ metadata }: Members, path = 'metadata'): string[] {
    if (typeof metadata !== 'object' || metadata === null) return [];
    return this.#strictCheck(unstructuredText(metadata)).map((problem) =>
      problem.replace(' field "', ` field "${path}.`),
    );
  }

  /** Finds the same in embedded resources. */
  embeddedProblems(schema: StructuralSchema, object: Record<string, unknown>): string[] {
    const problems: string[] = [];
    this.#walk(schema, object, (resource, path) => {
      appendAll(problems, this.strictProblems(resource, `${path}.metadata`));
      return [];
    });
    return problems;
  }

  /** The errors of apiVersion, kind and metadata of embedded resources. */
  errors(schema: StructuralSchema, object: Record<string, unknown>): FieldError[] {
    const errors: FieldError[] = [];
    this.#walk(schema, object, (resource, path) => {
      appendAll(errors, this.#errorsOf(resource, path));
      return [];
    });
    return errors;
  }

  /** Visits resources, outer ones first, until a visit returns errors. */
  #walk(schema: StructuralSchema, object: Members, visit: Visit): readonly FieldError[] {
    return schema.mentions(EXTENSION) ? walkMembers(object, schema, '', visit) : [];
  }

  #coerce(resource: Members, path: string, schema: StructuralSchema): FieldError[] {
    for (const name of ['apiVersion', 'kind']) {
      if (!Object.hasOwn(resource, name) || typeof resource[name] === 'string') continue;
      return [invalidPrinted(`${path}.${name}`, shownValue(resource[name]), 'must be a string')];
    }
    if (!Object.hasOwn(resource, 'metadata')) return [];
    const { metadata } = resource;
    // The validation by the schema reports a null that its type refuses.
    if (metadata === null && refusesNull(schema.property('metadata'))) return [];
    const decoded = this.#decode(metadata);
    if (typeof decoded === 'string') {
      return [invalidPrinted(`${path}.metadata`, shownValue(metadata), decoded)];
    }
    resource['metadata'] = this.#plain(decoded);
    return [];
  }

  #repair(resource: Members): void {
    for (const name of ['apiVersion', 'kind']) {
      if (Object.hasOwn(resource, name) && typeof resource[name] !== 'string') {
        delete resource[name];
      }
    }
    if (!Object.hasOwn(resource, 'metadata')) return;
    const { metadata } = resource;
    const decoded = this.#decode(metadata);
    if (typeof decoded !== 'string') resource['metadata'] = this.#plain(decoded);
    else if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
      const readable = Object.entries(metadata).filter(([name, value]) => {
        return typeof this.#decode({ [name]: value }) !== 'string';
      });
      resource['metadata'] = this.#plain(this.#decode(Object.fromEntries(readable)) as ObjectMeta);
    }
  }

  /** Decodes metadata; returns the text of the problem where it cannot. */
  #decode(metadata: unknown): ObjectMeta | string {
    try {
      return this.#codec.decode(unstructuredText(withoutTypeMembers(metadata))).object;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return error.message;
    }
  }

  /** As JSON; a time of creation that is not known is left out. */
  #plain(metadata: ObjectMeta): Members {
    const plain = parseUnstructured(`{${this.#codec.encode(metadata)}`) as Members;
    if (plain['creationTimestamp'] === null) delete plain['creationTimestamp'];
    return plain;
  }

  #errorsOf(resource: Members, path: string): FieldError[] {
    const errors: FieldError[] = [];
    checkTypeMember(resource, 'apiVersion', path, versionProblem, errors);
    checkTypeMember(resource, 'kind', path, kindProblem, errors);
    if (!Object.hasOwn(resource, 'metadata')) return errors;
    const field = `${path}.metadata`;
    const metadata = this.#decode(resource['metadata']);
    if (typeof metadata === 'string') {
      errors.push(invalidPrinted(field, shownValue(resource['metadata']), metadata));
      return errors;
    }
    metadata.name ??= SOME_NAME;
    const { clusterName, managedFields, namespace } = metadata;
    const rules = {
      namespaced: namespace !== undefined,
      nameRule: 'pathSegment',
      checksFinalizerNames: false,
      unconditionalUpdate: true,
    } as const;
    const found = validateObjectMeta(metadata, rules);
    if (clusterName !== undefined) {
      addProblems(dns1035Label(clusterName), 'metadata.clusterName', clusterName, found);
    }
    if (Array.isArray(managedFields)) appendAll(found, validateManagedFields(managedFields));
    for (const error of found) errors.push({ ...error, field: `${path}.${error.field}` });
    return errors;
  }
}

/** Returns errors that end the walk. */
type Visit = (resource: Members, path: string, schema: StructuralSchema) => readonly FieldError[];

function walkMembers(
  members: Members,
  schema: StructuralSchema,
  path: string,
  visit: Visit,
): readonly FieldError[] {
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value !== 'object' || value === null) continue;
    const property = schema.property(name);
    const below = property ?? schema.additionalSchema;
    if (below === undefined) continue;
    const prefix = path === '' ? '' : `${path}.`;
    const where = property === undefined ? `${path}[${name}]` : `${prefix}${name}`;
    const errors = walkValue(value, below, where, visit);
    if (errors.length > 0) return errors;
  }
  return [];
}

function walkValue(
  value: object,
  schema: StructuralSchema,
  path: string,
  visit: Visit,
): readonly FieldError[] {
  if (!Array.isArray(value)) {
    const errors = schema.isEmbeddedResource ? visit(value as Members, path, schema) : [];
    return errors.length > 0 ? errors : walkMembers(value as Members, schema, path, visit);
  }
  const { items } = schema;
  if (items === undefined) return [];
  for (const [at, item] of value.entries()) {
    if (typeof item !== 'object' || item === null) continue;
    const errors = walkValue(item as object, items, `${path}[${at}]`, visit);
    if (errors.length > 0) return errors;
  }
  return [];
}

function refusesNull(schema: StructuralSchema | undefined): boolean {
  return schema !== undefined && schema.type !== '' && !schema.nullable;
}

/**
 * Removes `kind` and `apiVersion`, which metadata does not have: the decoder would check their
 * types.
 */
function withoutTypeMembers(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return metadata;
  }
  return Object.fromEntries(
    Object.entries(metadata).filter(([name]) => name !== 'apiVersion' && name !== 'kind'),
  );
}

function checkTypeMember(
  resource: Members,
  name: 'apiVersion' | 'kind',
  path: string,
  problemOf: (text: string) => string,
  errors: FieldError[],
): void {
  const field = `${path}.${name}`;
  if (!Object.hasOwn(resource, name)) {
    errors.push(required(field, 'must not be empty'));
    return;
  }
  const value = resource[name];
  const problem = typeof value === 'string' ? problemOf(value) : 'must be a string';
  if (problem !== '') errors.push(invalidPrinted(field, shownValue(value), problem));
}

function versionProblem(text: string): string {
  if (text === '') return 'must not be empty';
  const isVersion = text.split('/').length <= 2;
  return isVersion ? '' : `unexpected GroupVersion string: ${text}`;
}

function kindProblem(text: string): string {
  if (text === '') return 'must not be empty';
  const problems = dns1035Label(text.toLowerCase());
  if (problems.length === 0) return '';
  return `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}
