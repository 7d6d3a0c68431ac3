/**
 * Runs a compiled validator on a decoded object and tells errors in the API's words
 * (../README.md#field-errors). The validators are compiled from `proto/` ahead of time
 * (`validator-compiler.ts`); this file is all that a server needs of them.
 */
import type { FieldSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import { isMessageType } from '../../codec/model/schema-walk.ts';
import { invalid, notSupported, required, type FieldError } from '../errors/field-error.ts';
import { FORMAT_CHECKS } from './formats.ts';
import { isImplied, membersOf, requiresMembers } from './validation-schema.ts';

/** The members of an ajv error that are used here. */
export interface ValidatorError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly propertyName?: string;
}

/** A compiled validator: false leaves its errors on the function itself, as ajv does. */
export interface CompiledValidator {
  (object: unknown): boolean;
  errors?: readonly ValidatorError[] | null;
}

/** Validators by message name; a message without constraints has none. */
export type CompiledValidators = Readonly<Record<string, CompiledValidator | undefined>>;

/** The broken schema rules of one object, in declaration order. */
export type SchemaValidator = (object: unknown) => readonly FieldError[];

const NO_ERRORS: readonly FieldError[] = Object.freeze([]);

/** The schema rules of `message` as a function from an object to its field errors. */
export function schemaValidator(
  model: SchemaModel,
  message: string,
  compiled: CompiledValidators,
): SchemaValidator {
  const validate = compiled[message];
  if (validate === undefined) return () => NO_ERRORS;
  return (object) => {
    if (validate(object)) return NO_ERRORS;
    return fieldErrors(model, message, object, validate.errors ?? []);
  };
}

/** Where an error is: its path as the API writes it, and its rank in declaration order. */
interface Place {
  readonly path: string;
  readonly rank: readonly (number | string)[];
  /** The field that the value belongs to; undefined at the root. */
  readonly field: FieldSchema | undefined;
  /** Whether the value is an element of the field's list or map. */
  readonly isElement: boolean;
  readonly value: unknown;
}

interface RankedError {
  readonly rank: readonly (number | string)[];
  readonly error: FieldError;
}

function fieldErrors(
  model: SchemaModel,
  message: string,
  object: unknown,
  errors: readonly ValidatorError[],
): FieldError[] {
  const root: Place = { path: '', rank: [], field: undefined, isElement: false, value: object };
  const ranked = errors.flatMap((error) => {
    const segments = error.instancePath.split('/').slice(1).map(unescapeSegment);
    const place = segments.reduce((at, segment) => step(model, message, at, segment), root);
    return translate(model, message, place, error);
  });
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ error }) => error);
}

function unescapeSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}

/** One step down from a place: into a list, a map, or a member of a message. */
function step(model: SchemaModel, message: string, at: Place, segment: string): Place {
  const value = (at.value as Record<string, unknown> | undefined)?.[segment];
  const { field } = at;
  if (field !== undefined && field.container !== 'single' && !at.isElement) {
    const path = `${at.path}[${segment}]`;
    const rank = [...at.rank, field.container === 'list' ? Number(segment) : segment];
    return { path, rank, field, isElement: true, value };
  }
  const fields = membersOf(model, field === undefined ? message : field.type);
  const index = fields.findIndex(({ name }) => name === segment);
  const path = at.path === '' ? segment : `${at.path}.${segment}`;
  return { path, rank: [...at.rank, index], field: fields[index], isElement: false, value };
}

function translate(
  model: SchemaModel,
  message: string,
  place: Place,
  error: ValidatorError,
): RankedError[] {
  const { path, rank } = place;
  switch (error.keyword) {
    case 'required': {
      const missing = step(model, message, place, String(error.params['missingProperty']));
      return missingErrors(model, message, missing);
    }
    case 'nonEmpty':
    case 'minItems':
    case 'minProperties':
      return [{ rank, error: required(path) }];
    case 'enum':
    case 'releasedEnum':
      if (countsAsAbsent(place)) return [];
      return [{ rank, error: notSupported(path, place.value, place.field?.enumValues ?? []) }];
    case 'format':
      return formatErrors(place, String(error.params['format']), error.propertyName);
    case 'atLeast':
    case 'atMost':
      return [{ rank, error: invalid(path, place.value, boundsText(place.field)) }];
    case 'propertyNames':
      return []; // the key's own error came before it
    default:
      throw new Error(`a validator reported the unknown keyword ${error.keyword} at ${path}`);
  }
}

/**
 * The errors of a member that was left out: its own when it is required, else those of its members,
 * since a message that is always there is validated as an empty one.
 */
function missingErrors(model: SchemaModel, message: string, place: Place): RankedError[] {
  const { field, path, rank } = place;
  if (field === undefined || field.required === true || !isMessageType(field.type)) {
    return [{ rank, error: required(path) }];
  }
  return membersOf(model, field.type)
    .filter(
      (member) =>
        member.required === true || (isImplied(member) && requiresMembers(model, member.type)),
    )
    .flatMap((member) => missingErrors(model, message, step(model, message, place, member.name)));
}

/** A single "" is the same as no value, except where presence is tracked. */
function countsAsAbsent({ field, isElement, value }: Place): boolean {
  if (value !== '' || isElement) return false;
  return field?.presence !== true || field.required === true;
}

function formatErrors(place: Place, format: string, key: string | undefined): RankedError[] {
  const check = FORMAT_CHECKS[format];
  if (check === undefined) throw new Error(`unknown format ${format} at ${place.path}`);
  if (key !== undefined) {
    const path = `${place.path}[${key}]`;
    const rank = [...place.rank, key];
    return check(key).map((problem) => ({ rank, error: invalid(path, key, problem) }));
  }
  if (countsAsAbsent(place)) return [];
  const { path, rank, value } = place;
  return check(String(value)).map((problem) => ({ rank, error: invalid(path, value, problem) }));
}

function boundsText(field: FieldSchema | undefined): string {
  const { minimum, maximum } = field ?? {};
  if (minimum !== undefined && maximum !== undefined) {
    return `must be between ${minimum} and ${maximum}, inclusive`;
  }
  if (minimum !== undefined) return `must be greater than or equal to ${minimum}`;
  return `must be less than or equal to ${maximum}`;
}

function compareRanks(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a[index] ?? 0;
    const right = b[index] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
