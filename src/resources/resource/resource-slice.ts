/** ResourceSlice (README.md#classes-and-slices). */
import type {
  CounterSet,
  ResourcePool,
  ResourceSlice,
  ResourceSliceSpec,
} from '#messages/resource.v1';
import { appendAll } from '../../base/append-all.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { checkNodeSelector } from '../core/nodes/node-selector.ts';
import { defineKind, specChanges } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';
import { checkDriver, checkFullName, checkLabelOf, checkPool } from './device-names.ts';
import { setTaintTimes } from './device-taints.ts';
import { checkSet, shownCounters } from './item-rules.ts';
import { checkSkippedOperations } from './skipped-operations.ts';
import { checkCounters, checkDevice, onlyTrue } from './slice-devices.ts';
import { dropDisabledOfSlice } from './slice-gates.ts';
import { SLICE_VERSIONS } from './slice-versions.ts';
import { RESOURCE_GROUP, releasedVersions } from './released-versions.ts';

const DEVICES_MAX = 128;
const ADVANCED_DEVICES_MAX = 64;
const COUNTER_SETS_MAX = 8;

export const RESOURCE_SLICE = defineKind<ResourceSlice>({
  group: RESOURCE_GROUP,
  version: 'v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  namespaced: false,
  message: 'resource.v1.ResourceSlice',
  nameRule: 'dnsSubdomain',
  freeGenerateName: true,
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  bumpsGeneration: specChanges,
  countsDropped: true,
  checksFinalizerNames: true,
  unsupportedFieldText: (field, groupVersion) =>
    `field label not supported for ${groupVersion}, Kind=ResourceSlice: ${field}`,
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    'spec.driver': ({ spec }) => spec?.driver ?? '',
    ...(ownRelease().has('selectablePools') && {
      'spec.pool.name': ({ spec }: ResourceSlice) => spec?.pool?.name ?? '',
    }),
  },
  indexedFields: ['spec.nodeName'],
  otherVersions: releasedVersions('ResourceSlice', [{ version: 'v1beta2' }, ...SLICE_VERSIONS]),
  printer: definePrinter([
    NAME,
    text('Node', 'The node of the devices.', 'spec.nodeName'),
    text('Driver', 'The driver of the devices.', 'spec.driver'),
    text('Pool', 'The pool of the devices.', 'spec.pool.name'),
    AGE,
  ]),

  applyDefaults({ spec }) {
    for (const { taints = [] } of spec?.devices ?? []) setTaintTimes(taints);
  },

  dropDisabled: dropDisabledOfSlice,

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    const { driver = '', pool = {}, devices = [], sharedCounters = [] } = spec;
    checkDriver(driver, 'spec.driver', errors);
    checkPoolOf(pool, errors);
    if (stored?.spec !== undefined) checkKept(spec, stored.spec, errors);
    checkPlace(spec, errors);
    if (spec.sharedCounters !== undefined && spec.devices !== undefined) {
      const detail = 'only one of `sharedCounters` or `devices` is allowed';
      if (ownRelease().has('slicesOfCounters')) errors.push(invalid('spec', '', detail));
    }
    const before = (stored?.spec?.devices ?? []).map(
      (device) => [device.name ?? '', device] as const,
    );
    const context = {
      gates,
      isPlacedByDevice: spec.perDeviceNodeSelection === true,
      stored: new Map(before),
    };
    checkSet(
      devices,
      isAdvanced(spec) ? ADVANCED_DEVICES_MAX : DEVICES_MAX,
      (device, field) => {
        checkDevice(device, field, errors, context);
      },
      ({ name = '' }) => name,
      'spec.devices',
      errors,
      { member: 'name', isDeclared: false },
    );
    checkSet(
      sharedCounters,
      COUNTER_SETS_MAX,
      checkCounterSet,
      ({ name = '' }) => name,
      'spec.sharedCounters',
      errors,
      { member: 'name', shown: (set) => ({ name: '', ...set, ...shownCounters(set.counters) }) },
    );
    checkPartitionType(spec, errors);
    checkSkippedOperations(spec.skipNodeOperations ?? [], 'spec.skipNodeOperations', errors);
    return errors;
  },

  createWarnings: driverWarnings,
  updateWarnings: driverWarnings,
});

function driverWarnings({ spec }: ResourceSlice): string[] {
  const { driver = '' } = spec ?? {};
  if (!ownRelease().has('capitalsInDrivers') || driver === driver.toLowerCase()) return [];
  const quoted = quoteText(driver);
  return [`spec.driver: driver names should be lowercase; ${quoted} contains uppercase characters`];
}

function checkPoolOf(
  { name = '', resourceSliceCount = 0, generation = 0 }: ResourcePool,
  errors: FieldError[],
): void {
  checkPool(name, 'spec.pool.name', errors);
  if (resourceSliceCount <= 0) {
    const field = 'spec.pool.resourceSliceCount';
    errors.push(invalid(field, resourceSliceCount, 'must be greater than zero'));
  }
  if (generation < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalid('spec.pool.generation', generation, detail));
  }
}

/** Pool, driver and node stay. */
function checkKept(spec: ResourceSliceSpec, stored: ResourceSliceSpec, errors: FieldError[]): void {
  for (const [field, value, before] of [
    ['spec.pool.name', spec.pool?.name ?? '', stored.pool?.name ?? ''],
    ['spec.driver', spec.driver ?? '', stored.driver ?? ''],
    ['spec.nodeName', spec.nodeName, stored.nodeName],
  ] as const) {
    if (value !== before) errors.push(invalid(field, value, FIELD_IMMUTABLE));
  }
}

/** A slice is of one node, of those with some labels, of all, or leaves it to its devices. */
function checkPlace(
  { nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec,
  errors: FieldError[],
): void {
  const set: string[] = [];
  if (nodeName === '') {
    const detail = 'must be either unset or set to a non-empty string';
    errors.push(invalid('spec.nodeName', '', detail));
  } else if (nodeName !== undefined) {
    set.push('`nodeName`');
    addProblems(dnsSubdomain(nodeName), 'spec.nodeName', nodeName, errors);
  }
  if (nodeSelector !== undefined) {
    set.push('`nodeSelector`');
    checkNodeSelector(nodeSelector, 'spec.nodeSelector', errors);
    const { nodeSelectorTerms = [] } = nodeSelector;
    if (nodeSelectorTerms.length !== 1) {
      const detail = 'must have exactly one node selector term';
      errors.push(invalid('spec.nodeSelector.nodeSelectorTerms', nodeSelectorTerms, detail));
    }
  }
  if (allNodes === true) set.push('`allNodes`');
  else if (allNodes === false) errors.push(onlyTrue('spec.allNodes'));
  if (perDeviceNodeSelection === true) set.push('`perDeviceNodeSelection`');
  else if (perDeviceNodeSelection === false) errors.push(onlyTrue('spec.perDeviceNodeSelection'));
  if (set.length === 0) errors.push(required('spec', ONE_PLACE));
  else if (set.length > 1) {
    const detail = `${ONE_PLACE}, but multiple fields are set`;
    errors.push(invalid('spec', `{${set.join(', ')}}`, detail));
  }
}

const ONE_PLACE = ownRelease().has('devicesSayTheirNodes')
  ? 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
  : 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';

/** Whether its devices make more work. */
function isAdvanced({ devices = [] }: ResourceSliceSpec): boolean {
  if (!ownRelease().has('slicesOfCounters')) return false;
  return devices.some(({ taints = [], consumesCounters = [], attributes = {} }) => {
    if (taints.length > 0 || consumesCounters.length > 0) return true;
    return Object.values(attributes).some(
      ({ bools, ints, strings, versions }) => (bools ?? ints ?? strings ?? versions) !== undefined,
    );
  });
}

function checkCounterSet(
  { name = '', counters = {} }: CounterSet,
  field: string,
  errors: FieldError[],
): void {
  if (name === '') errors.push(required(`${field}.name`));
  else checkLabelOf(name, `${field}.name`, errors);
  checkCounters(counters, `${field}.counters`, errors);
}

/** The attribute that tells of devices with counters what they are; each of them has it. */
function checkPartitionType(
  { partitionTypeAttribute: name, driver = '', devices = [] }: ResourceSliceSpec,
  errors: FieldError[],
): void {
  if (name === undefined) return;
  const field = 'spec.partitionTypeAttribute';
  const problems: FieldError[] = [];
  checkFullName(name, field, problems);
  const isCounted = devices.some(({ consumesCounters = [] }) => consumesCounters.length > 0);
  if (!isCounted) {
    const detail = 'may only be set on a slice which declares devices that consume counters';
    errors.push(invalid(field, name, detail));
  } else if (problems.length === 0) checkPartitions(name, driver, devices, errors);
  appendAll(errors, problems);
}

function checkPartitions(
  name: string,
  driver: string,
  devices: NonNullable<ResourceSliceSpec['devices']>,
  errors: FieldError[],
): void {
  // Names in the domain of the driver may go without it.
  const bare = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  devices.forEach(({ consumesCounters = [], attributes = {} }, index) => {
    if (consumesCounters.length === 0) return;
    const field = `spec.devices[${index}].attributes[${name}]`;
    const attribute = attributes[name] ?? attributes[bare];
    if (attribute === undefined) {
      const detail =
        'device consumes counters and `partitionTypeAttribute` names this attribute, so it must ' +
        'be set';
      errors.push(required(field, detail));
    } else if (attribute.string === undefined) {
      const detail = 'must be a string value because `partitionTypeAttribute` names this attribute';
      errors.push(invalid(field, attribute, detail));
    }
  });
}
