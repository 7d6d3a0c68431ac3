/** Writes and reads the status of a StorageVersionMigration. */
import type { Condition } from '#messages/meta.v1';
import type { MigrationCondition, StorageVersionMigration } from '#messages/storagemigration.v1';
import { ownRelease } from '../../release/release.ts';
import type { ApiObject } from '../../resources/kind.ts';

export type Migration = StorageVersionMigration & ApiObject;
type State = 'Running' | 'Succeeded' | 'Failed';

/** Whether a migration begins with being told to run, and is told so as long as it does. */
export const isToldFirst = ownRelease().has('migrationsWithoutVersions');
/** Whether conditions are the common ones; the first ones had a time of their own. */
const isCommon = ownRelease().has('migrationsOfResources');

export function is(state: State, { status }: Migration): boolean {
  return conditionsOf(status).some((it) => it.type === state && it.status === 'True');
}

export function hasEnded(migration: Migration): boolean {
  return is('Succeeded', migration) || is('Failed', migration);
}

export interface Told {
  readonly state: State;
  readonly isTrue?: false;
  readonly reason: string;
  readonly message: string;
}

/** The migration with these conditions in its status; `now` is the time of those that change. */
export function withConditions(
  migration: Migration,
  told: readonly Told[],
  now: string,
): Migration {
  const conditions = [...conditionsOf(migration.status)];
  for (const { state, isTrue = true, reason, message } of told) {
    const index = conditions.findIndex(({ type }) => type === state);
    const stored = conditions[index];
    const status = isTrue ? 'True' : 'False';
    const time = stored?.status === status ? timeOf(stored) : now;
    const timeMember = isCommon ? 'lastTransitionTime' : 'lastUpdateTime';
    const condition = { ...stored, type: state, status, [timeMember]: time, reason, message };
    if (stored === undefined) conditions.push(condition);
    else conditions[index] = condition;
  }
  return { ...migration, status: { ...migration.status, conditions } } as Migration;
}

/** How many objects are to be moved still, of all that there are. */
export interface Progress {
  readonly left: number;
  readonly all: number;
}

/** Gives the conditions of one that runs; `trouble` is an error that will pass. */
export function running(progress?: Progress, trouble = ''): Told {
  let message = 'The migration is running';
  if (progress !== undefined && progress.all > 0) {
    const { left, all } = progress;
    message +=
      left > 0 ? `, ${left}/${all} objects not yet migrated` : `, ${all} objects verified migrated`;
  }
  if (trouble !== '') message += `; transient error: ${trouble}`;
  return { state: 'Running', reason: RUNNING_REASON, message };
}

const RUNNING_REASON = isToldFirst ? 'MigrationRunning' : 'StorageVersionMigrationInProgress';

export function failed(message: string): Told {
  return { state: 'Failed', reason: 'StorageVersionMigrationFailed', message };
}

export const SUCCEEDED: Told = {
  state: 'Succeeded',
  reason: 'StorageVersionMigrationSucceeded',
  message: isToldFirst ? 'Migration completed' : '',
};

export const RUNS_NO_MORE: Told = {
  state: 'Running',
  isTrue: false,
  reason: 'MigrationCompleted',
  message: 'Migration completed',
};

type AnyCondition = Condition & MigrationCondition;

function conditionsOf(status: Migration['status']): readonly AnyCondition[] {
  return status?.conditions ?? [];
}

function timeOf({ lastTransitionTime = '', lastUpdateTime = '' }: AnyCondition): string {
  return isCommon ? lastTransitionTime : lastUpdateTime;
}
