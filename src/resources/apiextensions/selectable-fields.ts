/** The selectable fields of a version: members of its schema that field selectors may name. */
import type { CustomResourceDefinitionVersion } from '#messages/apiextensions.v1';
import { schemaPath } from '../../schema/schema-path.ts';
import {
  duplicate,
  invalid,
  required,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkOpenApi } from './open-api-schema.ts';
import { schemaOf } from './schema-node.ts';

const FIELDS_MAX = 8;
const SCALARS: ReadonlySet<unknown> = new Set(['string', 'boolean', 'integer']);
/** Where the schema stands elsewhere: as in the reference, fields and schema are in one place. */
export const UNFIT = 'may only be set when validations.schema is included';
export const UNFIT_IN_VERSION =
  'may only be set when `version.schema.openAPIV3Schema` is not included';

/** Adds the problems of the selectable fields of a version, which stand below the path `parent`. */
export function checkSelectableFields(
  { selectableFields = [] }: CustomResourceDefinitionVersion,
  schema: unknown,
  parent: string,
  unfit: string,
  errors: FieldError[],
): void {
  if (selectableFields.length === 0) return;
  const field = `${parent}.selectableFields`;
  if (schema === undefined) {
    errors.push(invalid(field, '', unfit));
    return;
  }
  const schemaField = `${parent}.schema.openAPIV3Schema`;
  const unreadable = checkOpenApi(schemaOf(schema), schemaField, []);
  if (unreadable !== '') errors.push(invalid(schemaField, '', unreadable));
  const known = new Set<string>();
  selectableFields.forEach(({ jsonPath = '' }, index) => {
    const at = `${field}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(at));
      return;
    }
    const found = schemaPath(jsonPath, schemaOf(schema), { allowsBrackets: false });
    if (typeof found === 'string') {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found}`));
      return;
    }
    if (found.root === 'metadata') {
      errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (!SCALARS.has(found.schema?.['type'])) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and ' +
        'strings with formats are allowed.';
      errors.push(invalid(at, jsonPath, detail));
    }
    if (known.has(found.text)) errors.push(duplicate(at, jsonPath));
    known.add(found.text);
  });
  if (known.size > FIELDS_MAX) errors.push(tooMany(field, known.size, FIELDS_MAX));
}
