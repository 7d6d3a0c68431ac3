/** The versions of a defined kind (README.md#custom-resource-definitions). */
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '#messages/apiextensions.v1';
import { appendAll } from '../../base/append-all.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { EmbeddedResources } from '../../schema/embedded-metadata.ts';
import { ownRelease } from '../../release/release.ts';
import type { KeptRules } from '../../schema/cel/check-rules.ts';
import { ruleEngine } from '../../schema/rule-engine.ts';
import {
  addJoinedProblems,
  invalid,
  invalidPrinted,
  required,
  requiredSaying,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dns1035Label } from '../../semantics/metadata/names.ts';
import { lenient } from './lenience.ts';
import { checkOpenApi, checkRootWithStatus } from './open-api-schema.ts';
import { checkDefaults, hasDefaults } from './schema-defaults.ts';
import { schemaOf, type Schema } from './schema-node.ts';
import { checkSelectableFields, UNFIT, UNFIT_IN_VERSION } from './selectable-fields.ts';
import type { StoredRules } from './schema-rules.ts';
import { structuralErrors } from './structural-schema.ts';

const FIELD = 'spec.versions';
const VERSION_LIST = '[]apiextensions.CustomResourceDefinitionVersion';
const WARNING_LENGTH_MAX = 256;
/** Letters, marks, numbers, punctuation, symbols and the blank are printable. */
const NOT_PRINTABLE = /[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/u;
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

/**
 * The parts that are equal in all versions. Errors name them once, at the path of the time when
 * there was one version only.
 */
export interface Hoisted {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectableFields: boolean;
}

export function hoistedParts(versions: readonly CustomResourceDefinitionVersion[]): Hoisted {
  return {
    schema: isAlike(versions.map(({ schema }) => schema)),
    subresources: isAlike(versions.map(({ subresources }) => subresources)),
    columns: isAlike(versions.map(({ additionalPrinterColumns: columns }) => columns)),
    selectableFields: isAlike(versions.map(({ selectableFields }) => selectableFields)),
  };
}

/** The surroundings of a version, for its checks. */
export interface VersionsContext {
  readonly preservesUnknown: boolean;
  readonly hoisted: Hoisted;
  readonly embedded: EmbeddedResources;
  /** The rules of the stored definition. */
  readonly stored: StoredRules | undefined;
}

/** Adds the problems of the versions of `spec`, each by itself and all together. */
export function checkVersions(
  versions: readonly CustomResourceDefinitionVersion[],
  context: VersionsContext,
  errors: FieldError[],
): void {
  const { preservesUnknown, hoisted } = context;
  checkSchemasAreThere(versions, errors);
  if (preservesUnknown && versions.some(({ schema }) => hasDefaults(schema?.openAPIV3Schema))) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  versions.forEach((version, index) => {
    const field = `${FIELD}[${index}]`;
    const { name = '' } = version;
    // Of versions with one name the first says what subresources they have.
    const first = versions.find((other) => (other.name ?? '') === name) ?? version;
    addJoinedProblems(dns1035Label(name), `${field}.name`, name, errors);
    checkWarning(version, `${field}.deprecationWarning`, errors);
    if (!hoisted.schema) {
      checkVersionSchema(version, hasStatus(first), `${field}.schema`, context, errors);
    }
    if (!hoisted.subresources) checkSubresources(version, `${field}.subresources`, errors);
    if (!hoisted.columns) checkColumns(version, `${field}.additionalPrinterColumns`, errors);
    if (!hoisted.selectableFields) {
      const schema = hoisted.schema ? undefined : version.schema?.openAPIV3Schema;
      checkSelectableFields(version, schema, field, UNFIT_IN_VERSION, errors);
    }
  });
  checkTogether(versions, errors);
  const name = versions[0]?.name ?? '';
  if (name !== '') addJoinedProblems(dns1035Label(name), 'spec.version', name, errors);
}

/** Adds the problems of the parts that are equal in all versions. */
export function checkHoisted(
  versions: readonly CustomResourceDefinitionVersion[],
  context: VersionsContext,
  errors: FieldError[],
): void {
  const [first] = versions;
  if (first === undefined) return;
  const { hoisted } = context;
  if (hoisted.schema) {
    checkVersionSchema(first, versions.some(hasStatus), 'spec.validation', context, errors);
  }
  if (hoisted.subresources) checkSubresources(first, 'spec.subresources', errors);
  if (hoisted.columns) checkColumns(first, 'spec.additionalPrinterColumns', errors);
  if (hoisted.selectableFields) {
    // A schema that says nothing is one here.
    const schema = hoisted.schema ? (first.schema?.openAPIV3Schema ?? first.schema) : undefined;
    checkSelectableFields(first, schema, 'spec', UNFIT, errors);
  }
}

function checkSchemasAreThere(
  versions: readonly CustomResourceDefinitionVersion[],
  errors: FieldError[],
): void {
  versions.forEach(({ schema, served }, index) => {
    if (schema?.openAPIV3Schema !== undefined) return;
    const path = `${FIELD}[${index}].schema.openAPIV3Schema`;
    const pruned = required(path, 'because otherwise all fields are pruned');
    const error = requiredSaying(path, 'schemas are required');
    errors.push(lenient(error, 'schemas', served === true ? pruned : undefined));
  });
}

function isAlike(values: readonly unknown[]): boolean {
  const [first] = values;
  return first !== undefined && values.every((value) => deepEqual(value, first));
}

function checkTogether(
  versions: readonly CustomResourceDefinitionVersion[],
  errors: FieldError[],
): void {
  const names = versions.map(({ name = '' }) => name);
  if (new Set(names).size < names.length) {
    errors.push(invalid(FIELD, names, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage === true).length === 1) return;
  const detail = 'must have exactly one version marked as storage version';
  // Whole versions with their schemas would be too much to show.
  if (names.length > 0) errors.push(invalid(FIELD, names, detail));
  else errors.push(invalidPrinted(FIELD, `${VERSION_LIST}(nil)`, detail));
}

function hasStatus({ subresources }: CustomResourceDefinitionVersion): boolean {
  return subresources?.status !== undefined;
}

function checkVersionSchema(
  { name = '', schema: kept }: CustomResourceDefinitionVersion,
  statusIsApart: boolean,
  parent: string,
  { embedded, stored }: VersionsContext,
  errors: FieldError[],
): void {
  if (kept?.openAPIV3Schema === undefined) return;
  const schema = schemaOf(kept.openAPIV3Schema);
  const rules = stored && {
    expressions: stored.expressions,
    isUnchanged: deepEqual(stored.schemas.get(name), kept.openAPIV3Schema),
  };
  const field = `${parent}.openAPIV3Schema`;
  const before = errors.length;
  if (statusIsApart) checkRootWithStatus(schema, field, errors);
  if (CHECKS_STRUCTURE_FIRST) {
    checkStructureFirst(schema, field, { embedded, rules }, before, errors);
    return;
  }
  const unreadable = checkOpenApi(schema, field, errors);
  if (unreadable !== '') {
    // A schema that cannot be read is an error of its own only where there is no other.
    if (errors.length === before) errors.push(invalid(field, '', unreadable));
    return;
  }
  appendAll(errors, ruleEngine()?.ruleErrors(schema, field) ?? []);
  const structural = structuralErrors(schema, field);
  appendAll(errors, structural);
  if (structural.length === 0) checkDefaults(schema, field, embedded, errors);
}

const CHECKS_STRUCTURE_FIRST = ownRelease().has('structureBeforeRules');

/** `before` is the number of errors of what stands before the schema. */
function checkStructureFirst(
  schema: Schema,
  field: string,
  { embedded, rules }: { embedded: EmbeddedResources; rules: KeptRules | undefined },
  before: number,
  errors: FieldError[],
): void {
  const openApi: FieldError[] = [];
  const nullable = errors.length;
  const unreadable = checkOpenApi(schema, field, openApi);
  const isNullable = openApi[0]?.field === `${field}.nullable`;
  if (isNullable) appendAll(errors, openApi.splice(0, 1));
  const structural = unreadable === '' ? structuralErrors(schema, field) : [];
  appendAll(errors, structural);
  if (unreadable === '' && structural.length === 0) checkDefaults(schema, field, embedded, errors);
  const isSound = errors.length === (isNullable ? nullable + 1 : nullable);
  appendAll(errors, openApi);
  if (unreadable !== '') {
    if (errors.length === before) errors.push(invalid(field, '', unreadable));
  } else if (isSound && openApi.length === 0) {
    appendAll(errors, ruleEngine()?.ruleErrors(schema, field, rules) ?? []);
  }
}

function checkSubresources(
  version: CustomResourceDefinitionVersion,
  field: string,
  errors: FieldError[],
): void {
  const { scale } = version.subresources ?? {};
  if (scale !== undefined) checkScale(scale, `${field}.scale`, errors);
}

function checkColumns(
  version: CustomResourceDefinitionVersion,
  field: string,
  errors: FieldError[],
): void {
  version.additionalPrinterColumns?.forEach((column, index) => {
    checkColumn(column, `${field}[${index}]`, errors);
  });
}

function checkWarning(
  { deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  field: string,
  errors: FieldError[],
): void {
  if (warning === undefined) return;
  const refuse = (detail: string): void => {
    errors.push(invalid(field, warning, detail));
  };
  if (deprecated !== true) {
    refuse('can only be set for deprecated versions');
    return;
  }
  if (Buffer.byteLength(warning) > WARNING_LENGTH_MAX) {
    refuse(`must be <= ${WARNING_LENGTH_MAX} characters long`);
  }
  if (warning === '') refuse('must not be an empty string');
  const odd = NOT_PRINTABLE.exec(warning);
  if (odd === null) return;
  const index = Buffer.byteLength(warning.slice(0, odd.index));
  refuse(
    'must only contain printable UTF-8 characters; ' +
      `non-printable character found at index ${index}`,
  );
}

function checkScale(
  scale: CustomResourceSubresourceScale,
  field: string,
  errors: FieldError[],
): void {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  checkPath(specReplicasPath, `${field}.specReplicasPath`, ['.spec'], errors);
  checkPath(statusReplicasPath, `${field}.statusReplicasPath`, ['.status'], errors);
  if (labelSelectorPath === '') return;
  checkPath(labelSelectorPath, `${field}.labelSelectorPath`, ['.spec', '.status'], errors);
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
    return;
  }
  if (parents.length === 0 || parents.some((parent) => path.startsWith(`${parent}.`))) return;
  const under = parents.length === 1 ? parents[0] : `either ${parents.join(' or ')}`;
  errors.push(invalid(field, path, `should be a json path under ${under}`));
}

function checkColumn(
  column: CustomResourceColumnDefinition,
  field: string,
  errors: FieldError[],
): void {
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
