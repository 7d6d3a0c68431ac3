/** CustomResourceDefinition (README.md#custom-resource-definitions). */
import { ownDialect, ownGroup, ownName } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
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

const APPROVED = ownName('api-approved.cluster.io');
const APPROVAL_HELP = 'https://github.com/kubernetes/enhancements/pull/1111';
/** Those of the API itself; public clients take the latter two for it in either dialect. */
const PROTECTED_DOMAINS = [ownDialect().domain, 'k8s.io', 'kubernetes.io'];
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
    if (approvalState(object) !== approvalState(before)) errors.push(...approvalErrors(object));
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

type ApprovalState = 'missing' | 'approved' | 'bypassed' | 'invalid';

function approvalState({ metadata }: CustomResourceDefinition): ApprovalState {
  const approval = metadata.annotations?.[APPROVED] ?? '';
  if (approval === '') return 'missing';
  if (approval.startsWith('unapproved')) return 'bypassed';
  return URL.canParse(approval) && new URL(approval).host !== '' ? 'approved' : 'invalid';
}

/** The groups of the project itself are not for everyone. */
function approvalErrors(object: CustomResourceDefinition): FieldError[] {
  const group = `.${object.spec?.group ?? ''}`;
  if (!PROTECTED_DOMAINS.some((domain) => group.endsWith(`.${domain}`))) return [];
  const field = `metadata.annotations[${APPROVED}]`;
  const start = `protected groups must have approval annotation "${APPROVED}"`;
  switch (approvalState(object)) {
    case 'missing':
      return [required(field, `${start}, see ${APPROVAL_HELP}`)];
    case 'invalid': {
      const detail = `${start} with either a URL or a reason starting with "unapproved", see`;
      const approval = object.metadata.annotations?.[APPROVED];
      return [invalid(field, approval, `${detail} ${APPROVAL_HELP}`)];
    }
    default:
      return [];
  }
}

function isEstablished(conditions: readonly { type?: string; status?: string }[] = []): boolean {
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
