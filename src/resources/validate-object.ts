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

  /** The errors of an object that is about to be created. */
  validateCreate(object: ApiObject, groupVersion = groupVersionOf(this.#kind)): FieldError[] {
    const first = this.#kind.validateFirst?.(object, undefined) ?? [];
    if (first.length > 0) return first;
    return this.#validate(object).concat(this.#kind.validateCreate?.(object, groupVersion) ?? []);
  }

  /**
   * The errors of an update of `stored`, or of a part of it. For a missing version see
   * `RESOURCE_VERSION_MISSING`.
   */
  validateUpdate(
    object: ApiObject,
    stored: ApiObject,
    part: UpdatedPart = '',
    groupVersion = groupVersionOf(this.#kind),
  ): FieldError[] {
    const kind = this.#kind;
    const first = part === '' ? (kind.validateFirst?.(object, stored) ?? []) : [];
    if (first.length > 0) return first;
    const errors = validateObjectMetaUpdate(object.metadata, stored.metadata, kind);
    if (part === 'status') {
      errors.push(...(kind.validateStatusUpdate?.(object, stored) ?? []));
    } else if (part === '') {
      errors.push(...this.#immutable(object, stored));
      errors.push(...(kind.validateUpdate?.(object, stored, groupVersion) ?? []));
    } else {
      errors.push(...(kind.parts?.[part]?.validateUpdate?.(object, stored) ?? []));
    }
    const isFree = part !== '' || kind.freeGenerateName === true;
    const generateNameRule = isFree ? 'pathSegment' : kind.nameRule;
    return errors.concat(this.#validate(object, stored, generateNameRule));
  }

  #validate(
    object: ApiObject,
    stored?: ApiObject,
    generateNameRule = this.#kind.nameRule,
  ): FieldError[] {
    const errors = validateObjectMeta(object.metadata, this.#kind, generateNameRule);
    return errors.concat(this.#schema(object), this.#kind.validate?.(object, stored) ?? []);
  }
}
