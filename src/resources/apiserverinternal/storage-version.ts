/** StorageVersion (README.md#storage-versions). */
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from '#messages/apiserverinternal.v1alpha1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addJoinedProblems,
  addProblems,
  duplicate,
  invalid,
  invalidPrinted,
  printStrings,
  requiredSaying,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { apiVersionName, dnsSubdomain, qualifiedName } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME, shortText, UNSET } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

const SHOWN_MAX = 3;

export const STORAGE_VERSION = defineKind<StorageVersion>({
  group: ownGroup('internal.apiserver.cluster.io'),
  version: 'v1alpha1',
  kind: 'StorageVersion',
  plural: 'storageversions',
  namespaced: false,
  message: 'apiserverinternal.v1alpha1.StorageVersion',
  nameRule: 'groupResource',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('CommonEncodingVersion', 'In which version all servers store the objects.',
      'status.commonEncodingVersion', (version = UNSET) => version),
    text('StorageVersions', 'In which version each server stores them.',
      'status.storageVersions{apiServerID encodingVersion}', encodingsText),
    AGE,
  ]),

  validate({ status = {} }) {
    const errors: FieldError[] = [];
    const { storageVersions = [], conditions = [] } = status;
    const servers = new Set<string>();
    storageVersions.forEach((one, index) => {
      const { apiServerID: id = '' } = one;
      if (servers.has(id) && ownRelease().has('uniqueServers')) {
        errors.push(duplicate(`status.storageVersions[${index}].apiServerID`, id));
      }
      servers.add(id);
      checkServer(one, `status.storageVersions[${index}]`, errors);
    });
    checkCommonVersion(status, errors);
    checkConditions(conditions, errors);
    return errors;
  },
});

/** The version that all servers store in; undefined where they differ, or there are none. */
export function commonEncodingVersion(
  servers: readonly ServerStorageVersion[],
): string | undefined {
  const [first, ...rest] = servers.map(({ encodingVersion = '' }) => encodingVersion);
  return rest.every((version) => version === first) ? first : undefined;
}

function checkServer(one: ServerStorageVersion, field: string, errors: FieldError[]): void {
  const { apiServerID = '', encodingVersion = '', decodableVersions } = one;
  addProblems(dnsSubdomain(apiServerID), `${field}.apiServerID`, apiServerID, errors);
  const problems = apiVersionName(encodingVersion);
  addJoinedProblems(problems, `${field}.encodingVersion`, encodingVersion, errors);
  const decodable = `${field}.decodableVersions`;
  decodableVersions?.forEach((version, index) => {
    addJoinedProblems(apiVersionName(version), `${decodable}[${index}]`, version, errors);
  });
  if (decodableVersions?.includes(encodingVersion) !== true) {
    const printed = decodableVersions ? printStrings(decodableVersions) : '[]string(nil)';
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalidPrinted(decodable, printed, detail));
  }
  checkServed(one, `${field}.servedVersions`, errors);
}

function checkServed(
  { decodableVersions = [], servedVersions = [] }: ServerStorageVersion,
  field: string,
  errors: FieldError[],
): void {
  servedVersions.forEach((version, index) => {
    const place = `${field}[${index}]`;
    addJoinedProblems(apiVersionName(version), place, version, errors);
    if (decodableVersions.includes(version)) return;
    const all = `[${decodableVersions.join(' ')}]`;
    const detail = `individual served version : ${version} must be included in decodableVersions`;
    errors.push(invalid(place, version, `${detail} : ${all}`));
  });
}

function checkCommonVersion(
  { storageVersions = [], commonEncodingVersion: told }: StorageVersionStatus,
  errors: FieldError[],
): void {
  const actual = commonEncodingVersion(storageVersions);
  const refuse = (detail: string): void => {
    errors.push(invalid('status.commonEncodingVersion', told, detail));
  };
  if (actual === told) return;
  if (actual === undefined) {
    refuse(
      'should be nil if servers do not agree on the same encoding version, or if there is no ' +
        'server reporting the supported versions yet',
    );
  } else if (told === undefined) refuse(`the common encoding version is ${actual}`);
  else refuse(`the actual common encoding version is ${actual}`);
}

/** The paths are the reference's, and so is the type that earlier releases show for a status. */
function checkConditions(
  conditions: readonly StorageVersionCondition[],
  errors: FieldError[],
): void {
  const seen = new Map<string, number>();
  conditions.forEach(({ type = '', status = '', reason = '', message = '' }, index) => {
    const field = `status[${index}]`;
    const before = seen.get(type);
    if (before !== undefined) {
      const detail = 'the type of the condition is not unique, it also appears in';
      errors.push(invalid(`${field}.type`, type, `${detail} conditions[${before}]`));
    }
    seen.set(type, index);
    addProblems(qualifiedName(type), `${field}.type`, type, errors);
    const shownStatus = ownRelease().has('statusOfStorageVersions') ? status : type;
    addProblems(qualifiedName(status), `${field}.status`, shownStatus, errors);
    if (reason === '') errors.push(requiredSaying(`${field}.reason`, 'reason cannot be empty'));
    if (message === '') errors.push(requiredSaying(`${field}.message`, 'message cannot be empty'));
  });
}

function encodingsText(versions: readonly ServerStorageVersion[] = []): string {
  const shown = versions
    .slice(0, SHOWN_MAX)
    .map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`);
  return shortText(shown.join(','), versions.length - SHOWN_MAX) || UNSET;
}
