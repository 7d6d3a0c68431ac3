/** CustomResourceDefinition (README.md#custom-resource-definitions). */
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  required,
  type FieldError,
} from '../../semantics/field-error.ts';
import { dnsSubdomain } from '../../semantics/names.ts';
import { defineKind, specChanges } from '../kind.ts';
import { apiApproval, APPROVED_ANNOTATION, isProtectedGroup } from './api-approval.ts';
import { checkConversion } from './conversion.ts';
import type { CustomResourceDefinition, DefinitionCondition } from './definition.ts';
import { checkDefinitionNames } from './definition-names.ts';
import { checkVersions } from './definition-versions.ts';

const PRESERVING =
  'cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead';
const SERVICE_PORT = 443;

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
  statusSubresource: { metadataWritable: false },
  referenceStorage: 'v1beta1',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  freeGenerateName: true,
  checksFinalizerNames: false,

  applyDefaults({ spec }) {
    if (spec === undefined) return;
    const { names } = spec;
    if (names !== undefined) {
      names.singular ||= names.kind?.toLowerCase() ?? '';
      if (names.kind) names.listKind ||= `${names.kind}List`;
    }
    spec.conversion ??= { strategy: 'None' };
    const { service } = spec.conversion.webhook?.clientConfig ?? {};
    if (service !== undefined) service.port ??= SERVICE_PORT;
  },

  prepareForCreate(object) {
    object.status = {};
    keepStorageVersion(object);
  },

  prepareForUpdate: keepStorageVersion,

  validate({ spec = {}, status = {} }) {
    const errors: FieldError[] = [];
    const { group = '', names = {} } = spec;
    checkGroup(group, errors);
    checkVersions(spec.versions ?? [], errors);
    if (spec.preserveUnknownFields === true) {
      errors.push(invalid('spec.preserveUnknownFields', true, PRESERVING));
    }
    checkDefinitionNames(names, 'spec.names', true, errors);
    checkConversion(spec.conversion ?? {}, 'spec.conversion', errors);
    checkDefinitionNames(status.acceptedNames ?? {}, 'status.acceptedNames', false, errors);
    return errors;
  },

  validateCreate(object) {
    return [...nameErrors(object), ...storedVersionErrors(object), ...approvalErrors(object)];
  },

  validateUpdate(object, before) {
    const { spec = {} } = object;
    const { spec: stored = {}, status } = before;
    const { names = {} } = spec;
    const { names: storedNames = {} } = stored;
    const fixed: (readonly [string, string | undefined, string | undefined])[] = [
      ['spec.group', spec.group, stored.group],
      ['spec.names.plural', names.plural, storedNames.plural],
    ];
    if (isEstablished(status?.conditions)) {
      fixed.unshift(
        ['spec.scope', spec.scope, stored.scope],
        ['spec.names.kind', names.kind, storedNames.kind],
      );
    }
    const errors = fixed
      .filter(([, now = '', was = '']) => now !== was)
      .map(([field, now = '']) => invalid(field, now, FIELD_IMMUTABLE));
    errors.push(...storedVersionErrors(object));
    // A client that says no more and no less about the approval may change everything else.
    const state = ({ metadata }: CustomResourceDefinition): string =>
      apiApproval(metadata.annotations).state;
    if (state(object) !== state(before)) errors.push(...approvalErrors(object));
    return errors;
  },
});

/** Objects may still be stored in any version that once was the storage version. */
function keepStorageVersion({ spec, status }: CustomResourceDefinition): void {
  const version = spec?.versions?.find(({ storage }) => storage === true);
  if (status === undefined || version === undefined) return;
  const { name = '' } = version;
  const { storedVersions = [] } = status;
  if (!storedVersions.includes(name)) status.storedVersions = [...storedVersions, name];
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

/** There is one name that it can have, and so be generated from. */
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
  return stored.flatMap((stale, index) => {
    if (spec?.versions?.some(({ name = '' }) => name === stale)) return [];
    return [invalid(`${field}[${index}]`, stale, 'must appear in spec.versions')];
  });
}

/** The groups of the API itself are not for everyone. */
function approvalErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  if (!isProtectedGroup(spec?.group ?? '')) return [];
  const field = `metadata.annotations[${APPROVED_ANNOTATION}]`;
  const { state, message } = apiApproval(metadata.annotations);
  if (state === 'missing') return [required(field, message)];
  if (state !== 'invalid') return [];
  return [invalid(field, metadata.annotations?.[APPROVED_ANNOTATION], message)];
}

function isEstablished(conditions: readonly DefinitionCondition[] = []): boolean {
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
