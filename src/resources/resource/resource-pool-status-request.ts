/** ResourcePoolStatusRequest (README.md#classes-and-slices). */
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
  ResourcePoolStatusRequestStatus,
} from '#messages/resource.v1alpha3';
import { deepEqual } from '../../base/deep-equal.ts';
import { ageSince } from '../../semantics/age-text.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import { dropDisabledMember } from '../disabled-members.ts';
import { defineKind } from '../kind.ts';
import { NAME, NONE } from '../printer-cells.ts';
import { definePrinter, integer, text } from '../printer.ts';
import { checkDriver, checkFullName, checkPool } from './device-names.ts';
import { RESOURCE_GROUP } from './released-versions.ts';

const POOLS_MAX = 1000;
const CONDITIONS_MAX = 10;
const NOTHING = '-';

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

  validate({ spec = {} }, stored) {
    const errors: FieldError[] = [];
    if (stored === undefined) checkSpec(spec, errors);
    return errors;
  },

  validateUpdate({ spec }, stored) {
    return deepEqual(spec, stored.spec) ? [] : [invalid('spec', null, FIELD_IMMUTABLE)];
  },

  validateStatusUpdate({ status }, stored) {
    const errors: FieldError[] = [];
    if (stored.status !== undefined) {
      return deepEqual(status, stored.status) ? [] : [invalid('status', status, FIELD_IMMUTABLE)];
    }
    const { pools = [], conditions = [] } = status ?? {};
    if (pools.length > POOLS_MAX) {
      errors.push(tooMany('status.pools', pools.length, POOLS_MAX));
    }
    if (conditions.length > CONDITIONS_MAX) {
      errors.push(tooMany('status.conditions', conditions.length, CONDITIONS_MAX));
    }
    checkConditions(conditions, 'status.conditions', errors);
    return errors;
  },
});

function checkSpec(
  {
    driver = '',
    poolName,
    limit = 0,
    defaultPartitionTypeAttribute,
  }: ResourcePoolStatusRequestSpec,
  errors: FieldError[],
): void {
  checkDriver(driver, 'spec.driver', errors, true);
  if (poolName === '') errors.push(invalid('spec.poolName', '', 'segment 0: must not be empty'));
  else if (poolName !== undefined) checkPool(poolName, 'spec.poolName', errors);
  if (limit < 1) {
    errors.push(invalid('spec.limit', limit, 'must be greater than or equal to 1'));
  } else if (limit > POOLS_MAX) {
    errors.push(invalid('spec.limit', limit, `must be less than or equal to ${POOLS_MAX}`));
  }
  if (defaultPartitionTypeAttribute !== undefined) {
    const field = 'spec.defaultPartitionTypeAttribute';
    checkFullName(defaultPartitionTypeAttribute, field, errors);
  }
}

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
