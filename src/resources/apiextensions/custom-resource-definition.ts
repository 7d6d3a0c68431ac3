/** CustomResourceDefinition (README.md#custom-resource-definitions). */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionSpec,
} from '#messages/apiextensions.v1';
import { assert } from '../../base/assert.ts';
import { withCompileBudget } from '../../schema/pattern.ts';
import type { EmbeddedResources } from '../../schema/embedded-metadata.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { defineKind, specChanges } from '../kind.ts';
import { apiApproval, APPROVED_ANNOTATION, isProtectedGroup } from './api-approval.ts';
import { writeValuesAnew } from './canonical-values.ts';
import { bundleErrors } from './conversion-bundle.ts';
import { markedForDeletion } from './definition-terminating.ts';
import { checkConversion } from './conversion.ts';
import { withLenience } from './lenience.ts';
import { schemaOf } from './schema-node.ts';
import { dropOptionalOldSelf, dropRules, storedRules } from './schema-rules.ts';
import { DEFINITION_PRINTER } from './definition-printer.ts';
import { checkDefinitionNames } from './definition-names.ts';
import { definitionWarnings, newDefinitionWarnings } from './definition-warnings.ts';
import { checkHoisted, checkVersions, hoistedParts } from './definition-versions.ts';

const PRESERVES = ownRelease().has('wholeNameOfPreserving')
  ? 'x-kubernetes-preserve-unknown-fields'
  : 'x-preserve-unknown-fields';
const PRESERVING =
  `cannot set to true, set ${PRESERVES} to true in ` + 'spec.versions[*].schema instead';
const SERVICE_PORT = 443;
/** The total size of the patterns that are compiled to check them: a second of work, at worst. */
const PATTERNS_SIZE_MAX = 1_000_000;

export const CUSTOM_RESOURCE_DEFINITION = defineKind<CustomResourceDefinition>({
  group: ownGroup('apiextensions.cluster.io'),
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  message: 'apiextensions.v1.CustomResourceDefinition',
  nameRule: 'dnsSubdomain',
  statusSubresource: {
    metadataWritable: true,
    ...(!ownRelease().has('definitionStatusOwnsMetadata') && {
      keptMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
    }),
  },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  countsDropped: true,
  freeGenerateName: true,
  checksFinalizerNames: false,
  printer: DEFINITION_PRINTER,
  beginEnd: markedForDeletion,
  slowRules: {
    job: 'definitionErrors',
    found: ({ spec }, errors) => {
      if (spec !== undefined) foundBefore.set(spec, errors);
    },
  },

  applyDefaults({ spec, status }) {
    if (spec === undefined) return;
    if (status?.storedVersions?.length === 0) delete status.storedVersions;
    if (status !== undefined && status.storedVersions === undefined) {
      keepStorageVersion({ spec, status });
    }
    const { names } = spec;
    if (names !== undefined) {
      names.singular ||= names.kind?.toLowerCase() ?? '';
      if (names.kind) names.listKind ||= `${names.kind}List`;
    }
    spec.conversion ??= { strategy: 'None' };
    const { service } = spec.conversion.webhook?.clientConfig ?? {};
    if (service !== undefined) service.port ??= SERVICE_PORT;
  },

  afterDecoding({ spec }) {
    for (const { schema } of spec?.versions ?? []) {
      if (schema !== undefined) writeValuesAnew(schemaOf(schema.openAPIV3Schema));
    }
  },

  dropDisabled({ spec }, gates, stored) {
    if (!gates.has('CustomResourceValidationExpressions')) dropRules(spec, stored?.spec);
    if (!gates.has('CRDValidationRatcheting')) dropOptionalOldSelf(spec, stored?.spec);
  },

  prepareForCreate(object) {
    object.status = {};
    keepStorageVersion(object);
  },

  prepareForUpdate: keepStorageVersion,

  createWarnings: definitionWarnings,

  updateWarnings: newDefinitionWarnings,

  validate(object, stored, { part, embedded }) {
    assert(embedded !== undefined, 'definitions are checked with the schema model');
    const statusErrors: FieldError[] = [];
    const { acceptedNames = {} } = object.status ?? {};
    checkDefinitionNames(acceptedNames, 'status.acceptedNames', false, statusErrors);
    if (part === 'status') return statusErrors;
    const isApprovalNew = stored === undefined || approvalState(object) !== approvalState(stored);
    return [
      ...(stored === undefined ? nameErrors(object) : []),
      ...withLenience(specErrors(object.spec, embedded, stored?.spec), () =>
        specErrors(stored?.spec, embedded, stored?.spec),
      ),
      ...bundleErrors(object, stored),
      ...(stored === undefined ? [] : immutableErrors(object, stored)),
      ...statusErrors,
      ...storedVersionErrors(object),
      // An update that leaves the approval as it is may change everything else.
      ...(isApprovalNew ? approvalErrors(object) : []),
      ...(stored?.spec?.preserveUnknownFields === true ? [] : preservingErrors(object)),
    ];
  },
});

/** Objects may still be stored in any version that once was the storage version. */
function keepStorageVersion({
  spec,
  status,
}: Pick<CustomResourceDefinition, 'spec' | 'status'>): void {
  const version = spec?.versions?.find(({ storage }) => storage === true);
  if (status === undefined || version === undefined) return;
  const { name = '' } = version;
  const { storedVersions = [] } = status;
  if (!storedVersions.includes(name)) status.storedVersions = [...storedVersions, name];
}

/** Errors of large specs, which another thread has found. */
const foundBefore = new WeakMap<CustomResourceDefinitionSpec, FieldError[]>();

/** The errors of a spec; of a stored one only the expressions count, which it may keep. */
export function specErrors(
  spec: CustomResourceDefinitionSpec = {},
  embedded: EmbeddedResources,
  stored?: CustomResourceDefinitionSpec,
): FieldError[] {
  const found = foundBefore.get(spec);
  return found ?? withCompileBudget(PATTERNS_SIZE_MAX, () => errorsOfSpec(spec, embedded, stored));
}

function errorsOfSpec(
  spec: CustomResourceDefinitionSpec,
  embedded: EmbeddedResources,
  stored: CustomResourceDefinitionSpec | undefined,
): FieldError[] {
  const rules = stored === undefined ? undefined : storedRules(stored);
  const errors: FieldError[] = [];
  const { group = '', names = {}, versions = [], conversion = {} } = spec;
  const preservesUnknown = spec.preserveUnknownFields === true;
  const hoisted = hoistedParts(versions);
  checkGroup(group, errors);
  checkVersions(versions, { preservesUnknown, hoisted, embedded, stored: rules }, errors);
  checkDefinitionNames(names, 'spec.names', true, errors);
  checkHoisted(versions, { preservesUnknown, hoisted, embedded, stored: rules }, errors);
  if (preservesUnknown && conversion.strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid('spec.conversion.strategy', conversion.strategy ?? '', detail));
  }
  checkConversion(conversion, 'spec.conversion', errors);
  return errors;
}

/** Fields that decide how objects are stored do not change once there may be objects. */
function immutableErrors(
  { spec = {} }: CustomResourceDefinition,
  { spec: stored = {}, status = {} }: CustomResourceDefinition,
): FieldError[] {
  const fixed: (readonly [string, string | undefined, string | undefined])[] = [
    ['spec.group', spec.group, stored.group],
    ['spec.names.plural', spec.names?.plural, stored.names?.plural],
  ];
  if (isEstablished(status.conditions)) {
    fixed.unshift(
      ['spec.scope', spec.scope, stored.scope],
      ['spec.names.kind', spec.names?.kind, stored.names?.kind],
    );
  }
  return fixed
    .filter(([, now = '', was = '']) => now !== was)
    .map(([field, now = '']) => invalid(field, now, FIELD_IMMUTABLE));
}

function preservingErrors({ spec }: CustomResourceDefinition): FieldError[] {
  if (spec?.preserveUnknownFields !== true) return [];
  return [invalid('spec.preserveUnknownFields', true, PRESERVING)];
}

function approvalState({ metadata }: CustomResourceDefinition): string {
  return apiApproval(metadata.annotations).state;
}

function checkGroup(group: string, errors: FieldError[]): void {
  const field = 'spec.group';
  if (group === '') {
    errors.push(required(field));
    return;
  }
  const problems = dnsSubdomain(group);
  if (problems.length > 0) addJoinedProblems(problems, field, group, errors);
  else if (!group.includes('.')) {
    errors.push(invalid(field, group, 'should be a domain with at least one dot'));
  }
}

/** The only valid name, also as the base of a generated one. */
function nameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const expected = `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}`;
  return (['generateName', 'name'] as const)
    .filter((member) => (metadata[member] ?? '') !== '' && metadata[member] !== expected)
    .map((member) => {
      const detail = 'must be spec.names.plural+"."+spec.group';
      return invalid(`metadata.${member}`, metadata[member], detail);
    });
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const field = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) {
    return [invalidPrinted(field, '[]string(nil)', 'must have at least one stored version')];
  }
  // An error about a version that is listed twice names the last of the two.
  const left = new Map(stored.map((name, index) => [name, index]));
  const errors: FieldError[] = [];
  for (const { name = '', storage } of spec?.versions ?? []) {
    if (!left.delete(name) && storage === true) {
      errors.push(invalid(field, name, `must have the storage version ${name}`));
    }
  }
  for (const [name, index] of left) {
    errors.push(invalid(`${field}[${index}]`, name, missingVersion(name)));
  }
  return errors;
}

function missingVersion(name: string): string {
  if (!ownRelease().has('reasonsOfStoredVersions')) return 'must appear in spec.versions';
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in ` +
    `spec.versions until a storage migration ensures no data remains persisted in ${name} and ` +
    `removes ${name} from status.storedVersions`
  );
}

/** The errors of a definition in a group of the API itself without an approval. */
function approvalErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  if (!isProtectedGroup(spec?.group ?? '')) return [];
  const field = `metadata.annotations[${APPROVED_ANNOTATION}]`;
  const { state, message } = apiApproval(metadata.annotations);
  if (state === 'missing') return [required(field, message)];
  if (state !== 'invalid') return [];
  return [invalid(field, metadata.annotations?.[APPROVED_ANNOTATION], message)];
}

function isEstablished(conditions: readonly CustomResourceDefinitionCondition[] = []): boolean {
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
