/** Checks the status of claims (README.md#claims). */
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '#messages/resource.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkConditions } from '../../semantics/validation/condition-validation.ts';
import { formatIp, parseIpRange } from '../../semantics/validation/ip-address.ts';
import { rangeParts } from '../../semantics/validation/network-validation.ts';
import { checkNodeSelector } from '../core/nodes/node-selector.ts';
import { checkBindingConditions } from './binding-conditions.ts';
import {
  checkRequestRef,
  checkRequestRefs,
  checkTolerations,
  requestNamesOf,
  REQUESTS_MAX,
  type RequestNames,
} from './claim-rules.ts';
import { checkDeallocation, checkUsers } from './claim-users.ts';
import { checkConfiguration, checkRaw } from './device-configuration.ts';
import { checkDriver, checkLabelOf, checkPool, checkUuid } from './device-names.ts';
import { checkSkippedOperations } from './skipped-operations.ts';
import { checkList, checkSet, itself } from './item-rules.ts';

const USERS_MAX = ownRelease().has('manyUsersOfClaims') ? 256 : 32;
const CONDITIONS_MAX = 8;
const ADDRESSES_MAX = 16;
const INTERFACE_BYTES_MAX = 256;
const HARDWARE_BYTES_MAX = 128;
const SOURCES = ['FromClaim', 'FromClass'];
const NO_ADDRESS = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

/** Names a device alike in an allocation and in its status. */
export function deviceId({ driver = '', pool = '', device = '', shareID }: DeviceId): string {
  const id = `${driver}/${pool}/${device}`;
  return shareID ? `${id}/${shareID}` : id;
}

type DeviceId = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

/** Removes the statuses of devices together with their allocation. */
export function dropDeallocated({ status = {} }: ResourceClaim, stored: ResourceClaim): void {
  const { devices = [] } = status;
  const gone = new Set((stored.status?.allocation?.devices?.results ?? []).map(deviceId));
  for (const result of status.allocation?.devices?.results ?? []) gone.delete(deviceId(result));
  const left = devices.filter((device) => !gone.has(deviceId(device)));
  if (left.length === 0) delete status.devices;
  else status.devices = left;
}

export function claimStatusErrors(claim: ResourceClaim, stored: ResourceClaim): FieldError[] {
  const errors: FieldError[] = [];
  const { status = {}, metadata } = claim;
  const before = stored.status ?? {};
  const names = requestNamesOf(claim.spec ?? {});
  const { reservedFor = [], devices = [], allocation } = status;
  checkSet(reservedFor, USERS_MAX, checkUser, ({ uid = '' }) => uid, 'status.reservedFor', errors, {
    member: 'uid',
    shown: ({ apiGroup, ...user }) => ({
      ...(apiGroup !== undefined && { apiGroup }),
      resource: '',
      name: '',
      uid: '',
      ...user,
    }),
  });
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceId));
  const checkDevice = (device: AllocatedDeviceStatus, field: string): void => {
    checkDeviceStatus(device, allocated, field, errors);
  };
  checkSet(devices, Infinity, checkDevice, deviceId, 'status.devices', errors, {
    member: 'deviceID',
    shown: ({ driver = '', pool = '', device = '', shareID, conditions = null, ...others }) => ({
      driver,
      pool,
      device,
      ...(shareID !== undefined && { shareID }),
      conditions,
      ...others,
    }),
  });
  checkUsers(status, before, metadata.deletionTimestamp !== undefined, errors);
  checkAllocationChange(allocation, before.allocation, names, errors);
  checkDeallocation(status, before, errors);
  return errors;
}

function checkAllocationChange(
  allocation: AllocationResult | undefined,
  before: AllocationResult | undefined,
  names: RequestNames,
  errors: FieldError[],
): void {
  const field = 'status.allocation';
  if (allocation === undefined) return;
  if (before === undefined) checkAllocation(allocation, names, field, errors);
  else if (!deepEqual(allocation, before)) {
    const isDeclared = ownRelease().has('declaredRules');
    errors.push(
      isDeclared
        ? invalid(field, null, 'field cannot be modified once set')
        : invalid(field, allocation, FIELD_IMMUTABLE),
    );
  }
}

function checkUser(
  { resource = '', name = '', uid = '' }: ResourceClaimConsumerReference,
  field: string,
  errors: FieldError[],
): void {
  if (resource === '') errors.push(required(`${field}.resource`));
  if (name === '') errors.push(required(`${field}.name`));
  if (uid === '') errors.push(required(`${field}.uid`));
}

function checkAllocation(
  { devices = {}, nodeSelector, controller = '' }: AllocationResult,
  names: RequestNames,
  field: string,
  errors: FieldError[],
): void {
  const { results = [], config = [] } = devices;
  const checkOne = (result: DeviceRequestAllocationResult, at: string): void => {
    checkResult(result, names, at, errors);
  };
  checkList(results, REQUESTS_MAX, checkOne, `${field}.devices.results`, errors);
  checkList(
    config,
    // Configurations of the classes, and of the claim.
    2 * REQUESTS_MAX,
    (one, at) => {
      checkSource(one.source ?? '', `${at}.source`, errors);
      checkRequestRefs(one.requests ?? [], names, `${at}.requests`, errors);
      checkConfiguration(one, at, errors);
    },
    `${field}.devices.config`,
    errors,
  );
  if (nodeSelector !== undefined) checkNodeSelector(nodeSelector, `${field}.nodeSelector`, errors);
  if (controller !== '') checkDriver(controller, `${field}.controller`, errors);
}

function checkSource(source: string, field: string, errors: FieldError[]): void {
  if (source === '') errors.push(required(field));
  else if (!SOURCES.includes(source)) errors.push(notSupported(field, source, SOURCES));
}

function checkResult(
  result: DeviceRequestAllocationResult,
  names: RequestNames,
  field: string,
  errors: FieldError[],
): void {
  checkRequestRef(result.request ?? '', names, `${field}.request`, errors);
  checkDriver(result.driver ?? '', `${field}.driver`, errors, true);
  checkPool(result.pool ?? '', `${field}.pool`, errors);
  checkLabelOf(result.device ?? '', `${field}.device`, errors);
  checkBindingConditions(result, field, errors);
  checkTolerations(result.tolerations ?? [], `${field}.tolerations`, errors);
  if (result.shareID !== undefined) checkUuid(result.shareID, `${field}.shareID`, errors);
  const { skipNodeOperations = [] } = result;
  checkSkippedOperations(skipNodeOperations, `${field}.skipNodeOperations`, errors);
}

function checkDeviceStatus(
  status: AllocatedDeviceStatus,
  allocated: ReadonlySet<string>,
  field: string,
  errors: FieldError[],
): void {
  const { driver = '', pool = '', device = '', shareID, conditions = [], data } = status;
  checkDriver(driver, `${field}.driver`, errors);
  checkPool(pool, `${field}.pool`, errors);
  checkLabelOf(device, `${field}.device`, errors);
  if (shareID !== undefined) checkUuid(shareID, `${field}.shareID`, errors);
  const id = deviceId(status);
  if (!allocated.has(id)) {
    errors.push(invalid(field, id, 'must be an allocated device in the claim'));
  }
  if (conditions.length > CONDITIONS_MAX) {
    errors.push(tooMany(`${field}.conditions`, conditions.length, CONDITIONS_MAX));
  }
  checkConditions(conditions, `${field}.conditions`, errors);
  if (data !== undefined) checkRaw(data, `${field}.data`, errors);
  checkNetwork(status.networkData ?? {}, `${field}.networkData`, errors);
}

function checkNetwork(
  { interfaceName = '', ips = [], hardwareAddress = '' }: NetworkDeviceData,
  field: string,
  errors: FieldError[],
): void {
  if (Buffer.byteLength(interfaceName) > INTERFACE_BYTES_MAX) {
    errors.push(tooLong(`${field}.interfaceName`, INTERFACE_BYTES_MAX));
  }
  if (Buffer.byteLength(hardwareAddress) > HARDWARE_BYTES_MAX) {
    errors.push(tooLong(`${field}.hardwareAddress`, HARDWARE_BYTES_MAX));
  }
  checkSet(ips, ADDRESSES_MAX, checkInterfaceAddress, itself, `${field}.ips`, errors);
}

/** An address with the length of its network, written in the one way that all programs write it. */
function checkInterfaceAddress(text: string, field: string, errors: FieldError[]): void {
  const { ip } = rangeParts(text);
  const range = parseIpRange(text);
  if (range === undefined || ip === undefined) {
    errors.push(invalid(field, text, NO_ADDRESS));
    return;
  }
  const canonical = `${formatIp(ip)}/${Number(text.slice(text.indexOf('/') + 1))}`;
  if (text === canonical) return;
  errors.push(invalid(field, text, `must be in canonical form ("${canonical}")`));
}
