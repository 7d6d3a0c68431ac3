/** StorageVersionMigration (README.md#rules). */
import type { GroupVersionResource, StorageVersionMigration } from '#messages/storagemigration.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  printValue,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dns1035Label, dnsSubdomain } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { definePrinter, text } from '../printer.ts';
import { migrationStatusErrors, stateOf } from './migration-status.ts';

const RESOURCE = 'spec.resource';
/** Whether the version of the resource is named, as in the alpha version. */
const namesVersions = !ownRelease().has('migrationsOfResources');

export const STORAGE_VERSION_MIGRATION = defineKind<StorageVersionMigration>({
  group: ownGroup('storagemigration.cluster.io'),
  version: 'v1',
  kind: 'StorageVersionMigration',
  plural: 'storageversionmigrations',
  namespaced: false,
  message: 'storagemigration.v1.StorageVersionMigration',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1beta1' }, { version: 'v1alpha1' }],
  // prettier-ignore
  printer: definePrinter([
    text('Name', 'The name of the migration.', 'metadata.name'),
    text('Resource', 'The resource whose objects are stored anew.', RESOURCE, resourceText),
    ...(namesVersions
      ? []
      : [text('Status', 'How far the migration is.', 'status.conditions{type status}', stateOf)]),
  ]),

  validateCreate: ({ spec }) => resourceErrors(spec?.resource),

  validateUpdate({ spec = {} }, stored) {
    const errors = resourceErrors(spec.resource);
    if (namesVersions) checkStays(spec.resource ?? {}, stored.spec?.resource ?? {}, errors);
    else if (!deepEqual(spec, stored.spec ?? {})) {
      // As the reference keeps it.
      const printed = printValue({ Resource: spec.resource });
      errors.push(invalidPrinted('spec', printed, FIELD_IMMUTABLE));
    }
    return errors;
  },

  validateStatusUpdate: migrationStatusErrors,
});

function resourceText({
  resource = '',
  version = '',
  group = '',
}: GroupVersionResource = {}): string {
  if (namesVersions) return `${resource}.${version}.${group}`;
  return group === '' ? resource : `${resource}.${group}`;
}

function resourceErrors({ resource = '', version = '', group = '' }: GroupVersionResource = {}) {
  const errors: FieldError[] = [];
  if (namesVersions) {
    if (resource === '') errors.push(required(`${RESOURCE}.resource`, 'resource is required'));
    if (version === '') errors.push(required(`${RESOURCE}.version`, 'version is required'));
    return errors;
  }
  if (resource === '') {
    errors.push(required(`${RESOURCE}.resource`, 'resource is required to be set'));
  } else addJoinedProblems(dns1035Label(resource), `${RESOURCE}.resource`, resource, errors);
  if (group !== '') addJoinedProblems(dnsSubdomain(group), `${RESOURCE}.group`, group, errors);
  return errors;
}

function checkStays(
  resource: GroupVersionResource,
  stored: GroupVersionResource,
  errors: FieldError[],
): void {
  for (const member of ['group', 'version', 'resource'] as const) {
    const value = resource[member] ?? '';
    if (value !== (stored[member] ?? '')) errors.push(invalid(member, value, FIELD_IMMUTABLE));
  }
}
