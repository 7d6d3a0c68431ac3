/**
 * All rules for one object of a kind, in the order of the reference: metadata, schema, kind. The
 * write pipeline calls it with decoded, defaulted and prepared objects; nothing is changed here.
 */
import type { SchemaModel } from '../codec/schema-model.ts';
import type { FieldError } from '../semantics/field-error.ts';
import { immutableCheck, type ImmutableCheck } from '../semantics/immutable-fields.ts';
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../semantics/object-meta-validation.ts';
import {
  schemaValidator,
  type CompiledValidators,
  type SchemaValidator,
} from '../semantics/validation.ts';
import { groupVersionOf, type ApiObject, type KindDefinition } from './kind.ts';

/** The subresource that an update came through; '' is the object itself. */
export type UpdatedPart = string;

export class ObjectValidator {
  readonly #kind: KindDefinition;
  readonly #schema: SchemaValidator;
  readonly #immutable: ImmutableCheck;

  /** `compiled` are the validators of `model`, from the built module or compiled in place. */
  constructor(kind: KindDefinition, model: SchemaModel, compiled: CompiledValidators) {
    this.#kind = kind;
    this.#schema = schemaValidator(model, kind.message, compiled);
    this.#immutable = immutableCheck(model, kind.message);
  }

  /** What is wrong with an object that is about to be created; empty when nothing is. */
  validateCreate(object: ApiObject, groupVersion = groupVersionOf(this.#kind)): FieldError[] {
    return this.#validate(object).concat(this.#kind.validateCreate?.(object, groupVersion) ?? []);
  }

  /**
   * What is wrong with an update of `stored`, or of a part of it. Of a missing version, see
   * `RESOURCE_VERSION_MISSING`.
   */
  validateUpdate(
    object: ApiObject,
    stored: ApiObject,
    part: UpdatedPart = '',
    groupVersion = groupVersionOf(this.#kind),
  ): FieldError[] {
    const kind = this.#kind;
    const errors = validateObjectMetaUpdate(object.metadata, stored.metadata, kind);
    if (part === 'status') {
      errors.push(...(kind.validateStatusUpdate?.(object, stored) ?? []));
    } else if (part === '') {
      errors.push(...this.#immutable(object, stored));
      errors.push(...(kind.validateUpdate?.(object, stored, groupVersion) ?? []));
    } else {
      errors.push(...(kind.parts?.[part]?.validateUpdate?.(object, stored) ?? []));
    }
    return errors.concat(this.#validate(object));
  }

  #validate(object: ApiObject): FieldError[] {
    const errors = validateObjectMeta(object.metadata, this.#kind);
    return errors.concat(this.#schema(object), this.#kind.validate?.(object) ?? []);
  }
}
