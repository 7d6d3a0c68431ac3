/** Checks the requests of claims (README.md#claims). */
import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceDerivedAttribute,
  DeviceRequest,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '#messages/resource.v1';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { shownAlternative, shownRequest } from './claim-versions.ts';
import { checkConfiguration } from './device-configuration.ts';
import { checkClassName, checkDriver, checkFullName, checkLabelOf } from './device-names.ts';
import { checkExpression, checkSelectors, COST_MAX } from './device-selectors.ts';
import { checkToleration } from './device-taints.ts';
import { checkList, checkSet, itself } from './item-rules.ts';

export const REQUESTS_MAX = 32;
const ALTERNATIVES_MAX = 8;
const DERIVED_MAX = 32;
const MODES = ['All', 'ExactCount'];
const ONE_KIND = 'exactly one of `exactly` or `firstAvailable` is required';
const NO_REQUEST =
  'must be the name of a request in the claim or the name of a request and a subrequest ' +
  "separated by '/'";
const ONE_ATTRIBUTE =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
const DERIVED_COST =
  'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit';
const UNUSED =
  'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting ' +
  'this request';

/** The names of requests, each with those of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

/** The rules of one request need these facts of the claim. */
interface ClaimContext {
  readonly gates: FeatureGates;
  /** The version of the request: `resource.cluster.io/v1`. */
  readonly groupVersion: string;
  readonly constraints: readonly DeviceConstraint[];
  /** What its expressions that compute attributes cost at most. */
  readonly derived: { cost: number };
}

/** As many devices as `count` says, and one where nothing is said. */
export function applyRequestDefaults({ devices }: ResourceClaimSpec): void {
  for (const { exactly, firstAvailable = [] } of devices?.requests ?? []) {
    if (exactly !== undefined) applyModeDefaults(exactly);
    for (const alternative of firstAvailable) applyModeDefaults(alternative);
  }
}

function applyModeDefaults(request: ExactDeviceRequest | DeviceSubRequest): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount' && !request.count) request.count = 1;
}

export function requestNamesOf({ devices }: ResourceClaimSpec): RequestNames {
  const requests = devices?.requests ?? [];
  return new Map(
    requests.map(({ name = '', firstAvailable = [] }) => [
      name,
      new Set(firstAvailable.map((alternative) => alternative.name ?? '')),
    ]),
  );
}

/** Adds the problems of a claim that is not stored yet. */
export function checkClaimSpec(
  spec: ResourceClaimSpec,
  field: string,
  errors: FieldError[],
  context: Pick<ClaimContext, 'gates' | 'groupVersion'>,
): void {
  const { devices = {}, controller = '' } = spec;
  const names = requestNamesOf(spec);
  const { constraints = [] } = devices;
  const derived = { cost: 0 };
  const at = `${field}.devices`;
  checkDevices(devices, names, at, errors, { ...context, constraints, derived });
  if (derived.cost > COST_MAX) errors.push(fieldForbidden(at, DERIVED_COST));
  if (controller !== '') checkDriver(controller, `${field}.controller`, errors);
}

function checkDevices(
  { requests = [], constraints = [], config = [] }: DeviceClaim,
  names: RequestNames,
  field: string,
  errors: FieldError[],
  context: ClaimContext,
): void {
  checkSet(
    requests,
    REQUESTS_MAX,
    (request, at) => {
      checkRequest(request, at, errors, context);
    },
    ({ name = '' }) => name,
    `${field}.requests`,
    errors,
    { member: 'name', shown: (request) => shownRequest(request, context.groupVersion) },
  );
  const checkOne = (constraint: DeviceConstraint, at: string): void => {
    checkConstraint(constraint, names, at, errors, context.gates);
  };
  checkList(constraints, REQUESTS_MAX, checkOne, `${field}.constraints`, errors);
  checkList(
    config,
    REQUESTS_MAX,
    (one, at) => {
      checkRequestRefs(one.requests ?? [], names, `${at}.requests`, errors);
      checkConfiguration(one, at, errors);
    },
    `${field}.config`,
    errors,
  );
}

function checkRequest(
  { name = '', exactly, firstAvailable = [] }: DeviceRequest,
  field: string,
  errors: FieldError[],
  context: ClaimContext,
): void {
  checkLabelOf(name, `${field}.name`, errors);
  if (exactly !== undefined && firstAvailable.length > 0) {
    errors.push(invalid(field, null, `${ONE_KIND}, but multiple fields are set`));
    if (ownRelease().has('declaredRules')) checkDeclared(firstAvailable, field, errors);
  } else if (exactly !== undefined) {
    checkClassName(exactly.deviceClassName ?? '', `${field}.exactly.deviceClassName`, errors);
    checkWanted(exactly, name, `${field}.exactly`, errors, context);
  } else if (firstAvailable.length > 0) {
    checkSet(
      firstAvailable,
      ALTERNATIVES_MAX,
      (alternative, at) => {
        const own = alternative.name ?? '';
        checkLabelOf(own, `${at}.name`, errors);
        checkClassName(alternative.deviceClassName ?? '', `${at}.deviceClassName`, errors);
        checkWanted(alternative, `${name}/${own}`, at, errors, context);
      },
      (alternative) => alternative.name ?? '',
      `${field}.firstAvailable`,
      errors,
      { member: 'name', shown: shownAlternative },
    );
  } else errors.push(required(field, ONE_KIND));
}

/** Checks the members of alternatives, which the request itself may not have. */
function checkDeclared(
  alternatives: readonly DeviceSubRequest[],
  field: string,
  errors: FieldError[],
): void {
  checkSet(
    alternatives,
    ALTERNATIVES_MAX,
    ({ deviceClassName = '' }, at) => {
      checkClassName(deviceClassName, `${at}.deviceClassName`, errors);
    },
    ({ name = '' }) => name,
    `${field}.firstAvailable`,
    errors,
    { shown: shownAlternative },
  );
}

/** Checks the members that requests and alternatives share. */
function checkWanted(
  wanted: ExactDeviceRequest | DeviceSubRequest,
  name: string,
  field: string,
  errors: FieldError[],
  context: ClaimContext,
): void {
  const { selectors = [], derivedAttributes = [], tolerations = [] } = wanted;
  checkSelectors(selectors, `${field}.selectors`, errors, context.gates);
  checkDerived(derivedAttributes, name, `${field}.derivedAttributes`, errors, context);
  checkMode(wanted, field, errors);
  checkTolerations(tolerations, `${field}.tolerations`, errors);
}

export function checkTolerations(
  tolerations: readonly DeviceToleration[],
  field: string,
  errors: FieldError[],
): void {
  checkList(tolerations, Infinity, checkToleration, field, errors);
}

function checkMode(
  { allocationMode = '', count = 0 }: ExactDeviceRequest | DeviceSubRequest,
  field: string,
  errors: FieldError[],
): void {
  if (allocationMode === 'All') {
    if (count === 0) return;
    const detail = `must not be specified when allocationMode is '${allocationMode}'`;
    errors.push(invalid(`${field}.count`, count, detail));
  } else if (allocationMode === 'ExactCount') {
    if (count <= 0) errors.push(invalid(`${field}.count`, count, 'must be greater than zero'));
  } else errors.push(notSupported(`${field}.allocationMode`, allocationMode, MODES));
}

function checkDerived(
  attributes: readonly DeviceDerivedAttribute[],
  request: string,
  field: string,
  errors: FieldError[],
  { gates, constraints, derived }: ClaimContext,
): void {
  checkSet(
    attributes,
    DERIVED_MAX,
    ({ name = '', expression = '' }, at) => {
      if (name === '') errors.push(required(`${at}.name`));
      else {
        if (!isConstrained(name, request, constraints)) {
          errors.push(invalid(`${at}.name`, name, UNUSED));
        }
        checkFullName(name, `${at}.name`, errors);
      }
      if (expression === '') errors.push(required(`${at}.expression`));
      else {
        derived.cost += checkExpression(expression, `${at}.expression`, errors, gates, 'attribute');
      }
    },
    ({ name = '' }) => name,
    field,
    errors,
    { isDeclared: false },
  );
}

/** Whether a constraint of the request, or of the one that it is an alternative of, needs it. */
function isConstrained(
  attribute: string,
  request: string,
  constraints: readonly DeviceConstraint[],
): boolean {
  const [parent = ''] = request.split('/');
  return constraints.some(({ requests = [], matchAttribute, distinctAttribute }) => {
    if ((matchAttribute ?? distinctAttribute) !== attribute) return false;
    return requests.length === 0 || requests.includes(request) || requests.includes(parent);
  });
}

function checkConstraint(
  { requests = [], matchAttribute, distinctAttribute }: DeviceConstraint,
  names: RequestNames,
  field: string,
  errors: FieldError[],
  gates: FeatureGates,
): void {
  checkRequestRefs(requests, names, `${field}.requests`, errors);
  const areDeclared = ownRelease().has('declaredRules');
  if (matchAttribute !== undefined) {
    checkFullName(matchAttribute, `${field}.matchAttribute`, errors);
    if (areDeclared && distinctAttribute !== undefined) {
      checkFullName(distinctAttribute, `${field}.distinctAttribute`, errors);
    }
  } else if (distinctAttribute !== undefined) {
    checkFullName(distinctAttribute, `${field}.distinctAttribute`, errors);
  } else if (gates.has('DRAConsumableCapacity')) errors.push(required(field, ONE_ATTRIBUTE));
  else errors.push(required(`${field}.matchAttribute`));
}

/** The requests that something is for. */
export function checkRequestRefs(
  requests: readonly string[],
  names: RequestNames,
  field: string,
  errors: FieldError[],
): void {
  const check = (name: string, at: string): void => {
    checkRequestRef(name, names, at, errors);
  };
  checkSet(requests, REQUESTS_MAX, check, itself, field, errors);
}

/** The name of a request, or of one and its alternative. */
export function checkRequestRef(
  name: string,
  names: RequestNames,
  field: string,
  errors: FieldError[],
): void {
  const [request = '', alternative, ...more] = name.split('/');
  if (more.length === 0) {
    checkLabelOf(request, field, errors);
    if (alternative !== undefined) checkLabelOf(alternative, field, errors);
  }
  const alternatives = names.get(request);
  const isNamed = alternative === undefined || alternatives?.has(alternative) === true;
  if (alternatives === undefined || !isNamed || more.length > 0) {
    errors.push(invalid(field, name, NO_REQUEST));
  }
}
