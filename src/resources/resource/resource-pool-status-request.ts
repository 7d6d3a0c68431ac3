/** ResourcePoolStatusRequest (README.md#classes-and-slices). */
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestStatus,
} from '#messages/resource.v1alpha3';
import { deepEqual } from '../../base/deep-equal.ts';
import { ageSince } from '../../semantics/age-text.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  invalid,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import {
  declaredErrors,
  items,
  maximum,
  maxItems,
  message,
  minimum,
  optional,
  optionalValue,
  present,
  requiredValue,
  rules,
  textForm,
  type DeclaredRule,
  type Members,
} from '../../semantics/validation/declared-rules.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind } from '../kind.ts';
import { NAME, NONE } from '../printer-cells.ts';
import { definePrinter, integer, text } from '../printer.ts';
import { checkFullName, driverProblems } from './device-names.ts';
import { RESOURCE_GROUP } from './released-versions.ts';

const NOTHING = '-';
const POOLS_MAX = 1000;
const CONDITIONS_MAX = 10;
const SUMMARY_MAX = 32;
const POOL_NAME_BYTES_MAX = 253;
const ERROR_BYTES_MAX = 256;

/** The subdomains of the name of a pool are told by their numbers. */
const poolName: DeclaredRule = ({ value, field }, { errors }) => {
  const name = value as string;
  if (Buffer.byteLength(name) > POOL_NAME_BYTES_MAX) {
    errors.push(tooLong(field, POOL_NAME_BYTES_MAX));
  }
  name.split('/').forEach((part, index) => {
    const problems = part === '' ? ['must not be empty'] : dnsSubdomain(part);
    const told = problems.map((problem) => `segment ${index}: ${problem}`);
    addProblems(told, field, part === '' ? name : part, errors);
  });
  return true;
};

const fullName: DeclaredRule = ({ value, field }, { errors }) => {
  checkFullName(value as string, field, errors);
  return true;
};

const shortError: DeclaredRule = ({ value, field }, { errors }) => {
  if (Buffer.byteLength(value as string) > ERROR_BYTES_MAX) {
    errors.push(tooLong(field, ERROR_BYTES_MAX));
  }
  return true;
};

/** No two items are about one type of one attribute. */
const summarizedOnce: DeclaredRule = ({ value, field }, { errors }) => {
  const seen = new Set<string>();
  (value as readonly Members[]).forEach((item, index) => {
    const { attribute = '', type = '' } = item;
    const key = JSON.stringify([attribute, type]);
    if (seen.has(key)) errors.push(duplicate(`${field}[${index}]`, item));
    seen.add(key);
  });
  return true;
};

const count: DeclaredRule = rules([present], minimum(0));

const partition = message({
  attribute: requiredValue,
  type: requiredValue,
  total: count,
  allocatable: count,
});

const capacity = message({
  name: requiredValue,
  total: present,
  consumed: present,
  available: present,
});

/** What the schema says of required members and of counts is not said here again. */
const pool = message({
  driver: rules([optionalValue], textForm(driverProblems)),
  poolName: rules([optionalValue], poolName),
  generation: requiredValue,
  nodeName: rules([optional], textForm(dnsSubdomain)),
  validationError: rules([optional], shortError),
  partitionSummary: rules([optional, maxItems(SUMMARY_MAX)], items(partition), summarizedOnce),
  shareableSummary: rules(
    [optional],
    message({
      fullyAvailableDevices: count,
      partiallyAvailableDevices: count,
      capacity: rules([optional, maxItems(SUMMARY_MAX)], items(capacity)),
    }),
  ),
});

const POOL_STATUS_REQUEST_RULES = message({
  spec: message({
    driver: rules([requiredValue], textForm(driverProblems)),
    poolName: rules([optional], poolName),
    limit: rules([optional], minimum(1), maximum(POOLS_MAX)),
    defaultPartitionTypeAttribute: rules([optional], fullName),
  }),
  status: rules(
    [optional],
    message({
      pools: rules([optional, maxItems(POOLS_MAX)], items(pool)),
      conditions: rules([optional, maxItems(CONDITIONS_MAX)]),
    }),
  ),
});

export const RESOURCE_POOL_STATUS_REQUEST = defineKind<ResourcePoolStatusRequest>({
  group: RESOURCE_GROUP,
  version: 'v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  plural: 'resourcepoolstatusrequests',
  namespaced: false,
  message: 'resource.v1alpha3.ResourcePoolStatusRequest',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false },
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'object',
  freeGenerateName: true,
  checksUpdates: false,
  checksFinalizerNames: true,
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('Driver', 'The driver of the pools.', 'spec.driver'),
    text('Total', 'How many devices the pools have.', 'status', sumOf('totalDevices')),
    text('Available', 'How many of them can be allocated.', 'status', sumOf('availableDevices')),
    text('Allocated', 'How many of them are allocated.', 'status', sumOf('allocatedDevices')),
    text('Unavailable', 'How many of them cannot be used.', 'status', sumOf('unavailableDevices')),
    text('Errors', 'How many of the pools are not valid.', 'status', errorsOf),
    integer('Pools', 'How many pools there are.', 'status.poolCount'),
    text('Status', 'What has become of the request.', 'status', stateOf),
    text('Completed', 'How long ago it was answered.', 'status', answeredSince),
  ]),

  dropDisabled({ spec }, gates, stored) {
    const member = 'defaultPartitionTypeAttribute';
    dropDisabledMember(gates, 'DRAPartitionableDevicesType', spec, stored?.spec, member);
  },

  validate: (object, stored, { gates }) =>
    declaredErrors(POOL_STATUS_REQUEST_RULES, object, stored, gates),

  validateUpdate({ spec }, stored) {
    return deepEqual(spec, stored.spec) ? [] : [invalid('spec', null, FIELD_IMMUTABLE)];
  },

  validateStatusUpdate({ status }, stored) {
    if (stored.status !== undefined && !deepEqual(status, stored.status)) {
      return [invalid('status', status, FIELD_IMMUTABLE)];
    }
    const errors: FieldError[] = [];
    checkConditions(status?.conditions ?? [], 'status.conditions', errors);
    return errors;
  },
});

type Status = ResourcePoolStatusRequestStatus;

function conditionOf({ conditions = [] }: Status): { type: string; since: string | undefined } {
  const decided = conditions.find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  return { type: decided?.type ?? 'Pending', since: decided?.lastTransitionTime };
}

function isShown(status: Status | undefined): status is Status {
  return status !== undefined && conditionOf(status).type !== 'Failed';
}

function sumOf(member: keyof PoolStatus): (status?: Status) => string {
  return (status) => {
    if (!isShown(status)) return NOTHING;
    const counts = (status.pools ?? []).map((pool) => Number(pool[member] ?? 0));
    return String(counts.reduce((sum, count) => sum + count, 0));
  };
}

function errorsOf(status?: Status): string {
  if (!isShown(status)) return NOTHING;
  const broken = (status.pools ?? []).filter(
    ({ validationError }) => validationError !== undefined,
  );
  return String(broken.length);
}

function stateOf(status: Status = {}): string {
  const { type } = conditionOf(status);
  const { poolCount = 0, pools = [] } = status;
  const isCut = type === 'Complete' && poolCount > pools.length;
  return isCut ? `Complete (${pools.length}/${poolCount} pools)` : type;
}

function answeredSince(status: Status = {}): unknown {
  const { type, since } = conditionOf(status);
  return type === 'Complete' ? ageSince(since) : NONE;
}
