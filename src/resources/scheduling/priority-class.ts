/** PriorityClass (README.md#priority-classes). */
import type { PriorityClass } from '#messages/scheduling.v1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkPreemptionPolicy } from '../core/pods/pod-scheduling.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, flag, integer, text } from '../printer.ts';

const USER_VALUE_MAX = 1_000_000_000;
const SYSTEM_PREFIX = 'system-';
/** The only classes with that prefix, and their values. */
export const SYSTEM_PRIORITIES = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
} as const;
export type SystemPriority = keyof typeof SYSTEM_PRIORITIES;
const SYSTEM_VALUES: ReadonlyMap<string, number> = new Map(Object.entries(SYSTEM_PRIORITIES));

export const PRIORITY_CLASS = defineKind<PriorityClass>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  message: 'scheduling.v1.PriorityClass',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  /** The generation stays 1, because all that it would count is immutable. */
  bumpsGeneration: () => false,
  freeGenerateName: true,
  checksFinalizerNames: true,
  // A deletion of the whole collection deletes these too.
  undeletable: {
    names: new Set(SYSTEM_VALUES.keys()),
    why: 'this is a system priority class and cannot be deleted',
  },
  printer: definePrinter([
    NAME,
    integer('Value', 'The priority of pods of this class: higher is more.', 'value'),
    flag('Global-Default', 'Whether pods that name no class are of this one.', 'globalDefault'),
    AGE,
    ...(ownRelease().has('columnOfPreemption')
      ? [text('PreemptionPolicy', 'Whether its pods may displace others.', 'preemptionPolicy')]
      : []),
  ]),

  // The reference checks only immutable members in an update.
  checksUpdates: false,

  validate(object) {
    const errors: FieldError[] = [];
    const { value = 0, metadata, preemptionPolicy } = object;
    if (metadata.name?.startsWith(SYSTEM_PREFIX) === true) {
      checkSystemClass(metadata.name, object, errors);
    } else if (value > USER_VALUE_MAX) {
      const detail = `maximum allowed value of a user defined priority is ${USER_VALUE_MAX}`;
      errors.push(fieldForbidden('value', detail));
    }
    checkPreemptionPolicy(preemptionPolicy, 'preemptionPolicy', errors);
    return errors;
  },

  dropDisabled(object, gates, stored) {
    dropDisabledMember(gates, 'NonPreemptingPriority', object, stored, 'preemptionPolicy');
  },

  validateUpdate(object, stored) {
    const errors: FieldError[] = [];
    if ((object.value ?? 0) !== (stored.value ?? 0)) {
      const field = ownRelease().has('spelledPriorities') ? 'value' : 'Value';
      errors.push(fieldForbidden(field, 'may not be changed in an update.'));
    }
    if (object.preemptionPolicy !== stored.preemptionPolicy) {
      errors.push(invalid('preemptionPolicy', object.preemptionPolicy, FIELD_IMMUTABLE));
    }
    return errors;
  },
});

function checkSystemClass(
  name: string,
  { value = 0, globalDefault = false }: PriorityClass,
  errors: FieldError[],
): void {
  const problem = systemClassProblem(name, value, globalDefault);
  if (problem === '') return;
  const detail =
    "priority class names with 'system-' prefix are reserved for system use only. error: " +
    problem;
  errors.push(fieldForbidden('metadata.name', detail));
}

function systemClassProblem(name: string, value: number, globalDefault: boolean): string {
  const expected = SYSTEM_VALUES.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : '';
}
