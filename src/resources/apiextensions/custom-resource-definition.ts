/** CustomResourceDefinition (API-FACTS 15.1 and 15.2; SPEC migration table). */
import {
  addJoinedProblems,
  FIELD_IMMUTABLE,
  invalid,
  required,
  type FieldError,
} from '../../semantics/field-error.ts';
import { dnsSubdomain } from '../../semantics/names.ts';
import { defineKind, specChanges, type ApiObject } from '../kind.ts';
import { checkConversion, type Conversion } from './conversion.ts';
import { checkDefinitionNames, type DefinitionNames } from './definition-names.ts';
import { checkVersions, type DefinitionVersion } from './definition-versions.ts';

interface DefinitionSpec {
  group?: string;
  names?: DefinitionNames;
  scope?: string;
  versions?: DefinitionVersion[];
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface CustomResourceDefinition extends ApiObject {
  spec?: DefinitionSpec;
  status?: {
    conditions?: { type?: string; status?: string }[];
    acceptedNames?: DefinitionNames;
    storedVersions?: string[];
  };
}

const APPROVED = 'api-approved.cluster.io';
const PROTECTED_DOMAIN = /(?:^|\.)cluster\.io$/;
const SERVICE_PORT = 443;

export const CUSTOM_RESOURCE_DEFINITION = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.cluster.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  message: 'apiextensions.v1.CustomResourceDefinition',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  bumpsGeneration: specChanges,
  checksFinalizerNames: true,

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

  validate({ spec = {}, status = {}, metadata: { name = '' } }) {
    const errors: FieldError[] = [];
    const { group = '', names = {} } = spec;
    if (name !== `${names.plural ?? ''}.${group}`) {
      errors.push(invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
    }
    checkGroup(group, errors);
    checkVersions(spec.versions ?? [], 'spec.versions', errors);
    if (spec.preserveUnknownFields === true) {
      errors.push(invalid('spec.preserveUnknownFields', true, 'must be false'));
    }
    checkDefinitionNames(names, 'spec.names', true, errors);
    checkConversion(spec.conversion ?? {}, 'spec.conversion', errors);
    checkDefinitionNames(status.acceptedNames ?? {}, 'status.acceptedNames', false, errors);
    checkStoredVersions(status.storedVersions ?? [], spec.versions ?? [], errors);
    return errors;
  },

  validateCreate({ spec, metadata }) {
    const { group = '' } = spec ?? {};
    if (!PROTECTED_DOMAIN.test(group)) return [];
    return approvalErrors(metadata.annotations?.[APPROVED]);
  },

  validateUpdate({ spec = {} }, { spec: stored = {}, status }) {
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
    return fixed
      .filter(([, now = '', before = '']) => now !== before)
      .map(([field, now = '']) => invalid(field, now, FIELD_IMMUTABLE));
  },
});

/** Objects may be stored in every version that ever was the one for storage. */
function keepStorageVersion({ spec, status }: CustomResourceDefinition): void {
  const name = spec?.versions?.find(({ storage }) => storage === true)?.name;
  if (status === undefined || name === undefined) return;
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

function checkStoredVersions(
  stored: readonly string[],
  versions: readonly DefinitionVersion[],
  errors: FieldError[],
): void {
  const field = 'status.storedVersions';
  if (stored.length === 0) {
    errors.push(invalid(field, stored, 'must have at least one stored version'));
  }
  stored.forEach((name, index) => {
    if (versions.some((version) => version.name === name)) return;
    errors.push(invalid(`${field}[${index}]`, name, 'must appear in spec.versions'));
  });
}

/** The groups of the project itself are not for everyone. */
function approvalErrors(approval: string | undefined): FieldError[] {
  const field = `metadata.annotations[${APPROVED}]`;
  if (approval === undefined || approval === '') {
    const detail = `protected groups must have approval annotation "${APPROVED}"`;
    return [required(field, detail)];
  }
  if (approval.startsWith('unapproved') || URL.canParse(approval)) return [];
  const detail =
    'protected groups must have approval annotation with either a URL or a reason starting with ' +
    '"unapproved"';
  return [invalid(field, approval, detail)];
}

function isEstablished(conditions: readonly { type?: string; status?: string }[] = []): boolean {
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
