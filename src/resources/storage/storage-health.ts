/** Rules for what the drivers of a node tell of their storage (README.md#storage). */
import type { StorageHealth, StorageHealthCondition } from '#messages/storage.v1';
import {
  duplicate,
  notSupported,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkReason } from '../../semantics/validation/condition-validation.ts';
import { checkDriverName } from '../core/volumes/persistent-volume-sources.ts';

const HEALTH = 'status.storageHealth';
const CONDITIONS_MAX = 16;
const REASON_BYTES_MAX = 256;
const MESSAGE_BYTES_MAX = 1024;
const STATUSES = ['StorageDegraded', 'StorageUnreachable'] as const;
const ACCESS_MODES = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
] as const;
const VOLUME_MODES = ['Filesystem', 'Block'] as const;

/** Adds the problems of what drivers tell, each once. */
export function checkStorageHealth(all: readonly StorageHealth[], errors: FieldError[]): void {
  const seen = new Set<string>();
  all.forEach(({ name = '', healthConditions = [] }, index) => {
    const field = `${HEALTH}[${index}]`;
    if (seen.has(name)) errors.push(duplicate(field, name));
    seen.add(name);
    if (name === '') errors.push(required(`${field}.name`));
    else checkDriverName(name, `${field}.name`, errors);
    const path = `${field}.healthConditions`;
    if (healthConditions.length > CONDITIONS_MAX) {
      errors.push(tooMany(path, healthConditions.length, CONDITIONS_MAX));
      return;
    }
    healthConditions.forEach((condition, at) => {
      checkCondition(condition, `${path}[${at}]`, errors);
    });
  });
}

function checkCondition(
  { status = '', reason = '', message = '', accessMode, volumeMode }: StorageHealthCondition,
  field: string,
  errors: FieldError[],
): void {
  checkOneOf(status, STATUSES, `${field}.status`, errors);
  if (reason === '') errors.push(required(`${field}.reason`));
  else checkReason(reason, `${field}.reason`, errors, REASON_BYTES_MAX);
  if (Buffer.byteLength(message) > MESSAGE_BYTES_MAX) {
    errors.push(tooLong(`${field}.message`, MESSAGE_BYTES_MAX));
  }
  if (accessMode !== undefined) {
    checkOneOf(accessMode, ACCESS_MODES, `${field}.accessMode`, errors);
  }
  if (volumeMode !== undefined) {
    checkOneOf(volumeMode, VOLUME_MODES, `${field}.volumeMode`, errors);
  }
}

function checkOneOf(
  value: string,
  known: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  if (!known.includes(value)) errors.push(notSupported(field, value, known));
}
