/**
 * Drops from claims the members whose feature is off, unless the stored object uses the feature.
 */
import type {
  DeviceRequest,
  DeviceRequestAllocationResult,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
} from '#messages/resource.v1';
import type { FeatureGate, FeatureGates } from '../../release/feature-gates.ts';
import { hasSome } from './item-rules.ts';

type Wanted = Omit<ExactDeviceRequest, 'adminAccess'>;

function requestsOf(spec: ResourceClaimSpec | undefined): readonly DeviceRequest[] {
  return spec?.devices?.requests ?? [];
}

/** Requests and alternatives. */
function wantedOf(spec: ResourceClaimSpec | undefined): readonly Wanted[] {
  return requestsOf(spec).flatMap(({ exactly, firstAvailable = [] }) => [
    ...(exactly === undefined ? [] : [exactly]),
    ...firstAvailable,
  ]);
}

function constraintsOf(spec: ResourceClaimSpec | undefined) {
  return spec?.devices?.constraints ?? [];
}

function asksForAdmin(spec: ResourceClaimSpec | undefined): boolean {
  return requestsOf(spec).some(({ exactly }) => exactly?.adminAccess !== undefined);
}

function asksForCapacity(spec: ResourceClaimSpec | undefined): boolean {
  const isDistinct = constraintsOf(spec).some(
    ({ distinctAttribute }) => distinctAttribute !== undefined,
  );
  return isDistinct || wantedOf(spec).some(({ capacity }) => capacity !== undefined);
}

export function dropDisabledOfSpec(
  spec: ResourceClaimSpec,
  gates: FeatureGates,
  stored?: ResourceClaimSpec,
): void {
  const isOff = (gate: FeatureGate, isUsed: boolean): boolean => !gates.has(gate) && !isUsed;
  const listed = requestsOf(stored).some(({ firstAvailable }) => hasSome(firstAvailable));
  if (isOff('DRAPrioritizedList', listed)) {
    for (const request of requestsOf(spec)) delete request.firstAvailable;
  }
  const tolerates = wantedOf(stored).some(({ tolerations }) => hasSome(tolerations));
  if (isOff('DRADeviceTaints', tolerates)) {
    for (const wanted of wantedOf(spec)) delete wanted.tolerations;
  }
  if (isOff('DRAAdminAccess', asksForAdmin(stored))) {
    for (const { exactly } of requestsOf(spec)) delete exactly?.adminAccess;
  }
  if (isOff('DRAConsumableCapacity', asksForCapacity(stored))) {
    for (const constraint of constraintsOf(spec)) delete constraint.distinctAttribute;
    for (const wanted of wantedOf(spec)) delete wanted.capacity;
  }
  const derives = wantedOf(stored).some(({ derivedAttributes }) => hasSome(derivedAttributes));
  if (isOff('DRADerivedAttributes', derives)) {
    for (const wanted of wantedOf(spec)) delete wanted.derivedAttributes;
  }
}

function resultsOf({ status }: ResourceClaim): readonly DeviceRequestAllocationResult[] {
  return status?.allocation?.devices?.results ?? [];
}

export function dropDisabledOfStatus(
  claim: ResourceClaim,
  gates: FeatureGates,
  stored: ResourceClaim,
): void {
  const isOff = (gate: FeatureGate, isUsed: boolean): boolean => !gates.has(gate) && !isUsed;
  const before = resultsOf(stored);
  if (isOff('DRAResourceClaimDeviceStatus', hasSome(stored.status?.devices))) {
    delete claim.status?.devices;
  }
  const watches = before.some(({ adminAccess }) => adminAccess !== undefined);
  if (isOff('DRAAdminAccess', watches || asksForAdmin(stored.spec))) {
    for (const result of resultsOf(claim)) delete result.adminAccess;
  }
  if (isOff('DRAConsumableCapacity', sharesDevices(stored))) {
    for (const result of resultsOf(claim)) {
      delete result.shareID;
      delete result.consumedCapacity;
    }
    for (const device of claim.status?.devices ?? []) delete device.shareID;
  }
  const binds = before.some(
    ({ bindingConditions, bindingFailureConditions }) =>
      bindingConditions !== undefined || bindingFailureConditions !== undefined,
  );
  if (isOff('DRADeviceBindingConditions', binds)) {
    for (const result of resultsOf(claim)) {
      delete result.bindingConditions;
      delete result.bindingFailureConditions;
    }
  }
  const skips = before.some(({ skipNodeOperations }) => hasSome(skipNodeOperations));
  if (isOff('DRAOptionalNodeOperations', skips)) {
    for (const result of resultsOf(claim)) delete result.skipNodeOperations;
  }
}

function sharesDevices(claim: ResourceClaim): boolean {
  const { devices = [] } = claim.status ?? {};
  return (
    asksForCapacity(claim.spec) ||
    resultsOf(claim).some(
      ({ shareID, consumedCapacity }) => shareID !== undefined || consumedCapacity !== undefined,
    ) ||
    devices.some(({ shareID }) => shareID !== undefined)
  );
}
