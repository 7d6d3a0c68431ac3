/** The devices of slices (README.md#classes-and-slices). */
import type { Device, DeviceAttribute, DeviceCounterConsumption } from '#messages/resource.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { checkNodeSelector } from '../core/nodes/node-selector.ts';
import { checkBindingConditions } from './binding-conditions.ts';
import { checkCapacity } from './device-capacity.ts';
import { checkLabelOf, checkQualifiedName, shownKey } from './device-names.ts';
import { checkTaint } from './device-taints.ts';
import { checkList, checkMap, checkSet, itself, shownCounters } from './item-rules.ts';
import { checkNodeResources } from './node-resources.ts';

const PROPERTIES_MAX = 32;
const VALUES_MAX = 48;
const TAINTS_MAX = ownRelease().has('slicesOfCounters') ? 16 : 4;
const CONSUMED_SETS_MAX = 2;
const COUNTERS_MAX = 32;
const GROUPS_MAX = 2;
const VALUE_BYTES_MAX = 64;
const TOTAL = 'the total number of';
const NAME_LENGTH = 63;
const QUALIFIED_LENGTH = 63 + 1 + 32;
const NUMBER = '(?:0|[1-9]\\d*)';
const PART = `(?:${NUMBER}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const BUILD = '[0-9a-zA-Z-]+';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PART}(?:\\.${PART})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`,
);
const ONE_PLACE =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when ' +
  '`perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const NO_PLACE =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set ' +
  'to true in the ResourceSlice spec';
const VALUE_MEMBERS = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];

/** The rules of a device need these facts of the slice. */
export interface SliceContext {
  readonly gates: FeatureGates;
  readonly isPlacedByDevice: boolean;
  /** The devices that are stored, by name. */
  readonly stored: ReadonlyMap<string, Device>;
}

/** Unchanged devices are not looked at again, where rules became stricter. */
export function checkDevice(
  device: Device,
  field: string,
  errors: FieldError[],
  { gates, isPlacedByDevice, stored }: SliceContext,
): void {
  const { name = '', attributes = {}, capacity = {}, taints = [] } = device;
  const before = stored.get(name);
  checkLabelOf(name, `${field}.name`, errors);
  checkNumbers(device, field, errors);
  checkMap(
    attributes,
    { shownLength: QUALIFIED_LENGTH, key: checkQualifiedName, value: checkAttribute },
    `${field}.attributes`,
    errors,
  );
  checkValues(attributes, `${field}.attributes`, errors);
  if (before === undefined || !deepEqual(before.capacity ?? {}, capacity)) {
    checkMap(
      capacity,
      {
        shownLength: QUALIFIED_LENGTH,
        key: checkQualifiedName,
        value(one, at) {
          checkCapacity(one, device.allowMultipleAllocations === true, at, errors, gates);
        },
      },
      `${field}.capacity`,
      errors,
    );
  }
  if (before === undefined || !deepEqual(before.taints ?? [], taints)) {
    const checkOne: typeof checkTaint = (taint, at) => {
      checkTaint(taint, at, errors);
    };
    checkList(taints, TAINTS_MAX, checkOne, `${field}.taints`, errors);
  }
  checkSet(
    device.consumesCounters ?? [],
    CONSUMED_SETS_MAX,
    checkConsumption,
    ({ counterSet = '' }) => counterSet,
    `${field}.consumesCounters`,
    errors,
    {
      member: 'counterSet',
      shown: (set) => ({ counterSet: '', ...set, ...shownCounters(set.counters) }),
    },
  );
  if (isPlacedByDevice) checkPlace(device, field, errors);
  else if ((device.nodeName ?? device.nodeSelector ?? device.allNodes) !== undefined) {
    errors.push(invalid(field, null, NO_PLACE));
  }
  checkBindingConditions(device, field, errors);
  checkNodeResources(device, field, errors);
}

function checkNumbers(
  { attributes = {}, capacity = {} }: Device,
  field: string,
  errors: FieldError[],
): void {
  const properties = Object.keys(attributes).length + Object.keys(capacity).length;
  if (properties > PROPERTIES_MAX) {
    const detail = `${TOTAL} attributes and capacities must not exceed ${PROPERTIES_MAX}`;
    errors.push(invalid(field, properties, detail));
  }
  const counts = Object.values(attributes).map(({ bools, ints, strings, versions }) => {
    const lists = [bools, ints, strings, versions];
    return lists.reduce((sum, list = []) => sum + list.length, 0) || 1;
  });
  const values = counts.reduce((sum, count) => sum + count, 0);
  if (values > VALUES_MAX) {
    const detail = `${TOTAL} attribute values must not exceed ${VALUES_MAX}`;
    errors.push(invalid(field, values, detail));
  }
}

function checkAttribute(attribute: DeviceAttribute, field: string, errors: FieldError[]): void {
  const { string, version, bools, ints, strings, versions } = attribute;
  if (string !== undefined) checkText(string, `${field}.string`, errors);
  if (version !== undefined) checkVersion(version, `${field}.version`, errors);
  for (const [member, list] of Object.entries({ bools, ints, strings, versions })) {
    if (list === undefined || list.length > 0) continue;
    errors.push(invalid(`${field}.${member}`, list, 'must not be empty if specified'));
  }
  checkList(strings ?? [], Infinity, checkText, `${field}.strings`, errors);
  checkList(versions ?? [], Infinity, checkVersion, `${field}.versions`, errors);
}

/** Each attribute has one value. A declared rule tells long names whole, the older one does not. */
function checkValues(
  attributes: Readonly<Record<string, DeviceAttribute>>,
  field: string,
  errors: FieldError[],
): void {
  const isDeclared = ownRelease().has('declaredRules');
  for (const [key, attribute] of Object.entries(attributes)) {
    const set = VALUE_MEMBERS.filter((member) => member in attribute);
    if (set.length === 1) continue;
    const shown = shownKey(key, QUALIFIED_LENGTH);
    if (isDeclared) errors.push(declaredProblem(set, `${field}[${key}]`));
    if (isDeclared && shown === key) continue;
    const value = set.length === 0 ? '' : attribute;
    errors.push(invalid(`${field}[${shown}]`, value, 'exactly one value must be specified'));
  }
}

function declaredProblem(set: readonly string[], field: string): FieldError {
  const how = set.length === 0 ? 'one of' : 'exactly one of';
  const members = VALUE_MEMBERS.map((member) => `\`${member}\``).join(', ');
  const value = set.length === 0 ? '' : `{${set.join(', ')}}`;
  return invalid(field, value, `must specify ${how}: ${members}`);
}

function checkText(text: string, field: string, errors: FieldError[]): void {
  if (Buffer.byteLength(text) > VALUE_BYTES_MAX) errors.push(tooLong(field, VALUE_BYTES_MAX));
}

/** Whether a text is a semantic version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

function checkVersion(version: string, field: string, errors: FieldError[]): void {
  if (!isVersion(version)) {
    const detail = 'must be a string compatible with semver.org spec 2.0.0';
    errors.push(invalid(field, version, detail));
  }
  checkText(version, field, errors);
}

function checkConsumption(
  { counterSet = '', counters = {}, compatibilityGroups = [] }: DeviceCounterConsumption,
  field: string,
  errors: FieldError[],
): void {
  if (counterSet === '') errors.push(required(`${field}.counterSet`));
  else checkLabelOf(counterSet, `${field}.counterSet`, errors);
  checkCounters(counters, `${field}.counters`, errors);
  const at = `${field}.compatibilityGroups`;
  checkSet(compatibilityGroups, GROUPS_MAX, checkLabelOf, itself, at, errors);
}

/** Amounts by the names of counters, at least one. */
export function checkCounters(
  counters: Readonly<Record<string, object>>,
  field: string,
  errors: FieldError[],
): void {
  if (Object.keys(counters).length === 0) errors.push(required(field));
  else {
    const rules = { most: COUNTERS_MAX, shownLength: NAME_LENGTH, key: checkLabelOf };
    checkMap(counters, rules, field, errors);
  }
}

/** Each device says where it is. */
function checkPlace(
  { nodeName, nodeSelector, allNodes }: Device,
  field: string,
  errors: FieldError[],
): void {
  const set: string[] = [];
  if (nodeName === '') errors.push(invalid(`${field}.nodeName`, '', 'must not be empty'));
  else if (nodeName !== undefined) {
    set.push('`nodeName`');
    addProblems(dnsSubdomain(nodeName), `${field}.nodeName`, nodeName, errors);
  }
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`');
    checkNodeSelector(nodeSelector, `${field}.nodeSelector`, errors);
  }
  if (allNodes === true) set.push('`allNodes`');
  else if (allNodes === false) errors.push(onlyTrue(`${field}.allNodes`));
  if (set.length === 0) errors.push(required(field, ONE_PLACE));
  else if (set.length > 1) errors.push(invalid(field, `{${set.join(', ')}}`, ONE_PLACE));
}

export function onlyTrue(field: string): FieldError {
  return invalid(field, false, 'must be either unset or set to true');
}
