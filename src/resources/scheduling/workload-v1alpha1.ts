/** Workload in v1alpha1, which is the only version of its release (README.md#rules). */
import type {
  PodGroup,
  PodGroupPolicy,
  TypedLocalObjectReference,
  Workload,
  WorkloadSpec,
} from '#messages/scheduling.v1alpha1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  invalid,
  invalidPrinted,
  required,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain, pathSegment } from '../../semantics/metadata/names.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';

const GROUPS = 'spec.podGroups';
const CONTROLLER = 'spec.controllerRef';
const GROUPS_MAX = 8;
const ONE_OF = 'exactly one of `basic`, `gang` is required';

export const WORKLOAD_V1ALPHA1 = defineKind<Workload>({
  group: ownGroup('scheduling.cluster.io'),
  version: 'v1alpha1',
  kind: 'Workload',
  plural: 'workloads',
  namespaced: true,
  message: 'scheduling.v1alpha1.Workload',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  freeGenerateName: true,
  checksFinalizerNames: true,
  printer: definePrinter([NAME, AGE]),

  validate: ({ spec = {} }) => specErrors(spec),

  validateUpdate({ spec = {} }, stored) {
    const errors: FieldError[] = [];
    const { controllerRef, podGroups = [] } = stored.spec ?? {};
    if (controllerRef !== undefined && !deepEqual(spec.controllerRef, controllerRef)) {
      const printed = controllerText(spec.controllerRef);
      errors.push(invalidPrinted('controllerRef', printed, FIELD_IMMUTABLE));
    }
    if (!deepEqual(spec.podGroups ?? [], podGroups)) {
      errors.push(invalidPrinted('podGroups', groupsText(spec.podGroups ?? []), FIELD_IMMUTABLE));
    }
    return errors;
  },
});

function specErrors({ controllerRef, podGroups = [] }: WorkloadSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (controllerRef !== undefined) checkController(controllerRef, errors);
  if (podGroups.length === 0) {
    errors.push(required(GROUPS, 'must have at least one item'));
  } else if (podGroups.length > GROUPS_MAX) {
    errors.push(tooMany(GROUPS, podGroups.length, GROUPS_MAX));
  } else {
    const names = new Set<string>();
    for (const [index, { name = '', policy = {} }] of podGroups.entries()) {
      const field = `${GROUPS}[${index}]`;
      addProblems(dnsLabel(name), `${field}.name`, name, errors);
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
      checkPolicy(policy, `${field}.policy`, errors);
    }
  }
  return errors;
}

function checkController(
  { apiGroup = '', ...named }: TypedLocalObjectReference,
  errors: FieldError[],
): void {
  if (apiGroup !== '') {
    addProblems(dnsSubdomain(apiGroup), `${CONTROLLER}.apiGroup`, apiGroup, errors);
  }
  for (const member of ['kind', 'name'] as const) {
    const value = named[member] ?? '';
    const field = `${CONTROLLER}.${member}`;
    if (value === '') errors.push(required(field));
    else addProblems(pathSegment(value), field, value, errors);
  }
}

function checkPolicy({ basic, gang }: PodGroupPolicy, field: string, errors: FieldError[]): void {
  if (basic === undefined && gang === undefined) errors.push(required(field, ONE_OF));
  else if (basic !== undefined && gang !== undefined) {
    errors.push(invalid(field, '{`basic`, `gang`}', `${ONE_OF}, but multiple fields are set`));
  } else if (gang !== undefined && (gang.minCount ?? 0) <= 0) {
    errors.push(invalid(`${field}.gang.minCount`, gang.minCount ?? 0, 'must be greater than 0'));
  }
}

/** Values that may not change are told as the reference keeps them. */
function controllerText(reference?: TypedLocalObjectReference): string {
  if (reference === undefined) return 'null';
  const { apiGroup = '', kind = '', name = '' } = reference;
  return JSON.stringify({ APIGroup: apiGroup, Kind: kind, Name: name });
}

function groupsText(groups: readonly PodGroup[]): string {
  return JSON.stringify(
    groups.map(({ name = '', policy: { basic, gang } = {} }) => ({
      Name: name,
      Policy: {
        Basic: basic === undefined ? null : {},
        Gang: gang === undefined ? null : { MinCount: gang.minCount ?? 0 },
      },
    })),
  );
}
