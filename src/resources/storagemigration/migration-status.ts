/** The rules of the status of a StorageVersionMigration. */
import type { Condition } from '#messages/meta.v1';
import type {
  MigrationCondition,
  StorageVersionMigration,
  StorageVersionMigrationStatus,
} from '#messages/storagemigration.v1';
import { ownRelease } from '../../release/release.ts';
import { FIELD_IMMUTABLE, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import {
  checkConditions,
  wholeCondition,
} from '../../semantics/validation/condition-validation.ts';

const CONDITIONS = 'status.conditions';
const VERSION = 'status.resourceVersion';
const STATES: readonly string[] = ['Running', 'Failed', 'Succeeded'];
const WELL_FORMED = /^[1-9][0-9]*$/;
const INTEGER = /^[+-]?[0-9]+$/;
const INTEGER_MAX = 2n ** 63n - 1n;

/** Reads the status: `Running`, `Failed`, `Succeeded` or `Unknown`. */
export function stateOf(conditions: readonly (Condition | MigrationCondition)[] = []): string {
  const told = conditions.findLast(
    ({ type = '', status }) => status === 'True' && STATES.includes(type),
  );
  return told?.type ?? 'Unknown';
}

/** Those of a write of the status. */
export function migrationStatusErrors(
  { status = {} }: StorageVersionMigration,
  { status: stored = {} }: StorageVersionMigration,
): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersion = '' } = status;
  checkVersion(resourceVersion, errors);
  checkConditions(inCommonForm(status), CONDITIONS, errors);
  if ((stored.resourceVersion ?? '') !== '' && stored.resourceVersion !== resourceVersion) {
    const detail = ownRelease().has('jsonInErrors')
      ? FIELD_IMMUTABLE
      : 'resourceVersion cannot be updated';
    errors.push(invalid(VERSION, resourceVersion, detail));
  }
  checkStates(status, stored, errors);
  return errors;
}

/** Those of the alpha version tell when they were written last. */
function inCommonForm({ conditions = [] }: StorageVersionMigrationStatus): Condition[] {
  if (ownRelease().has('migrationsOfResources')) return conditions;
  return (conditions as MigrationCondition[]).map(({ lastUpdateTime, ...condition }) => ({
    ...condition,
    ...(lastUpdateTime !== undefined && { lastTransitionTime: lastUpdateTime }),
  }));
}

function checkVersion(version: string, errors: FieldError[]): void {
  if (!ownRelease().has('migrationsOfResources')) {
    checkInteger(version, errors);
  } else if (version !== '' || !ownRelease().has('migrationsWithoutVersions')) {
    if (WELL_FORMED.test(version)) return;
    const detail = `resource version is not well formed: ${version}`;
    errors.push(invalid(VERSION, version, detail));
  }
}

function checkInteger(version: string, errors: FieldError[]): void {
  if (version === '') return;
  const isInteger = INTEGER.test(version);
  const number = isInteger ? BigInt(version.replace('+', '')) : 0n;
  const isTooLarge = number > INTEGER_MAX || number < -INTEGER_MAX - 1n;
  if (!isInteger || isTooLarge) {
    const quoted = JSON.stringify(version);
    const why = isTooLarge ? 'value out of range' : 'invalid syntax';
    const parsing = `strconv.ParseInt: parsing ${quoted}: ${why}`;
    const detail = `failed to parse resource version ${quoted}: ${parsing}`;
    errors.push(invalid(VERSION, version, detail));
  } else if (number < 0n) {
    errors.push(invalid(VERSION, number, 'must be greater than or equal to 0'));
  }
}

/** A migration ends once, in one way. */
function checkStates(
  status: StorageVersionMigrationStatus,
  stored: StorageVersionMigrationStatus,
  errors: FieldError[],
): void {
  const { conditions = [] } = status;
  const refuse = (isRefused: boolean, detail: string): void => {
    if (isRefused)
      errors.push(invalid(CONDITIONS, inCommonForm(status).map(wholeCondition), detail));
  };
  const is = (state: string, of: readonly (Condition | MigrationCondition)[] = conditions) =>
    of.find(({ type }) => type === state)?.status === 'True';
  refuse(
    is('Succeeded') && is('Failed'),
    'Both success and failed conditions cannot be true at the same time',
  );
  if (!ownRelease().has('migrationsWithoutVersions')) {
    for (const [state, name] of [
      ['Succeeded', 'success'],
      ['Failed', 'failed'],
    ] as const) {
      refuse(
        is(state) && is('Running'),
        `Running condition cannot be true when ${name} condition is true`,
      );
    }
  }
  const was = (state: string): boolean => is(state, stored.conditions ?? []) && !is(state);
  refuse(was('Succeeded'), 'Success condition cannot be set to false once it is true');
  refuse(was('Failed'), 'Failed condition cannot be set to false once it is true');
}
