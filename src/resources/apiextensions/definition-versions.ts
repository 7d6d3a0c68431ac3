/** The versions of a defined kind (API-FACTS 15.1). */
import {
  addJoinedProblems,
  invalid,
  required,
  type FieldError,
} from '../../semantics/field-error.ts';
import { dns1035Label } from '../../semantics/names.ts';
import { checkSchema } from './structural-schema.ts';

interface ScalePaths {
  specReplicasPath?: string;
  statusReplicasPath?: string;
  labelSelectorPath?: string;
}

interface PrinterColumn {
  name?: string;
  type?: string;
  format?: string;
  jsonPath?: string;
}

export interface DefinitionVersion {
  name?: string;
  served?: boolean;
  storage?: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: unknown };
  subresources?: { status?: unknown; scale?: ScalePaths };
  additionalPrinterColumns?: PrinterColumn[];
}

const WARNING_LENGTH_MAX = 256;
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

/** Adds the problems of versions, whose list is at the path `field`. */
export function checkVersions(
  versions: readonly DefinitionVersion[],
  field: string,
  errors: FieldError[],
): void {
  versions.forEach((version, index) => checkVersion(version, `${field}[${index}]`, errors));
  // Whole versions with their schemas would be too much to show.
  const names = versions.map(({ name = '' }) => name);
  if (new Set(names).size < names.length) {
    errors.push(invalid(field, names, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalid(field, names, detail));
  }
}

function checkVersion(version: DefinitionVersion, field: string, errors: FieldError[]): void {
  const { name = '', schema, subresources, additionalPrinterColumns: columns = [] } = version;
  addJoinedProblems(dns1035Label(name), `${field}.name`, name, errors);
  checkWarning(version, `${field}.deprecationWarning`, errors);
  const schemaField = `${field}.schema.openAPIV3Schema`;
  if (schema?.openAPIV3Schema === undefined) {
    errors.push(required(schemaField, 'schemas are required'));
  } else {
    checkSchema(schema.openAPIV3Schema, schemaField, errors);
  }
  if (subresources?.scale !== undefined) {
    checkScale(subresources.scale, `${field}.subresources.scale`, errors);
  }
  columns.forEach((column, index) => {
    checkColumn(column, `${field}.additionalPrinterColumns[${index}]`, errors);
  });
}

function checkWarning(
  { deprecated, deprecationWarning: warning }: DefinitionVersion,
  field: string,
  errors: FieldError[],
): void {
  if (warning === undefined) return;
  const refuse = (detail: string): void => {
    errors.push(invalid(field, warning, detail));
  };
  if (deprecated !== true) refuse('can only be set for deprecated versions');
  if (warning === '') refuse('must not be an empty string');
  if (warning.length > WARNING_LENGTH_MAX) {
    refuse(`must be <= ${WARNING_LENGTH_MAX} characters long`);
  }
}

function checkScale(scale: ScalePaths, field: string, errors: FieldError[]): void {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  checkPath(specReplicasPath, `${field}.specReplicasPath`, ['.spec'], errors);
  checkPath(statusReplicasPath, `${field}.statusReplicasPath`, ['.status'], errors);
  if (labelSelectorPath === '') return;
  checkPath(labelSelectorPath, `${field}.labelSelectorPath`, ['.status', '.spec'], errors);
}

function checkPath(
  path: string,
  field: string,
  parents: readonly string[],
  errors: FieldError[],
): void {
  if (path === '') {
    errors.push(required(field));
    return;
  }
  if (!path.startsWith('.')) {
    errors.push(invalid(field, path, 'must be a simple json path starting with .'));
  }
  if (parents.length === 0 || parents.some((parent) => path.startsWith(`${parent}.`))) return;
  const under = parents.length === 1 ? parents[0] : `either ${parents.join(' or ')}`;
  errors.push(invalid(field, path, `should be a json path under ${under}`));
}

function checkColumn(column: PrinterColumn, field: string, errors: FieldError[]): void {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  if (name === '') errors.push(required(`${field}.name`));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') errors.push(required(`${field}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${field}.type`, type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    const detail = `must be one of ${COLUMN_FORMATS.join(',')}`;
    errors.push(invalid(`${field}.format`, format, detail));
  }
  checkPath(jsonPath, `${field}.JSONPath`, [], errors);
}
